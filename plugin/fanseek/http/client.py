"""The one way out to the network: described requests and MCP calls in, bounded and clean responses out."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Self

from fanseek.contract import McpCall, Request, Response
from fanseek.http.carrier import Carrier
from fanseek.http.errands import Errands
from fanseek.http.mcp import McpClient
from fanseek.http.redact import Redactor

if TYPE_CHECKING:
    import httpx

USER_AGENT = "fanseek/0.1.0"
BODY_LIMIT = 8 * 1024 * 1024
"""The most of a decoded body that is read, in bytes."""


class Client:
    """Sends what backends describe. One for each engine; open and close it in one task, use it from any.

    `proxy` is `auto`, `direct` or a URL. `transport` takes the place of our own for direct connections. Failures are
    BackendErrors, free of secrets; a response of any status, redirects included, is a response.
    """

    def __init__(
        self,
        *,
        proxy: str = "auto",
        redact: Redactor | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        body_limit: int = BODY_LIMIT,
        connect_timeout_s: float = 3.0,
        user_agent: str = USER_AGENT,
        ssl_context: ssl.SSLContext | None = None,
        http2: bool = False,
    ) -> None:
        self.redact = redact or Redactor()
        self._body_limit = body_limit
        self._user_agent = user_agent
        self._carrier = Carrier(
            proxy=proxy,
            redact=self.redact,
            transport=transport,
            connect_timeout_s=connect_timeout_s,
            ssl_context=ssl_context,
            http2=http2,
        )
        self._errands = Errands()
        self._mcp = McpClient(self._carrier, self._errands, body_limit=body_limit, defaults=self._defaults)

    async def __aenter__(self) -> Self:
        await self._errands.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, where: TracebackType | None
    ) -> None:
        try:
            await self._errands.__aexit__(kind, problem, where)
        finally:
            await self._carrier.aclose()

    async def send(self, request: Request) -> Response:
        """One exchange: no alternatives, no redirects, no cookies kept, nothing sent twice. Raises BackendError."""
        from fanseek.http.inflate import read_body

        async def whole(response: httpx.Response) -> Response:
            body = await read_body(response, self._body_limit)
            url = self.redact.clean(request.url) if request.credentialed else request.url
            return Response(status=response.status_code, headers=dict(response.headers.items()), body=body, url=url)

        ready = Request(
            method=request.method,
            url=request.url,
            headers=self._defaults(request.headers),
            body=request.body,
            credentialed=request.credentialed,
        )
        return await self._carrier.exchange(ready, whole)

    async def call(self, call: McpCall) -> Response:
        """One MCP tool call in a session that is kept for the next. The body is the JSON-RPC reply alone.

        A status that is no success comes back with its own body. Raises BackendError.
        """
        return await self._mcp.call(call)

    def reroute(self, proxy: str) -> None:
        """Go by this proxy setting from now on; what is on its way keeps its connection."""
        self._carrier.reroute(proxy)

    def _defaults(self, headers: Mapping[str, str]) -> dict[str, str]:
        """`headers`, lower-case, with those every request has."""
        from fanseek.http.inflate import ACCEPT_ENCODING

        given = {name.lower(): value for name, value in headers.items()}
        return {"user-agent": self._user_agent, "accept": "*/*", "accept-encoding": ACCEPT_ENCODING, **given}
