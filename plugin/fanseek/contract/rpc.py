"""JSON-RPC replies of MCP servers, as plain JSON or as a stream of server-sent events.

Specification: modelcontextprotocol.io, revision 2025-06-18, "Streamable HTTP"; WHATWG HTML, "Server-sent events".
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

import msgspec

from fanseek.contract.wire import decode, present


class RpcError(msgspec.Struct, frozen=True):
    """A JSON-RPC error object."""

    code: int = 0
    message: str = ""


class Content(msgspec.Struct, frozen=True):
    """One block of a tool result; only text blocks carry text."""

    type: str = ""
    text: str = ""


class ToolResult(
    msgspec.Struct,
    frozen=True,
    rename={"is_error": "isError", "structured": "structuredContent", "meta": "_meta"},
):
    """The result of `tools/call`."""

    content: list[Content] = []
    structured: msgspec.Raw = msgspec.Raw()
    is_error: bool = False
    meta: dict[str, Any] = {}

    @property
    def text(self) -> str:
        """All text blocks, joined by blank lines."""
        return "\n\n".join(block.text for block in self.content if block.type == "text" and block.text)


class Message(msgspec.Struct, frozen=True):
    """A JSON-RPC message; a reply has `result` or `error`, anything else has `method`."""

    id: int | str | None = None
    method: str = ""
    result: msgspec.Raw = msgspec.Raw()
    error: RpcError | None = None

    @property
    def is_reply(self) -> bool:
        """Whether this ends a request: it carries a result or an error and is no request itself."""
        return not self.method and (present(self.result) or self.error is not None)

    @property
    def tool(self) -> ToolResult:
        """The tool result this reply carries. Raises msgspec.DecodeError when it carries none."""
        if not present(self.result):
            raise msgspec.DecodeError("the reply carries no result")
        return decode(self.result, ToolResult)


def reply_of(body: bytes, content_type: str = "") -> Message:
    """The first reply in `body`, whatever its id. Raises msgspec.DecodeError when there is none."""
    head = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if content_type == "text/event-stream" or (head[:1] not in (b"{", b"[") and content_type != "application/json"):
        for data in events(body):
            message = decode(data.encode(), Message)
            if message.is_reply:
                return message
        raise msgspec.DecodeError("the stream ended without a reply")
    message = decode(body, Message)
    if not message.is_reply:
        raise msgspec.DecodeError("not a JSON-RPC reply")
    return message


def events(body: bytes) -> Iterator[str]:
    """The data of every event in a whole stream, an unterminated last one included."""
    stream = EventStream()
    yield from stream.feed(body)
    yield from stream.end()


class EventStream:
    """Incremental reader of a text/event-stream: bytes in, the data of each complete event out.

    Lines end in CR, LF or CRLF, also cut between chunks; a leading byte-order mark and comments are skipped.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._buffer = ""
        self._data: list[str] = []
        self._started = False

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The data of every event completed by `chunk`."""
        self._buffer += self._decoder.decode(chunk)
        if not self._started and self._buffer:
            self._buffer = self._buffer.removeprefix("\ufeff")
            self._started = True
        yield from self._lines(final=False)

    def end(self) -> Iterator[str]:
        """What the stream's end completes: an event whose blank line never came."""
        self._buffer += self._decoder.decode(b"", final=True)
        yield from self._lines(final=True)
        if self._data:
            yield "\n".join(self._data)
            self._data = []

    def _lines(self, *, final: bool) -> Iterator[str]:
        start = 0
        text = self._buffer
        while True:
            ends = [at for at in (text.find("\n", start), text.find("\r", start)) if at >= 0]
            if not ends:
                break
            at = min(ends)
            if text[at] == "\r" and at + 1 == len(text) and not final:
                break
            line = text[start:at]
            start = at + (2 if text[at : at + 2] == "\r\n" else 1)
            if (data := self._line(line)) is not None:
                yield data
        self._buffer = text[start:]
        if final and self._buffer:
            self._line(self._buffer)
            self._buffer = ""

    def _line(self, line: str) -> str | None:
        """Take one line; the event's data when it was the blank one that ends it."""
        if not line:
            data, self._data = self._data, []
            return "\n".join(data) if data else None
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        return None
