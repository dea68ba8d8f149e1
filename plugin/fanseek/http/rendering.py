"""A request as it goes over the wire; what could smuggle a second one is refused."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from typing import NamedTuple

import httpx

TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
SOUND = re.compile(
    rb"%(token)b [\x21-\x7e]++ HTTP/1\.1\r\n(?:%(token)b: [\t\x20-\x7e\x80-\xff]*+\r\n)++" % {b"token": TOKEN}
)


class Rendered(NamedTuple):
    """A request in bytes."""

    method: bytes
    opening: bytes
    """The head, with the body behind it where that is in memory."""
    rest: AsyncIterator[bytes] | None
    """The framed pieces of a streamed body; None when `opening` is everything and can be sent again."""
    close: bool
    """Whether the request asks for the connection to be closed."""


def render(request: httpx.Request) -> Rendered:
    """`request` in bytes. Raises httpx.LocalProtocolError for a head or framing that HTTP/1.1 does not allow."""
    method = request.method.encode("ascii", errors="replace")
    target = request.extensions.get("target", request.url.raw_path)
    headers = request.headers.raw
    lines = [method, b" ", target, b" HTTP/1.1\r\n"]
    seen: dict[bytes, bytes] = {}
    for name, value in headers:
        lines += (name, b": ", value, b"\r\n")
        lowered = name.lower()
        if lowered in seen and lowered in {b"host", b"content-length", b"transfer-encoding"}:
            raise httpx.LocalProtocolError(f"the request has two {lowered.decode()} headers")
        seen[lowered] = value
    if b"host" not in seen:
        lines += (b"Host: ", request.url.netloc, b"\r\n")
    head = b"".join(lines)
    if not SOUND.fullmatch(head) or method == b"CONNECT":
        raise httpx.LocalProtocolError("the request's method, target or headers hold what HTTP/1.1 does not allow")
    opening, rest = _framed(request, head + b"\r\n", seen.get(b"content-length"), seen.get(b"transfer-encoding"))
    return Rendered(method, opening, rest, close=b"close" in seen.get(b"connection", b"").lower())


def _framed(
    request: httpx.Request, head: bytes, length: bytes | None, coding: bytes | None
) -> tuple[bytes, AsyncIterator[bytes] | None]:
    if length is not None and (coding is not None or not length.isdigit()):
        raise httpx.LocalProtocolError("the request's framing headers contradict each other")
    if coding is not None and coding.lower() != b"chunked":
        raise httpx.LocalProtocolError("only the chunked transfer coding can be sent")
    if not isinstance(request.stream, httpx.AsyncByteStream):
        raise httpx.LocalProtocolError("the request's body cannot be read asynchronously")
    if coding is not None:
        return head, _chunked(request.stream)
    if not isinstance(request.stream, httpx.ByteStream):
        return head, _counted(request.stream, int(length or 0))
    body = b"".join(request.stream)
    if len(body) != int(length or 0):
        raise httpx.LocalProtocolError("the request's Content-Length is not the length of its body")
    return head + body, None


async def _chunked(stream: httpx.AsyncByteStream) -> AsyncIterator[bytes]:
    async for piece in stream:
        if piece:
            yield b"%x\r\n%b\r\n" % (len(piece), piece)
    yield b"0\r\n\r\n"


async def _counted(stream: httpx.AsyncByteStream, length: int) -> AsyncIterator[bytes]:
    async for piece in stream:
        length -= len(piece)
        if length < 0:
            break
        yield piece
    if length:
        raise httpx.LocalProtocolError("the request's Content-Length is not the length of its body")
