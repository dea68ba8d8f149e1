"""A response's body, decoded, and never more of it in memory than allowed."""

from __future__ import annotations

import zlib
from typing import Any, Protocol

import httpx

ACCEPT_ENCODING = "gzip, deflate"
"""What requests advertise, because it is what `read_body` understands."""

SLACK = 65_536
"""Encoded bytes allowed over the limit: headers and incompressible blocks make encoded data longer than plain."""

MAX_EMPTY_MEMBERS = 16
GZIP = zlib.MAX_WBITS | 16
GZIP_MAGIC = 0x1F


class BodyError(Exception):
    """A body that cannot be had whole."""


class BodyTooLarge(BodyError):  # noqa: N818 - the name says it
    """The decoded body is longer than `limit` bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the response is larger than {limit} bytes")
        self.limit = limit


class CodingError(BodyError):
    """The body's content coding is unknown, stacked, broken or cut short."""


class Decoder(Protocol):
    """Plain bytes out of encoded ones; `feed` gives at most `room` + 1 of them."""

    def feed(self, data: bytes, room: int) -> bytes:
        """What `data` adds. Raises CodingError."""

    def end(self) -> None:
        """No more is coming. Raises CodingError when more was to come."""


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """The whole body, decoded, and the response closed.

    Raises BodyTooLarge as soon as it is certain, CodingError, and httpx.TransportError.
    """
    try:
        return await _read(response, limit)
    finally:
        await response.aclose()


async def _read(response: httpx.Response, limit: int) -> bytes:
    decoder: Decoder | None = None
    parts: list[bytes] = []
    room, wire_room = limit, limit + SLACK
    async for data in response.stream:  # type: ignore[union-attr]  # a transport of ours streams asynchronously
        if decoder is None:
            decoder = decoder_of(response.headers)
        wire_room -= len(data)
        plain = decoder.feed(data, room)
        room -= len(plain)
        if room < 0 or wire_room < 0:
            raise BodyTooLarge(limit)
        parts.append(plain)
    if decoder is not None:
        decoder.end()
    return b"".join(parts)


def decoder_of(headers: httpx.Headers) -> Decoder:
    """The decoder that Content-Encoding asks for. Raises CodingError for an unknown one and for more than one."""
    named = headers.get_list("content-encoding", split_commas=True)
    codings = [coding for coding in (name.strip().lower() for name in named) if coding not in {"", "identity"}]
    match codings:
        case []:
            return Identity()
        case ["gzip" | "x-gzip"]:
            return Gzip()
        case ["deflate"]:
            return Deflate()
        case _:
            raise CodingError(f"cannot read content coding {', '.join(codings)[:60]!r}")


class Identity:
    """A body that is not encoded."""

    def feed(self, data: bytes, room: int) -> bytes:
        """`data` itself."""
        del room
        return data

    def end(self) -> None:
        """Framing alone says where it ends."""


class Gzip:
    """RFC 1952, any number of members; bytes behind the last that are no member are ignored."""

    def __init__(self) -> None:
        self._member: Any = zlib.decompressobj(GZIP)
        self._empty_members = 0
        self._trailing = False

    def feed(self, data: bytes, room: int) -> bytes:
        """What `data` adds."""
        parts = []
        while data and not self._trailing and room >= 0:
            piece = _inflated(self._member, data, room + 1)
            parts.append(piece)
            room -= len(piece)
            data = self._member.unused_data
            if self._member.eof and data:
                self._open_next(data, empty=not piece)
        return b"".join(parts)

    def end(self) -> None:
        """The last member must be whole."""
        if not self._member.eof:
            raise CodingError("the gzip body is cut short")

    def _open_next(self, data: bytes, *, empty: bool) -> None:
        self._trailing = data[0] != GZIP_MAGIC
        self._empty_members += empty
        if self._empty_members > MAX_EMPTY_MEMBERS:
            raise CodingError("the gzip body is made of empty members")
        if not self._trailing:
            self._member = zlib.decompressobj(GZIP)


class Deflate:
    """RFC 1950, or RFC 1951 bare as some servers send it; bytes behind its end are ignored."""

    def __init__(self) -> None:
        self._stream: Any = None
        self._first = b""

    def feed(self, data: bytes, room: int) -> bytes:
        """What `data` adds."""
        if self._stream is None:
            data = self._first + data
            if len(data) < 2:
                self._first = data
                return b""
            wrapped = data[0] & 0x0F == zlib.DEFLATED and int.from_bytes(data[:2], "big") % 31 == 0
            self._stream = zlib.decompressobj(zlib.MAX_WBITS if wrapped else -zlib.MAX_WBITS)
        return b"" if self._stream.eof else _inflated(self._stream, data, room + 1)

    def end(self) -> None:
        """The stream must be whole."""
        if self._stream is None or not self._stream.eof:
            raise CodingError("the deflate body is cut short")


def _inflated(stream: Any, data: bytes, at_most: int) -> bytes:
    try:
        return bytes(stream.decompress(data, at_most))
    except zlib.error as problem:
        raise CodingError(f"the body is not what its content coding says: {problem}") from None
