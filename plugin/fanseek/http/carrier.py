"""Carries one request to its host, directly or through a proxy, and turns every failure into a clean BackendError."""

from __future__ import annotations

import logging
import ssl
import traceback
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

import anyio

from fanseek.errors import BackendError
from fanseek.http.failures import explained
from fanseek.http.outgoing import host_of, outgoing, shown
from fanseek.http.proxy import Proxy, ProxyChoice
from fanseek.http.redact import RedactingFilter, Redactor

if TYPE_CHECKING:
    import httpx

    from fanseek.contract import Request

T = TypeVar("T")
log = logging.getLogger("fanseek.http")

READ_TIMEOUT_S = 30.0
"""The longest silence; the caller's scope is what usually ends a call."""
CLOSING_S = 0.5
TALKATIVE = (
    *(f"httpcore.{part}" for part in ("connection", "http11", "http2", "proxy", "socks")),
    *("hpack.hpack", "hpack.table", "h2"),
)
"""Loggers of the fallback's libraries; they show headers at DEBUG."""


class Carrier:
    """The transports of one client. Never follows a redirect, never keeps a cookie."""

    def __init__(
        self,
        *,
        proxy: str,
        redact: Redactor,
        transport: httpx.AsyncBaseTransport | None,
        connect_timeout_s: float,
        ssl_context: ssl.SSLContext | None,
        http2: bool,
    ) -> None:
        self.redact = redact
        self._setting = proxy
        self._choice: ProxyChoice | None = None
        self._reported: set[str] = set()
        self._direct = transport
        self._proxied: dict[str, httpx.AsyncBaseTransport] = {}
        self._ssl_context = ssl_context
        self._http2 = http2
        self._connect_timeout_s = connect_timeout_s
        self._filter = RedactingFilter(redact)

    async def exchange(self, request: Request, read: Callable[[httpx.Response], Awaitable[T]]) -> T:
        """What `read` makes of the response, which it must close; where it raises, that is done here.

        Raises BackendError and nothing else.
        """
        if request.credentialed:
            self.redact.add_request(request.url, request.headers)
        proxy: list[Proxy] = []
        try:
            timeout = {"connect": self._connect_timeout_s, "read": READ_TIMEOUT_S, "write": READ_TIMEOUT_S}
            sent = outgoing(request.method, request.url, request.headers, request.body, timeout)
            response = await self._transport(sent, proxy).handle_async_request(sent)
            try:
                return await read(response)
            except BaseException:
                await response.aclose()
                raise
        except Exception as problem:  # noqa: BLE001 - every failure is explained
            failure = self._clean(problem, request.url, proxy[0].shown if proxy else "")
        raise failure

    def reroute(self, proxy: str) -> None:
        """Go by this proxy setting from now on."""
        if proxy != self._setting:
            self._setting, self._choice = proxy, None

    async def aclose(self) -> None:
        """Close every connection."""
        for name in TALKATIVE:
            logging.getLogger(name).removeFilter(self._filter)
        with anyio.CancelScope(shield=True, deadline=anyio.current_time() + CLOSING_S):
            for transport in (self._direct, *self._proxied.values()):
                if transport is not None:
                    await transport.aclose()
        self._proxied.clear()

    def _clean(self, problem: Exception, url: str, proxy: str) -> BackendError:
        """A new error, so that nothing hangs on it that `problem` carried."""
        import httpx

        from fanseek.http.inflate import BodyError

        expected = (
            BackendError,
            httpx.HTTPError,
            httpx.InvalidURL,
            httpx.StreamError,
            OSError,
            UnicodeError,
            BodyError,
        )
        if not isinstance(problem, expected):
            where = "".join(traceback.format_tb(problem.__traceback__))
            log.error("unexpected %s in an exchange:\n%s", type(problem).__name__, self.redact.clean(where))
        failure = explained(problem, host_of(url), shown(url).rpartition("://")[2], proxy)
        return BackendError(failure.kind, self.redact.clean(failure.message), retry_after=failure.retry_after)

    def _transport(self, request: httpx.Request, used: list[Proxy]) -> httpx.AsyncBaseTransport:
        """Where to send `request`; the proxy on the way is appended to `used`."""
        if self._choice is None:
            self._choice = ProxyChoice(self._setting)
        url = request.url
        port = url.port or {"http": 80, "https": 443}[url.scheme]
        try:
            proxy = self._choice.proxy_for(url.scheme, url.raw_host.decode("ascii"), port)
        except BackendError as problem:
            self._report(problem.message)
            raise
        if proxy is not None:
            used.append(proxy)
            return self._proxied_by(proxy)
        if self._direct is None:
            self._direct = self._own()
        return self._direct

    def _report(self, message: str) -> None:
        if message not in self._reported:
            self._reported.add(message)
            log.warning("%s", self.redact.clean(message))

    def _own(self) -> httpx.AsyncBaseTransport:
        if self._http2:
            return self._fallback(None)
        from fanseek.http.transport import Transport

        return Transport(
            connect_timeout_s=self._connect_timeout_s, read_timeout_s=READ_TIMEOUT_S, ssl_context=self._ssl_context
        )

    def _proxied_by(self, proxy: Proxy) -> httpx.AsyncBaseTransport:
        if proxy.url not in self._proxied:
            self._proxied[proxy.url] = self._fallback(proxy)
        return self._proxied[proxy.url]

    def _fallback(self, proxy: Proxy | None) -> httpx.AsyncBaseTransport:
        from fanseek.http.fallback import Fallback

        if self._http2 and find_spec("h2") is None:
            raise BackendError("network", 'HTTP/2 needs the http2 extra: pip install "fanseek[http2]"')
        for name in TALKATIVE:
            logging.getLogger(name).addFilter(self._filter)
        if proxy is not None:
            self.redact.add(proxy.password)
        return Fallback(proxy=None if proxy is None else proxy.url, ssl_context=self._ssl_context, http2=self._http2)
