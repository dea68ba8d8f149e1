"""A request as it goes over the wire; what could smuggle a second one is refused."""

from __future__ import annotations

import re
from typing import NamedTuple

import httpx

TOKEN = rb"[!#$%&'*+.^_`|~0-9A-Za-z-]++"
SOUND = re.compile(
    rb"%(token)b [\x21-\x7e]++ HTTP/1\.1\r\n(?:%(token)b: [\t\x20-\x7e\x80-\xff]*+\r\n)++" % {b"token": TOKEN}
)


class Rendered(NamedTuple):
    """A request in bytes."""

    method: bytes
    data: bytes
    """Head and body."""
    close: bool
    """Whether the request asks for the connection to be closed."""


def render(request: httpx.Request) -> Rendered:
    """`request` in bytes; its body was read. Raises httpx.LocalProtocolError for what HTTP/1.1 does not allow."""
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
        lines += (b"Host", b": ", request.url.netloc, b"\r\n")
    head = b"".join(lines)
    if not SOUND.fullmatch(head) or head.count(b"\n") != len(lines) // 4 or method == b"CONNECT":
        raise httpx.LocalProtocolError("the request's method, target or headers hold what HTTP/1.1 does not allow")
    body = _framed(request.content, seen.get(b"content-length"), seen.get(b"transfer-encoding"))
    return Rendered(method, head + b"\r\n" + body, close=b"close" in seen.get(b"connection", b"").lower())


def _framed(body: bytes, length: bytes | None, coding: bytes | None) -> bytes:
    if coding is None:
        if (length or b"0") != b"%d" % len(body):
            raise httpx.LocalProtocolError("the request's Content-Length is not the length of its body")
        return body
    if length is not None or coding.lower() != b"chunked":
        raise httpx.LocalProtocolError("the request's framing headers contradict each other")
    return b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if body else b"0\r\n\r\n"
