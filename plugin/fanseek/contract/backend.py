"""What a backend is: settings, pure functions for each kind of request it serves, and facts as data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from fanseek.contract.exchange import Failure, McpCall, Request, Response
from fanseek.contract.fitting import QueryLimit, Wording
from fanseek.contract.markup import Markup
from fanseek.contract.mimic import Mimic
from fanseek.types import SearchRequest

Support = Literal["native", "operator", "local", "none"]
"""How a filter is honoured: by the API, by an operator in the query, by us after the answer, or not at all."""

Enable = Literal["auto", "on", "off"]

SCRAPED, API, MODEL = 5.0, 10.0, 20.0
"""Time caps by class, in seconds: scraped pages and public instances; APIs and MCP; model-based."""


class BackendSettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every backend can be told."""

    enabled: Annotated[
        Enable,
        Meta(title="Enabled", description="auto: on when it needs no key or its key is there; on; off."),
    ] = "auto"
    rate_per_minute: Annotated[
        float,
        Meta(
            title="Calls per minute",
            description="Own pacing of calls, shared by all searches; 0 keeps to the limit the service is known for.",
            ge=0,
        ),
    ] = 0.0


class KeyedSettings(BackendSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A backend that can or must have a key. `api_key_env` names it; the engine resolves `key` at each call."""

    api_key_env: str = ""
    key: str = ""


S = TypeVar("S", bound=BackendSettings)


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """One result as one backend gave it. Only `url` is required; an absent field is left out, never invented."""

    url: str
    title: str | None = None
    snippet: str | None = None
    published: str | None = None
    """Raw text; resolved later against the engine's clock."""
    author: str | None = None
    families: tuple[str, ...] = ()
    """Index families that found it, where they differ from the backend's own."""


class Parsed(msgspec.Struct, frozen=True, kw_only=True):
    """What a response said. `empty` needs a positive sign; no hits without it is a format failure."""

    hits: tuple[Hit, ...] = ()
    answer: str | None = None
    citations: tuple[str, ...] = ()
    """Addresses the answer rests on; each is one of the hits'."""
    warnings: tuple[str, ...] = ()
    empty: bool = False
    failed: int = 0
    """Items asked for that the backend could not deliver, beside those it did: the outcome is partial."""
    unfinished: str = ""
    """Why this is not the whole answer, where `follow` may ask for the rest; the outcome is partial if it doesn't."""


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """How far each wish of a request is honoured."""

    max_results: Support = "local"
    recency: Support = "local"
    date_range: Support = "local"
    language: Support = "none"
    region: Support = "none"
    safe_search: Support = "none"
    include_domains: Support = "local"
    exclude_domains: Support = "local"


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """The vendor's own limit, kept by us: at most `burst` calls at once, then one each `interval_s` seconds."""

    interval_s: float = 0.0
    burst: int = 1


class Operation(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """One kind of request a backend serves. All functions are pure: no I/O, clock, logging or try/except.

    `markup` is for answers that may be HTML: its rows arrive in `response.page`. `html_text` says that titles
    and snippets of the JSON answer are HTML (entities, `<b>`), to be turned into text. `follow` tells what must be
    sent next for the answer to be whole, None when it is; each reply is parsed by itself and they are joined.
    `unmet` names wishes, as `filters` does, that this one request can't have honoured although `filters` has them,
    each with the reason. `wording` is the query as `build` sends it, never longer than `limit`. More than
    `most_results` never come of one call; 0: not known.
    """

    build: Callable[[SearchRequest, S], Request | McpCall]
    parse: Callable[[Response], Parsed]
    filters: Filters = Filters()
    markup: Markup | None = None
    html_text: bool = False
    follow: Callable[[Response, Request], Request | None] | None = None
    unmet: Callable[[SearchRequest], Mapping[str, str]] | None = None
    limit: QueryLimit = QueryLimit()
    most_results: int = 0
    wording: Callable[[SearchRequest], Wording] | None = None


class Docs(msgspec.Struct, frozen=True, kw_only=True):
    """For people: where the wire format is described, who gets the query, what it costs without a key."""

    url: str
    checked: str
    """The date the contract was last checked, ISO 8601."""
    receives: str
    """Who receives the query."""
    limits: str = ""
    get_key: str = ""


class Backend(msgspec.Struct, Generic[S], frozen=True, kw_only=True):
    """A search backend. A module of a package named by entry point group `fanseek.backends` exports one as BACKEND."""

    name: str
    family: str
    """The index behind it; two backends of one family are one voice."""
    settings: type[S]
    operations: Mapping[str, Operation[S]]
    docs: Docs
    cap_s: float = API
    """The most one call may take, in seconds: SCRAPED, API or MODEL."""
    pace: Pace = Pace()
    priority: int = 100
    """Ties go to the lower one."""
    needs: tuple[Literal["key"], ...] = ()
    costs_tokens: bool = False
    """Model-based: `auto` leaves it off."""
    classify: Callable[[Response], Failure | None] | None = None
    """Failures the generic table would get wrong; None leaves it to the table."""
    mimic: Mimic | None = None
    as_set: Callable[[S], Backend[S]] | None = None
    """The backend as its settings make it, where they change its operations, cap or cost."""

    def set_by(self, own: S) -> Backend[S]:
        """The backend that `own` asks for."""
        return self.as_set(own) if self.as_set else self


AnyBackend = Backend[Any]
AnyOperation = Operation[Any]
