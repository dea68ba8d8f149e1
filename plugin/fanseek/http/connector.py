"""How a new connection comes about: name, TCP, TLS."""

from __future__ import annotations

import ssl

import anyio
import httpx

from fanseek.http.connection import Connection, reason
from fanseek.http.dial import dial
from fanseek.http.parser import MakeParser
from fanseek.http.pool import Origin
from fanseek.http.tls import Sessions, client_context
from fanseek.http.wire import TLSWire, Wire


class Connector:
    """Opens connections; the TLS context is made at the first origin that needs it."""

    def __init__(self, *, ssl_context: ssl.SSLContext | None, trust_env: bool, make_parser: MakeParser) -> None:
        self._given = ssl_context
        self._trust_env = trust_env
        self._make_parser = make_parser
        self._context: ssl.SSLContext | None = None
        self._sessions = Sessions()

    async def connect(self, origin: Origin, timeout_s: float | None) -> Connection:
        """A new connection. Raises httpx.ConnectError and httpx.ConnectTimeout."""
        try:
            with anyio.move_on_after(timeout_s):
                return Connection(await self._wired(origin), self._make_parser)
        except (OSError, UnicodeError, anyio.ClosedResourceError) as problem:
            raise httpx.ConnectError(reason(f"cannot connect to {origin.host}", problem)) from problem
        raise httpx.ConnectTimeout(f"no connection to {origin.host} within {timeout_s} s")

    def learn(self, origin: Origin, connection: Connection) -> None:
        """Keep what makes the next handshake with `origin` shorter; TLS 1.3 tells it only after the handshake."""
        if isinstance(connection.wire, TLSWire):
            self._sessions.keep(origin, connection.wire.session)

    async def _wired(self, origin: Origin) -> Wire:
        connected = await dial(origin.host, origin.port)
        if origin.scheme == "http":
            return Wire(connected)
        try:
            if self._context is None:
                self._context = client_context(self._given, trust_env=self._trust_env)
            wire = TLSWire(connected, self._context, origin.name, self._sessions.get(origin))
        except BaseException:
            connected.close()
            raise
        try:
            await wire.handshake()
        except BaseException:
            wire.close()
            self._sessions.forget(origin)
            raise
        return wire
