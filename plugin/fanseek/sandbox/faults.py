"""What can go wrong on request: each fault with its parameters."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, get_args

import msgspec
from msgspec import Meta

Place = Literal["before", "headers", "body"]
Milliseconds = Annotated[float, Meta(ge=0, le=3_600_000)]
Share = Annotated[float, Meta(ge=0, le=1)]


def _tag(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


class Fault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="fault", tag=_tag):
    """One way to fail. `after` requests are spared, then `times` are hit (0: all), of them a `share`, seeded.

    `calls_only` faults spare what an MCP client says beside its tool calls.
    """

    calls_only: ClassVar[bool] = False

    after: Annotated[int, Meta(ge=0)] = 0
    times: Annotated[int, Meta(ge=0)] = 0
    share: Share = 1.0

    @property
    def name(self) -> str:
        """The name it is asked for by."""
        return name_of(type(self))


def name_of(kind: type[Fault]) -> str:
    """The name a kind of fault is asked for by."""
    return str(kind.__struct_config__.tag)


class Latency(Fault, frozen=True, kw_only=True):
    """Time before the reply: `ms`; from `ms` up to `high_ms`; or lognormal around `ms`.

    A share of `stragglers` takes `straggler_ms` instead.
    """

    ms: Milliseconds = 50.0
    shape: Literal["fixed", "uniform", "lognormal"] = "fixed"
    high_ms: Milliseconds = 0.0
    sigma: Annotated[float, Meta(ge=0, le=5)] = 0.5
    stragglers: Share = 0.0
    straggler_ms: Milliseconds = 10_000.0


class Hang(Fault, frozen=True, kw_only=True):
    """The request is taken and never answered."""


class Http(Fault, frozen=True, kw_only=True):
    """Any status with any body; a bare number stands for this one."""

    status: Annotated[int, Meta(ge=200, le=999)] = 500
    body: str = ""
    content_type: str = "text/plain; charset=utf-8"
    retry_after: str = ""


class RateLimit(Fault, frozen=True, kw_only=True):
    """The backend's own way to say so, else 429; with Retry-After (seconds or a date) where the status is 429."""

    calls_only: ClassVar[bool] = True

    retry_after: str = "30"


class Captcha(Fault, frozen=True, kw_only=True):
    """The backend's own challenge page, else a 403 page with cf-mitigated."""


class Empty(Fault, frozen=True, kw_only=True):
    """A good answer without results."""

    calls_only: ClassVar[bool] = True


class Malformed(Fault, frozen=True, kw_only=True):
    """The right status and media type around half a body, or around noise."""

    calls_only: ClassVar[bool] = True

    shape: Literal["truncated", "garbage"] = "truncated"


class WrongType(Fault, frozen=True, kw_only=True):
    """The right body under another media type."""

    calls_only: ClassVar[bool] = True

    content_type: str = "application/octet-stream"


class Drip(Fault, frozen=True, kw_only=True):
    """The body `bytes` at a time."""

    bytes: Annotated[int, Meta(ge=1)] = 1
    interval_ms: Milliseconds = 100.0


class SlowHeaders(Fault, frozen=True, kw_only=True):
    """The head `bytes` at a time."""

    bytes: Annotated[int, Meta(ge=1)] = 1
    interval_ms: Milliseconds = 100.0


class Oversized(Fault, frozen=True, kw_only=True):
    """The right start, then `mb` megabytes of padding (0: for ever), one each interval; chunked or declared."""

    mb: Annotated[int, Meta(ge=0)] = 64
    chunked: bool = True
    interval_ms: Milliseconds = 0.0


class Lying(Fault, frozen=True, kw_only=True):
    """A Content-Length that is `by` bytes off; where it promises more, the connection is then closed."""

    by: int = 100


class Bomb(Fault, frozen=True, kw_only=True):
    """A gzip body that inflates to `mb` megabytes of the start and padding; `layers` codings stacked."""

    mb: Annotated[int, Meta(ge=1, le=1024)] = 128
    layers: Annotated[int, Meta(ge=1, le=3)] = 1


class Nested(Fault, frozen=True, kw_only=True):
    """A page, or JSON where the backend speaks JSON, nested `depth` deep."""

    calls_only: ClassVar[bool] = True

    depth: Annotated[int, Meta(ge=1)] = 200_000


class Drop(Fault, frozen=True, kw_only=True):
    """The connection is closed before the reply, in the midst of its head or of its body."""

    at: Place = "before"


class Reset(Fault, frozen=True, kw_only=True):
    """As drop, by RST."""

    at: Place = "before"


class Redirect(Fault, frozen=True, kw_only=True):
    """A redirect, by default to the sandbox's trap, where a visit is counted."""

    status: Literal[301, 302, 303, 307, 308] = 302
    to: str = ""


class McpSessionLoss(Fault, frozen=True, kw_only=True):
    """The session of a call is forgotten and the call answered with 404; once, unless told otherwise."""

    calls_only: ClassVar[bool] = True

    times: Annotated[int, Meta(ge=0)] = 1


class Progress(Fault, frozen=True, kw_only=True):
    """An MCP call is answered by a stream with `frames` notifications and comments before the reply."""

    calls_only: ClassVar[bool] = True

    frames: Annotated[int, Meta(ge=0)] = 3
    interval_ms: Milliseconds = 0.0


class Own(Fault, frozen=True, kw_only=True):
    """A fault only this backend knows, by the name its mimic gives it."""

    calls_only: ClassVar[bool] = True

    what: str


class Chunked(Fault, frozen=True, kw_only=True):
    """No failure: a good reply in chunks of `bytes`."""

    bytes: Annotated[int, Meta(ge=1)] = 1000


class Compressed(Fault, frozen=True, kw_only=True):
    """No failure: a good reply under a content coding."""

    coding: Literal["gzip", "deflate"] = "gzip"


class Interim(Fault, frozen=True, kw_only=True):
    """No failure: a good reply after a 1xx one."""

    status: Literal[100, 102, 103] = 103


class Impatient(Fault, frozen=True, kw_only=True):
    """No failure: a good reply, then the kept-alive connection is closed unannounced."""


AnyFault = (
    Latency
    | Hang
    | Http
    | RateLimit
    | Captcha
    | Empty
    | Malformed
    | WrongType
    | Drip
    | SlowHeaders
    | Oversized
    | Lying
    | Bomb
    | Nested
    | Drop
    | Reset
    | Redirect
    | McpSessionLoss
    | Progress
    | Own
    | Chunked
    | Compressed
    | Interim
    | Impatient
)

KINDS: dict[str, type[Fault]] = {name_of(kind): kind for kind in get_args(AnyFault)}
"""Every fault by name."""
