"""The parser on h11 (pure Python): it comes with httpx, so it is always there."""

from __future__ import annotations

import re

import h11
import httpx

from fanseek.http.parser import MAX_BARREN, Head, ResponseParser

SLOPPY = re.compile(rb"(?<!\r)\n|\r\n[ \t]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|(?i:\r\ncontent-length:[^\r]*,)")
LENGTH = re.compile(rb"(?i)\r\ncontent-length:")
"""What h11 lets pass or mends in a head and llhttp does not; a second Content-Length is among it."""


class H11Parser(ResponseParser):
    """Reads one response with h11, made as strict as the other parser."""

    __slots__ = ("_h11", "_raw")

    def __init__(self, method: bytes) -> None:
        super().__init__(method)
        self._h11 = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_BARREN)
        self._h11.send(h11.Request(method=method, target=b"/", headers=[(b"Host", b"-")]))
        self._h11.send(h11.EndOfMessage())
        self._raw = b""

    def _advance(self, data: bytes) -> None:
        if self.complete:
            self.surplus = True
            return
        if self.head is None:
            self._raw += data
        self._h11.receive_data(data)
        try:
            while self._take(self._h11.next_event()):
                pass
        except h11.RemoteProtocolError as problem:
            raise httpx.RemoteProtocolError(f"malformed response: {problem}") from None

    def _take(self, event: object) -> bool:
        """Keep what `event` brings; whether there may be more."""
        match event:
            case h11.Data(data=piece):
                self.pieces.append(bytes(piece))
            case h11.Response() | h11.InformationalResponse():
                self._inspect()
                if isinstance(event, h11.Response):
                    version = b"HTTP/" + event.http_version
                    self._begin(Head(event.status_code, event.reason, list(event.headers), version))
                    self._raw = b""
            case h11.EndOfMessage():
                self.complete = True
                self.surplus = bool(self._h11.trailing_data[0])
                return False
            case _:
                return False
        return True

    def _inspect(self) -> None:
        """Refuse a sloppy head, then drop it from the raw bytes."""
        head, end, self._raw = self._raw.partition(b"\r\n\r\n")
        if not end or SLOPPY.search(head) or len(LENGTH.findall(head)) > 1:
            raise httpx.RemoteProtocolError("malformed response: invalid line or character in the headers")

    def close(self) -> None:
        """Nothing holds on to it."""
