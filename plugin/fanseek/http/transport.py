"""HTTP/1.1 under httpx's face, a keep-alive pool for each origin."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable

import httpx

from fanseek.http.connector import Connector
from fanseek.http.exchange import Body, Exchange
from fanseek.http.parser import ParserName, choose_parser
from fanseek.http.pool import Origin, Pool
from fanseek.http.rendering import render
from fanseek.http.timeouts import Timeouts

DEFAULT_PORTS = {"http": 80, "https": 443}


class Transport(httpx.AsyncBaseTransport):
    """Sends httpx requests; an answer's stream is the body as it came, still content-encoded.

    Raises httpx's own exceptions. Times in seconds, None is no limit; httpx's `timeout` extension overrides them
    (but for `pool`: waiting for a slot has no limit of its own), `sni_hostname` and `target` are understood.
    Cancelling at any moment closes the socket.
    """

    def __init__(
        self,
        *,
        connect_timeout_s: float | None = 3.0,
        read_timeout_s: float | None = 10.0,
        keepalive_s: float = 30.0,
        max_idle_per_origin: int = 64,
        max_per_origin: int = 64,
        ssl_context: ssl.SSLContext | None = None,
        trust_env: bool = True,
        parser: ParserName = "auto",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._timeouts = Timeouts(connect=connect_timeout_s, read=read_timeout_s, write=read_timeout_s)
        self._connector = Connector(ssl_context=ssl_context, trust_env=trust_env, make_parser=choose_parser(parser))
        self._pool = Pool(
            keepalive_s=keepalive_s,
            max_idle_per_origin=max_idle_per_origin,
            max_per_origin=max_per_origin,
            clock=clock,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request and give its answer as soon as the head is there."""
        try:
            return await self._answer(request)
        except httpx.TransportError as problem:
            problem.request = request
            raise

    async def aclose(self) -> None:
        """Close every connection, those in use as well: what still reads from one gets httpx.ReadError."""
        self._pool.close()

    async def _answer(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        rendered = render(request)
        timeouts = self._timeouts.refined(request.extensions)
        lane = await self._pool.enter(origin_of(request))
        exchange = Exchange(pool=self._pool, connector=self._connector, lane=lane, rendered=rendered, timeouts=timeouts)
        try:
            head = await exchange.begin()
        except BaseException:
            exchange.abandon()
            raise
        return httpx.Response(
            head.status,
            headers=head.headers,
            stream=Body(exchange, request),
            extensions={"http_version": head.version, "reason_phrase": head.reason},
        )


def origin_of(request: httpx.Request) -> Origin:
    """Where to send `request`. Raises httpx.UnsupportedProtocol."""
    url = request.url
    if url.scheme not in DEFAULT_PORTS or not url.host:
        raise httpx.UnsupportedProtocol("only http:// and https:// URLs with a host can be asked")
    host = url.raw_host.decode("ascii")
    port = DEFAULT_PORTS[url.scheme] if url.port is None else url.port
    return Origin(url.scheme, host, port, request.extensions.get("sni_hostname") or host)
