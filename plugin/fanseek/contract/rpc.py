"""JSON-RPC replies of MCP servers, as plain JSON or as a stream of server-sent events.

Specification: modelcontextprotocol.io, revision 2025-06-18, "Streamable HTTP"; WHATWG HTML, "Server-sent events".
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from fanseek.contract.wire import Rows, decode, present, rows

LINE_END = re.compile(r"\r\n|\r|\n")


class RpcError(msgspec.Struct, frozen=True):
    """A JSON-RPC error object."""

    code: int = 0
    message: str = ""


class Content(msgspec.Struct, frozen=True):
    """One block of a tool result; only text blocks carry text."""

    type: str = ""
    text: str = ""


class ToolResult(msgspec.Struct, frozen=True):
    """The result of `tools/call`."""

    content: list[Content] = []
    structured: msgspec.Raw = msgspec.Raw()
    is_error: bool = False
    meta: dict[str, Any] = {}

    @property
    def text(self) -> str:
        """All text blocks, joined by blank lines."""
        return "\n\n".join(block.text for block in self.content if block.type == "text" and block.text)


class _Result(
    msgspec.Struct,
    frozen=True,
    rename={"is_error": "isError", "structured": "structuredContent", "meta": "_meta"},
):
    """A tool result on the wire; a field or a block that is not as it should be costs only itself."""

    content: Rows = []
    structured: msgspec.Raw = msgspec.Raw()
    is_error: bool = False
    meta: dict[str, Any] = {}


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
        sent = rows([self.result], _Result) if present(self.result) else []
        if not sent:
            raise msgspec.DecodeError("the reply carries no result")
        result = sent[0]
        return ToolResult(rows(result.content, Content), result.structured, result.is_error, result.meta)


class _Frame(msgspec.Struct):
    """A message on the wire, its error as it came."""

    id: int | str | None = None
    method: str = ""
    result: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()


def reply_of(body: bytes, content_type: str = "") -> Message:
    """The first reply in `body`, whatever its id. Raises msgspec.DecodeError when there is none."""
    head = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if content_type == "text/event-stream" or (head[:1] not in (b"{", b"[") and content_type != "application/json"):
        frames = [raw for data in events(body) for raw in frames_of(data.encode())]
    else:
        frames = frames_of(body)
        if not frames:
            raise msgspec.DecodeError("not a JSON-RPC message")
    for raw in frames:
        message = message_of(raw)
        if message is not None and message.is_reply:
            return message
    raise msgspec.DecodeError("no JSON-RPC reply")


def frames_of(data: bytes) -> list[bytes]:
    """The JSON texts in `data`: one message, or the members of a batch; none where it is neither."""
    data = data.removeprefix(b"\xef\xbb\xbf").strip()
    if not data.startswith(b"["):
        return [data] if data.startswith(b"{") else []
    try:
        return [bytes(raw) for raw in decode(data, list[msgspec.Raw])]
    except msgspec.DecodeError:
        return []


def message_of(frame: bytes) -> Message | None:
    """`frame` as a message; None where it is none, which a stream may hold and a reader skips."""
    try:
        sent = decode(frame, _Frame)
        said = decode(sent.error, object) if present(sent.error) else None
    except msgspec.DecodeError:
        return None
    error = next(iter(rows([sent.error], RpcError)), RpcError(message=str(said)[:400])) if said is not None else None
    return Message(sent.id, sent.method, sent.result, error)


def events(body: bytes) -> Iterator[str]:
    """The data of every event in a whole stream, an unterminated last one included."""
    stream = EventStream()
    yield from stream.feed(body)
    yield from stream.end()


class EventStream:
    """Incremental reader of a text/event-stream: bytes in, the data of each complete event out.

    Lines end in CR, LF or CRLF, also cut between chunks; a leading byte-order mark and comments are skipped.
    Its cost is linear in the bytes fed, however they are cut.
    """

    def __init__(self) -> None:
        self.last_id = ""
        """The id of the latest complete event that had one: where to resume."""
        self.retry_ms: int | None = None
        """How long the server wants a reader to wait before it resumes, in milliseconds."""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._started = False
        self._after_cr = False
        self._line_parts: list[str] = []
        self._data: list[str] = []
        self._id: str | None = None

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The data of every event completed by `chunk`."""
        return self._lines(self._decoder.decode(chunk))

    def end(self) -> Iterator[str]:
        """What the stream's end completes: an event whose blank line never came."""
        yield from self._lines(self._decoder.decode(b"", final=True))
        yield from self._lines("\n\n")

    def _lines(self, text: str) -> Iterator[str]:
        if not text:
            return
        if not self._started:
            self._started = True
            text = text.removeprefix("\ufeff")
        if self._after_cr:
            text = text.removeprefix("\n")
        self._after_cr = text.endswith("\r")
        *lines, rest = LINE_END.split(text)
        for line in lines:
            data = self._line("".join((*self._line_parts, line)))
            self._line_parts.clear()
            if data:
                yield data
        if rest:
            self._line_parts.append(rest)

    def _line(self, line: str) -> str:
        """Take one line; the event's data when it was the blank one that ends it, else nothing."""
        if not line:
            self.last_id = self.last_id if self._id is None else self._id
            data, self._data, self._id = "\n".join(self._data), [], None
            return data
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry_ms = int(value[:9])
        return ""
