"""The parser on httptools (llhttp, in C): about free, but not among the mandatory packages."""

from __future__ import annotations

import httptools
import httpx

from fanseek.http.parser import Head, ResponseParser


class HttptoolsParser(ResponseParser):
    """Reads one response with llhttp, strict except for blanks after a chunk's size, which old servers pad with."""

    __slots__ = ("_chunked", "_headers", "_interim", "_llhttp", "_reason", "_run", "_tail")

    def __init__(self, method: bytes) -> None:
        super().__init__(method)
        self._headers: list[tuple[bytes, bytes]] = []
        self._reason = b""
        self._interim = False
        self._chunked = False
        self._run = 0
        self._tail = b""
        self._llhttp = httptools.HttpResponseParser(self)
        self._llhttp.set_dangerous_leniencies(lenient_spaces_after_chunk_size=True)

    def _advance(self, data: bytes) -> None:
        if self.complete:
            self.surplus = self.surplus or bool(data)
            return
        body, self._run = len(self.pieces), 0
        try:
            self._llhttp.feed_data(data)
        except httptools.HttpParserUpgrade:
            raise httpx.RemoteProtocolError("the server switched protocols unasked") from None
        except httptools.HttpParserError as problem:
            if self.complete:
                self.surplus = True
                return
            if isinstance(problem.__context__, httpx.RemoteProtocolError):
                raise problem.__context__ from None
            raise httpx.RemoteProtocolError(f"malformed response: {problem}") from None
        self._tail = (self._tail + data)[-5:]
        if self.complete and not self.surplus:
            self.surplus = self._overrun(data, has_body=len(self.pieces) > body)

    def _overrun(self, data: bytes, *, has_body: bool) -> bool:
        """Whether line ends follow the response in `data`; llhttp passes over those in silence."""
        if has_body and not self._chunked:
            return len(data) - len(data.rstrip(b"\r\n")) > self._run
        return not self._tail.endswith(b"\r\n\r\n") or self._tail == b"\n\r\n\r\n"

    def close(self) -> None:
        """Break the circle of callbacks, so that nothing waits for the garbage collector."""
        del self._llhttp

    def on_message_begin(self) -> None:
        """Callback: a message's first byte."""
        if self.complete:
            self.surplus = True

    def on_status(self, reason: bytes) -> None:
        """Callback: the reason phrase, perhaps in parts."""
        if not self.complete:
            self._reason += reason

    def on_header(self, name: bytes, value: bytes) -> None:
        """Callback: a header, or a trailer, which is dropped."""
        if self.head is None:
            self._headers.append((name, value.rstrip(b" \t")))

    def on_headers_complete(self) -> None:
        """Callback: the head is there."""
        if self.complete:
            return
        status = self._llhttp.get_status_code()
        self._interim = 100 <= status < 200 and status != 101
        if self._interim:
            return
        version = b"HTTP/" + self._llhttp.get_http_version().encode()
        self._run = len(b"\r\n\r\n")
        self._chunked = any(name.lower() == b"transfer-encoding" for name, _ in self._headers)
        self._begin(Head(status, self._reason, self._headers, version))
        self.complete = self._head_only

    def on_body(self, piece: bytes) -> None:
        """Callback: some of the body."""
        if self.complete:
            self.surplus = True
        else:
            self.pieces.append(piece)
            solid = len(piece.rstrip(b"\r\n"))
            self._run = len(piece) - solid if solid else self._run + len(piece)

    def on_message_complete(self) -> None:
        """Callback: the end of the response, or of an interim one."""
        if self._interim:
            self._interim = False
            self._headers = []
            self._reason = b""
        else:
            self.complete = True
