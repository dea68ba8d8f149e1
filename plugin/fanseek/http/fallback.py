"""The transport that httpx brings, for proxies and HTTP/2, made to let go of what is left unread."""

from __future__ import annotations

import contextlib
import ssl
from collections.abc import AsyncIterator

import anyio
import httpx

LETTING_GO_S = 0.5
IDLE = httpx.Limits(max_connections=None, max_keepalive_connections=32, keepalive_expiry=30.0)


class Fallback(httpx.AsyncBaseTransport):
    """httpx's AsyncHTTPTransport through `proxy`, a URL, or directly."""

    def __init__(self, *, proxy: str | None, ssl_context: ssl.SSLContext | None, http2: bool) -> None:
        self._transport = httpx.AsyncHTTPTransport(
            verify=True if ssl_context is None else ssl_context, http2=http2, limits=IDLE, proxy=proxy
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request and give its answer as soon as the head is there."""
        response = await self._transport.handle_async_request(request)
        if isinstance(response.stream, httpx.AsyncByteStream):
            response.stream = Rest(response.stream)
        return response

    async def aclose(self) -> None:
        """Close every connection."""
        await self._transport.aclose()


class Rest(httpx.AsyncByteStream):
    """A body that can be left at any piece.

    httpcore nests asynchronous generators, and closing the outermost leaves the others to the garbage collector.
    Here the connection is closed first and the generators then run to their end.
    """

    def __init__(self, stream: httpx.AsyncByteStream) -> None:
        self._stream = stream
        self._pieces: AsyncIterator[bytes] | None = None
        self._over = False

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        if self._pieces is None:
            self._pieces = aiter(self._stream)
        try:
            return await anext(self._pieces)
        except BaseException:
            self._over = True
            raise

    async def aclose(self) -> None:
        """Let go of the connection; it is kept where the body was read to its end."""
        with anyio.CancelScope(shield=True, deadline=anyio.current_time() + LETTING_GO_S):
            await self._stream.aclose()
            if self._pieces is not None and not self._over:
                with contextlib.suppress(Exception):
                    async for _ in self._pieces:
                        pass
        self._over = True
