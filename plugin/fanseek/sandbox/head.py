"""HTTP/1.1 as a server sees it: request heads read, reply heads written. RFC 9112, the part that clients use."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import msgspec

HEAD_LIMIT = 65_536
BODY_LIMIT = 16 * 1024 * 1024
"""The most of a request that is read, in bytes."""


class BadRequest(Exception):  # noqa: N818 - what the client is told
    """A request that is no HTTP, or more than the limits allow. Answered with `status`, then the connection ends."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A request without its body. Header names are lower-case; `length` is None for a chunked body."""

    method: str
    target: str
    headers: Mapping[str, str]
    length: int | None
    keep_alive: bool
    expects: bool
    """Whether the client waits for 100 Continue before it sends the body."""


def head_of(raw: bytes) -> Head:
    """`raw` up to and without the blank line, read. Raises BadRequest."""
    first, *lines = raw.decode("latin-1").split("\r\n")
    method, target, version = _request_line(first)
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequest(400, "malformed header line")
        key = name.lower()
        value = value.strip()
        headers[key] = f"{headers[key]}, {value}" if key in headers else value
    connection = headers.get("connection", "").lower()
    return Head(
        method=method,
        target=target,
        headers=headers,
        length=_length(headers),
        keep_alive="close" not in connection and (version == "HTTP/1.1" or "keep-alive" in connection),
        expects=headers.get("expect", "").lower() == "100-continue",
    )


def _request_line(line: str) -> tuple[str, str, str]:
    method, _, rest = line.partition(" ")
    target, _, version = rest.rpartition(" ")
    if not method.isalpha() or not target or version not in {"HTTP/1.1", "HTTP/1.0"}:
        raise BadRequest(400, "malformed request line")
    if not target.startswith("/"):
        target = "/" + target.partition("://")[2].partition("/")[2]
    return method.upper(), target, version


def _length(headers: Mapping[str, str]) -> int | None:
    if "transfer-encoding" in headers:
        if headers["transfer-encoding"].lower() != "chunked" or "content-length" in headers:
            raise BadRequest(400, "unsupported transfer coding")
        return None
    value = headers.get("content-length", "0")
    if not (value.isascii() and value.isdigit()):
        raise BadRequest(400, "malformed Content-Length")
    if int(value) > BODY_LIMIT:
        raise BadRequest(413, "body too large")
    return int(value)


def reply_head(status: int, headers: Mapping[str, str]) -> bytes:
    """A reply's head, the blank line included."""
    lines = [_status_line(status)]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _status_line(status: int) -> str:
    try:
        return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"
    except ValueError:
        return f"HTTP/1.1 {status} Unknown"
