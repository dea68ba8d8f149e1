"""One connection to one origin: exchanges, one after the other."""

from __future__ import annotations

import math
from contextlib import nullcontext

import anyio
import httpx

from fanseek.http.parser import Head, MakeParser, ResponseParser
from fanseek.http.rendering import Rendered
from fanseek.http.timeouts import Timeouts, binding
from fanseek.http.wire import Wire


class Untouched(Exception):  # noqa: N818 - a state, not a slip
    """The connection died before the first byte of an answer; `failure` is what that means for the caller."""

    def __init__(self, failure: httpx.TransportError) -> None:
        super().__init__(str(failure))
        self.failure = failure


class Connection:
    """A wire and the parser of the answer that is coming. Closing it needs no await and is idempotent."""

    __slots__ = ("_make_parser", "_parser", "idle_since", "reusable", "wire")

    def __init__(self, wire: Wire, make_parser: MakeParser) -> None:
        self.wire = wire
        self.idle_since = -math.inf
        self.reusable = False
        """Whether the last exchange ended so that another may follow."""
        self._make_parser = make_parser
        self._parser: ResponseParser | None = None

    async def ask(self, rendered: Rendered, timeouts: Timeouts) -> tuple[Head, ResponseParser]:
        """Send the request and read as far as the answer's head.

        Raises Untouched when nothing at all came back, else httpx.TransportError.
        """
        self.reusable = False
        parser = self._parser = self._make_parser(rendered.method)
        unsent = await self._send(rendered, timeouts)
        touched = False
        while parser.head is None:
            try:
                data = await self._receive(timeouts.read)
            except httpx.ReadError as problem:
                raise problem if touched else Untouched(unsent or problem) from problem
            if not data and not touched:
                raise Untouched(unsent or httpx.RemoteProtocolError("the server closed the connection unanswered"))
            self._digest(parser, data, rendered)
            touched = True
        return parser.head, parser

    async def more(self, parser: ResponseParser, rendered: Rendered, timeouts: Timeouts) -> None:
        """Read once more of the body. Raises httpx.TransportError."""
        self._digest(parser, await self._receive(timeouts.read), rendered)

    def _digest(self, parser: ResponseParser, data: bytes, rendered: Rendered) -> None:
        if data:
            parser.feed(data)
        else:
            parser.end()
        if parser.complete:
            self.reusable = parser.keep_alive and not parser.surplus and not rendered.close
            parser.close()
            self._parser = None

    async def _send(self, rendered: Rendered, timeouts: Timeouts) -> httpx.WriteError | None:
        """Write the request. A peer that stops listening may have answered already, so that error is kept for later."""
        try:
            with anyio.move_on_after(timeouts.write) if binding(timeouts.write) else nullcontext():
                await self.wire.send(rendered.data)
                return None
        except (OSError, anyio.ClosedResourceError) as problem:
            return httpx.WriteError(reason("sending the request failed", problem))
        raise httpx.WriteTimeout(f"the server took no more of the request for {timeouts.write} s")

    async def _receive(self, timeout_s: float | None) -> bytes:
        try:
            if not binding(timeout_s):
                return await self.wire.receive()
            with anyio.move_on_after(timeout_s):
                return await self.wire.receive()
        except (OSError, anyio.ClosedResourceError) as problem:
            raise httpx.ReadError(reason("the connection broke", problem)) from problem
        raise httpx.ReadTimeout(f"the server sent nothing for {timeout_s} s")

    def close(self) -> None:
        """Close the socket."""
        self.reusable = False
        self.wire.close()
        if self._parser is not None:
            self._parser.close()
            self._parser = None


def reason(what: str, problem: BaseException) -> str:
    """`what` and the system's word for it, which never holds anything of the request."""
    detail = problem.strerror if isinstance(problem, OSError) else None
    return f"{what}: {detail}" if detail else what
