"""Bytes as they arrive, cut into lines. A line that is too long costs no more memory than its beginning."""

from __future__ import annotations

import msgspec

HEAD = 512
"""Bytes that are kept of a line that is too long."""


class TooLong(msgspec.Struct, frozen=True):
    """A line of `size` bytes, which is over the limit; it began with `head`."""

    head: bytes
    size: int


Line = bytes | TooLong


class Splitter:
    """Cuts at line feeds alone, as JSON text has none; a carriage return before one is blank space to JSON."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._parts: list[bytes] = []
        self._size = 0
        self._head = b""

    def feed(self, chunk: bytes) -> list[Line]:
        """The lines that `chunk` completes."""
        *whole, begun = chunk.split(b"\n")
        lines = []
        for piece in whole:
            self._add(piece)
            lines.append(self._taken())
        self._add(begun)
        return lines

    def rest(self) -> list[Line]:
        """What was not ended by a line feed."""
        return [self._taken()] if self._size else []

    def _add(self, piece: bytes) -> None:
        if len(self._head) < HEAD:
            self._head += piece[: HEAD - len(self._head)]
        self._size += len(piece)
        if self._size <= self._longest:
            self._parts.append(piece)
        else:
            self._parts.clear()

    def _taken(self) -> Line:
        line = b"".join(self._parts) if self._size <= self._longest else TooLong(self._head, self._size)
        self._parts, self._size, self._head = [], 0, b""
        return line
