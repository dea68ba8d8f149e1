"""What a fault makes of a reply itself: its status, headers and body. How it travels is `travel`'s."""

from __future__ import annotations

from functools import singledispatch

import msgspec

from fanseek.contract import Asked, Reply
from fanseek.sandbox import faults as f
from fanseek.sandbox.mcp import SESSION, SESSION_LOST, McpUpstream, failure
from fanseek.sandbox.upstream import EVENTS, Upstream

TEXT = "text/plain; charset=utf-8"
HTML = "text/html; charset=utf-8"
CHALLENGE = b"""<!DOCTYPE html><html lang="en"><head><title>Just a moment...</title></head><body>
<h1>Checking your browser</h1><form id="challenge-form" action="/cdn-cgi/challenge" method="post"></form>
</body></html>
"""


def altered(fault: f.Fault | None, upstream: Upstream, asked: Asked, trap: str) -> Reply:
    """The reply to `asked` as `fault` has it; the backend's own body for that fault goes first."""
    what = fault.what if isinstance(fault, f.Own) else fault.name if fault else ""
    own = upstream.own(asked, what)
    if own is None:
        return _reply(fault, upstream, asked, trap)
    if isinstance(fault, f.RateLimit) and fault.retry_after and own.status == 429:
        return msgspec.structs.replace(own, headers={**own.headers, "retry-after": fault.retry_after})
    return own


@singledispatch
def _reply(fault: f.Fault | None, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    return upstream.reply(asked)


@_reply.register
def _(fault: f.Http, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    return Reply(
        status=fault.status,
        headers={"retry-after": fault.retry_after} if fault.retry_after else {},
        body=fault.body.encode(),
        content_type=fault.content_type,
    )


@_reply.register
def _(fault: f.RateLimit, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    headers = {"retry-after": fault.retry_after} if fault.retry_after else {}
    return Reply(status=429, headers=headers, body=b"Too Many Requests\n", content_type=TEXT)


@_reply.register
def _(fault: f.Captcha, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    return Reply(status=403, headers={"cf-mitigated": "challenge"}, body=CHALLENGE, content_type=HTML)


@_reply.register
def _(fault: f.Redirect, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    return Reply(status=fault.status, headers={"location": fault.to or trap})


@_reply.register
def _(fault: f.Empty, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    return upstream.empty(asked)


@_reply.register
def _(fault: f.Malformed, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    good = upstream.reply(asked)
    noise = bytes(number * 167 % 256 for number in range(997))
    body = noise if fault.shape == "garbage" else good.body[: len(good.body) * 3 // 5]
    return msgspec.structs.replace(good, body=body)


@_reply.register
def _(fault: f.WrongType, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    return msgspec.structs.replace(upstream.reply(asked), content_type=fault.content_type)


@_reply.register
def _(fault: f.Nested, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    good = upstream.reply(asked)
    return msgspec.structs.replace(good, body=nested(good.content_type, fault.depth))


@_reply.register
def _(fault: f.McpSessionLoss, upstream: Upstream, asked: Asked, trap: str) -> Reply:  # noqa: ARG001
    if not isinstance(upstream, McpUpstream):
        return upstream.reply(asked)
    upstream.forget(asked.headers.get(SESSION, ""))
    return failure(404, SESSION_LOST, "Session not found")


def nested(content_type: str, depth: int) -> bytes:
    """A document of that media type, `depth` deep."""
    if "html" in content_type:
        return b"<html><body>" + b"<div>" * depth + b"x"
    deep = b"[" * depth + b"]" * depth
    return b"event: message\ndata: %b\n\n" % deep if content_type.startswith(EVENTS) else deep
