"""One response of HTTP/1.1, read from bytes: what a parser library must give, and the rules both must keep."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from importlib.util import find_spec
from typing import Literal, NamedTuple

import httpx

MAX_BARREN = 65_536
"""Bytes a server may send without finishing a head or bringing a byte of body."""

BODILESS = frozenset({204, 304})


class Head(NamedTuple):
    """A final response's first line and headers; `version` is b"HTTP/1.1" or b"HTTP/1.0"."""

    status: int
    reason: bytes
    headers: list[tuple[bytes, bytes]]
    version: bytes


class ResponseParser(ABC):
    """Turns bytes into one head and the pieces of its body, still chunk-decoded only.

    Raises httpx.RemoteProtocolError for what is malformed or could be read in two ways: a second
    Content-Length, Content-Length beside Transfer-Encoding, any transfer coding but chunked, bare line feeds,
    folded lines, control characters.
    """

    __slots__ = ("_barren", "_head_only", "_until_close", "complete", "head", "keep_alive", "pieces", "surplus")

    def __init__(self, method: bytes) -> None:
        self.head: Head | None = None
        self.pieces: deque[bytes] = deque()
        self.complete = False
        self.keep_alive = False
        self.surplus = False
        """True when bytes came after the end of the response."""
        self._head_only = method == b"HEAD"
        self._until_close = False
        self._barren = 0

    def feed(self, data: bytes) -> None:
        """Take bytes from the server."""
        headless = self.head is None
        if headless and not self._barren and not data.startswith(b"H"):
            raise httpx.RemoteProtocolError("the server answered with something that is not HTTP/1.1")
        self._advance(data)
        if self.pieces or self.complete or headless != (self.head is None):
            self._barren = 0
        else:
            self._barren += len(data)
            if self._barren > MAX_BARREN:
                raise httpx.RemoteProtocolError(f"more than {MAX_BARREN} bytes of headers or framing")

    def end(self) -> None:
        """The server has closed: the end of a body that has no other end, else an error."""
        if not self._until_close:
            what = "without an answer" if self.head is None else "before the end of its answer"
            raise httpx.RemoteProtocolError(f"the server closed the connection {what}")
        self.complete = True

    @abstractmethod
    def _advance(self, data: bytes) -> None:
        """Parse `data`: call `_begin` at the final head, fill `pieces`, set `complete` and `surplus`."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the library's parser; no more is fed."""

    def _begin(self, head: Head) -> None:
        lengths, codings, close = self._declared(head)
        if len(lengths) > 1 or (lengths and codings):
            raise httpx.RemoteProtocolError("the response declares its length twice")
        if codings and [coding.strip().lower() for coding in codings] != [b"chunked"]:
            raise httpx.RemoteProtocolError("unsupported transfer coding")
        if head.version not in {b"HTTP/1.1", b"HTTP/1.0"} or head.status < 200:
            raise httpx.RemoteProtocolError(f"unexpected {head.version.decode('latin-1')} status {head.status}")
        empty = self._head_only or head.status in BODILESS
        self._until_close = not empty and not lengths and not codings
        self.keep_alive = not close and not self._until_close and head.version == b"HTTP/1.1"
        self.head = head

    @staticmethod
    def _declared(head: Head) -> tuple[list[bytes], list[bytes], bool]:
        """Every Content-Length, every Transfer-Encoding, and whether the connection will be closed."""
        lengths: list[bytes] = []
        codings: list[bytes] = []
        close = False
        for name, value in head.headers:
            match name.lower():
                case b"content-length":
                    lengths.append(value)
                case b"transfer-encoding":
                    codings.append(value)
                case b"connection":
                    close = close or b"close" in [option.strip() for option in value.lower().split(b",")]
        return lengths, codings, close


ParserName = Literal["auto", "h11", "httptools"]
MakeParser = Callable[[bytes], ResponseParser]


def choose_parser(name: ParserName = "auto") -> MakeParser:
    """What makes a parser for the answer to a request of the given method; auto takes httptools where it is installed.

    Raises ImportError when httptools is asked for by name and is not there.
    """
    if name == "httptools" or (name == "auto" and find_spec("httptools") is not None):
        from fanseek.http.parser_httptools import HttptoolsParser

        return HttptoolsParser
    from fanseek.http.parser_h11 import H11Parser

    return H11Parser
