"""One request and its answer: a slot in the origin's lane, a connection, and the body as a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx

from fanseek.http.connection import Connection, Untouched
from fanseek.http.connector import Connector
from fanseek.http.parser import Head, ResponseParser
from fanseek.http.pool import Lane, Pool
from fanseek.http.rendering import Rendered
from fanseek.http.timeouts import Timeouts


class Exchange:
    """Holds a lane's slot from its making until the answer is read to its end or given up."""

    def __init__(self, *, pool: Pool, connector: Connector, lane: Lane, rendered: Rendered, timeouts: Timeouts) -> None:
        self._pool = pool
        self._connector = connector
        self._lane = lane
        self._rendered = rendered
        self._timeouts = timeouts
        self._connection: Connection | None = None
        self._parser: ResponseParser
        self.over = False

    async def begin(self) -> Head:
        """Send the request, read the head. A kept connection that dies unanswered is replaced by a new one, once."""
        kept = self._pool.take_idle(self._lane)
        if kept is not None:
            try:
                return await self._ask(kept)
            except Untouched:
                self._connection = None
                self._pool.drop(kept)
        fresh = await self._connector.connect(self._lane.origin, self._timeouts.connect)
        self._pool.adopt(fresh)
        try:
            head = await self._ask(fresh)
        except Untouched as death:
            raise death.failure from death
        self._connector.learn(self._lane.origin, fresh)
        return head

    async def _ask(self, connection: Connection) -> Head:
        self._connection = connection
        head, self._parser = await connection.ask(self._rendered, self._timeouts)
        if self._parser.complete:
            self._finish(connection)
        return head

    async def piece(self) -> bytes:
        """The next bytes of the body; b"" at its end."""
        parser = self._parser
        while True:
            if parser.pieces:
                return parser.pieces.popleft()
            if parser.complete:
                return b""
            if self._connection is None:
                raise httpx.ReadError("the response was closed before its end")
            try:
                await self._connection.more(parser, self._rendered, self._timeouts)
            except BaseException:
                self.abandon()
                raise
            if parser.complete and self._connection is not None:
                self._finish(self._connection)

    def abandon(self) -> None:
        """Give up what has not come yet; the connection is closed. Idempotent."""
        if self.over:
            return
        self.over = True
        if self._connection is not None:
            self._pool.drop(self._connection)
            self._connection = None
        self._pool.leave(self._lane)

    def _finish(self, connection: Connection) -> None:
        self.over = True
        self._connection = None
        self._pool.give_back(self._lane, connection)


class Body(httpx.AsyncByteStream):
    """A response's body as it came, still content-encoded. Raises httpx.TransportError."""

    def __init__(self, exchange: Exchange, request: httpx.Request) -> None:
        self._exchange = exchange
        self._request = request

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self

    async def __anext__(self) -> bytes:
        try:
            piece = await self._exchange.piece()
        except httpx.TransportError as problem:
            problem.request = self._request
            raise
        if not piece:
            raise StopAsyncIteration
        return piece

    async def aclose(self) -> None:
        """Let go of the connection, for good if the body was not read to its end."""
        self._exchange.abandon()
