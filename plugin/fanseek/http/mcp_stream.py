"""The reply to one JSON-RPC request, found in whatever an MCP server answers with.

Specification: modelcontextprotocol.io, revisions 2025-03-26 to 2025-11-25, "Streamable HTTP".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fanseek.contract.rpc import EventStream, Message, events, frames_of, message_of
from fanseek.errors import BackendError

if TYPE_CHECKING:
    import httpx

EVENT_FIELD = re.compile(rb"\s*(?:(?:data|event|id|retry)\s*:|:)")
CHALLENGE = re.compile(rb"just a moment|captcha|challenge-platform|are you (?:a )?human", re.IGNORECASE)
RESUME_S = 0.2
"""How long to wait before resuming where the server does not say."""
SHORTEST_RESUME_S = 0.05


class OpenStream:
    """A response read piece by piece, decoded, at most `limit` bytes of it."""

    def __init__(self, response: httpx.Response, limit: int) -> None:
        from fanseek.http.inflate import decoder_of

        self._response = response
        self._pieces = aiter(response.stream)  # type: ignore[arg-type]  # these transports stream asynchronously
        self._decoder = decoder_of(response.headers)
        self._limit = limit
        self._room = limit

    async def piece(self) -> bytes | None:
        """The next bytes, which may be none; None at the end. Raises BodyError, httpx.TransportError."""
        from fanseek.http.inflate import BodyTooLarge

        encoded = await anext(self._pieces, None)
        if encoded is None:
            return None
        part = self._decoder.feed(encoded, self._room)
        self._room -= len(part)
        if self._room < 0:
            raise BodyTooLarge(self._limit)
        return part

    async def drain(self) -> None:
        """Read to the end, so that the connection can be used again."""
        try:
            while await self.piece() is not None:
                pass
        finally:
            await self.aclose()

    async def aclose(self) -> None:
        """Let go of the connection."""
        await self._response.aclose()


class Awaited:
    """What is being waited for: one request's reply, over as many streams as it takes."""

    def __init__(self, request_id: int, *, limit: int, asked: Callable[[Message], None]) -> None:
        self.id = request_id
        self._limit = limit
        self._asked = asked
        self.last_id = ""
        self.resume_s = RESUME_S
        self.rest: OpenStream | None = None
        """The stream that brought the reply and has not ended yet; its reader closes it."""

    def matches(self, message: Message, *, alone: bool) -> bool:
        """Whether `message` is the reply; an error without an id can only be that, where nothing else was sent."""
        if not message.is_reply:
            return False
        return str(message.id) == str(self.id) or (message.id is None and message.error is not None and alone)

    async def reply(self, response: httpx.Response) -> bytes | None:
        """The reply's JSON text; None when a stream ended before it came. Raises BackendError for anything else."""
        from fanseek.http.inflate import read_body

        if media_type(response) == "text/event-stream":
            return await self._in_stream(response)
        body = await read_body(response, self._limit)
        if "html" in media_type(response) or body[:256].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
            raise _page(response, body)
        if EVENT_FIELD.match(body) and media_type(response) != "application/json":
            frames = [frame for data in events(body) for frame in frames_of(data.encode())]
        else:
            frames = frames_of(body)
        found = self._among(frames, alone=len(frames) == 1)
        if found is None:
            raise BackendError("format", f"no JSON-RPC reply in the answer ({_described(response, body)})")
        return found

    async def _in_stream(self, response: httpx.Response) -> bytes | None:
        import httpx

        stream, pieces = EventStream(), OpenStream(response, self._limit)
        try:
            while (piece := await pieces.piece()) is not None:
                found = self._among_events(stream.feed(piece))
                self._note(stream)
                if found is not None:
                    self.rest = pieces
                    return found
        except httpx.TransportError:
            if not self.last_id:
                raise
        finally:
            if self.rest is None:
                await pieces.aclose()
        found = self._among_events(stream.end())
        self._note(stream)
        return found

    def _among_events(self, found: Iterator[str]) -> bytes | None:
        for data in found:
            reply = self._among(frames_of(data.encode()), alone=True)
            if reply is not None:
                return reply
        return None

    def _among(self, frames: list[bytes], *, alone: bool) -> bytes | None:
        for frame in frames:
            message = message_of(frame)
            if message is None:
                continue
            if self.matches(message, alone=alone):
                return frame
            if message.method and message.id is not None:
                self._asked(message)
        return None

    def _note(self, stream: EventStream) -> None:
        self.last_id = stream.last_id or self.last_id
        if stream.retry_ms is not None:
            self.resume_s = max(stream.retry_ms / 1000, SHORTEST_RESUME_S)


def media_type(response: httpx.Response) -> str:
    """The content type without parameters, lower-case."""
    return str(response.headers.get("content-type", "")).partition(";")[0].strip().lower()


def _described(response: httpx.Response, body: bytes) -> str:
    named = response.headers.get("content-type", "")[:80] or "no content type"
    return f"HTTP {response.status_code}, {named}, {len(body)} bytes"


def _page(response: httpx.Response, body: bytes) -> BackendError:
    named = response.headers.get("content-type", "")[:80] or "no content type"
    if response.headers.get("cf-mitigated") == "challenge" or CHALLENGE.search(body[:20_000]):
        return BackendError("blocked", f"a bot challenge came instead of a JSON-RPC reply (content type {named})")
    return BackendError("format", f"a web page came instead of a JSON-RPC reply (content type {named})")
