"""A small MCP client over streamable HTTP: it calls tools and does nothing else.

Specification: modelcontextprotocol.io, revisions 2025-03-26 to 2025-11-25, "Lifecycle", "Tools", "Streamable HTTP".
"""

from __future__ import annotations

import itertools
import logging
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio
import msgspec

from fanseek.contract import McpCall, Request, Response
from fanseek.contract.rpc import Message, message_of
from fanseek.errors import BackendError
from fanseek.http.carrier import Carrier
from fanseek.http.errands import Errands
from fanseek.http.mcp_session import PROTOCOL_VERSION, Agreement, Session, agreed
from fanseek.http.mcp_stream import Awaited

if TYPE_CHECKING:
    import httpx

log = logging.getLogger("fanseek.http")

SESSIONS = 64
"""How many servers are remembered; the one longest unused goes first."""
RESUMPTIONS = 20
NOTICE_S, DRAIN_S, ANSWER_S = 0.25, 0.25, 2.0
"""Budgets of what happens beside a call: taking it back, reading its stream to the end, answering the server."""
METHOD_NOT_FOUND = -32601
NEEDS_NO_HANDSHAKE = frozenset({400, 404, 405, 406, 415, 422, 501})
"""How servers that know only `tools/call` refuse `initialize`."""


class McpClient:
    """Calls tools; one session for each server and set of headers. `defaults` completes a request's headers."""

    def __init__(
        self,
        carrier: Carrier,
        errands: Errands,
        *,
        body_limit: int,
        defaults: Callable[[Mapping[str, str]], dict[str, str]],
    ) -> None:
        self._carrier = carrier
        self._errands = errands
        self._body_limit = body_limit
        self._defaults = defaults
        self._peers: OrderedDict[object, Peer] = OrderedDict()

    async def call(self, call: McpCall) -> Response:
        """One tool call; begun anew once when the server no longer knows the session."""
        peer = self._peer(call)
        response, agreement = await self._attempt(peer, call)
        if agreement is not None and _session_lost(agreement, response):
            peer.session.forget(agreement)
            response, agreement = await self._attempt(peer, call)
        if agreement is not None and not agreement.initialized and not 200 <= response.status < 300:
            peer.session.forget(agreement)
        return response

    async def _attempt(self, peer: Peer, call: McpCall) -> tuple[Response, Agreement | None]:
        agreement = await peer.session.agreement()
        if isinstance(agreement, Response):
            return agreement, None
        return await peer.call_tool(agreement, call), agreement

    def _peer(self, call: McpCall) -> Peer:
        key = (call.url, call.credentialed, tuple(sorted(call.headers.items())))
        peer = self._peers.pop(key, None)
        if peer is None:
            blank = Request(
                method="POST",
                url=call.url,
                headers=self._defaults(call.headers),
                credentialed=call.credentialed,
            )
            peer = Peer(self._carrier, self._errands, blank, self._body_limit)
        self._peers[key] = peer
        while len(self._peers) > SESSIONS:
            self._peers.popitem(last=False)
        return peer


class Peer:
    """One MCP server as one caller sees it. `blank` is the request that all others are made from."""

    def __init__(self, carrier: Carrier, errands: Errands, blank: Request, body_limit: int) -> None:
        self.session = Session(self._initialize)
        self._carrier = carrier
        self._errands = errands
        self._blank = blank
        self._body_limit = body_limit
        self._ids = itertools.count(1)

    async def call_tool(self, agreement: Agreement, call: McpCall) -> Response:
        """One `tools/call`. When it is cut short, the server is told, and nobody waits for that."""
        awaited = self._awaited(agreement)
        cut_short = True
        try:
            arguments = {"name": call.tool, "arguments": call.arguments}
            response = await self._request("tools/call", arguments, awaited, agreement)
            cut_short = False
        except BackendError as problem:
            cut_short = problem.kind == "timeout"
            raise
        finally:
            if cut_short and agreement.initialized:
                notice = {"requestId": awaited.id, "reason": "the caller no longer waits"}
                self._errands.start(
                    lambda: self._notify("notifications/cancelled", agreement, notice), budget_s=NOTICE_S, urgent=True
                )
        return response

    async def _initialize(self) -> Agreement | Response:
        offer = {
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": {"name": "fanseek", "version": self._blank.headers["user-agent"].rpartition("/")[2]},
        }
        response = await self._request("initialize", offer, self._awaited(Agreement()), Agreement())
        if response.status in NEEDS_NO_HANDSHAKE:
            return Agreement()
        if not 200 <= response.status < 300:
            return response
        message = message_of(response.body)
        if message is None or message.error is not None:
            return Agreement()
        agreement = agreed(message.result, response.headers.get("mcp-session-id", ""))
        await self._notify("notifications/initialized", agreement)
        return agreement

    def _awaited(self, agreement: Agreement) -> Awaited:
        return Awaited(
            next(self._ids), limit=self._body_limit, asked=lambda message: self._answer_later(message, agreement)
        )

    async def _request(
        self, method: str, params: Mapping[str, Any], awaited: Awaited, agreement: Agreement
    ) -> Response:
        """Send a request and find its reply, resuming the stream as often as the server breaks it off."""
        body = {"jsonrpc": "2.0", "id": awaited.id, "method": method, "params": params}

        async def read(response: httpx.Response) -> Response | None:
            return await self._reply(response, awaited)

        found = await self._carrier.exchange(self._post(body, agreement), read)
        for _ in range(RESUMPTIONS):
            if found is not None:
                return found
            if not awaited.last_id:
                break
            await anyio.sleep(awaited.resume_s)
            found = await self._carrier.exchange(self._resumption(awaited, agreement), read)
            if found is not None and found.status != 404 and not 200 <= found.status < 300:
                raise BackendError("network", f"the stream ended without a reply; resuming it gave HTTP {found.status}")
        if found is None:
            raise BackendError("network", "the stream ended without a reply")
        return found

    async def _reply(self, response: httpx.Response, awaited: Awaited) -> Response | None:
        from fanseek.http.inflate import read_body

        status, headers = response.status_code, dict(response.headers.items())
        if not 200 <= status < 300:
            body = await read_body(response, self._body_limit)
            return Response(status=status, headers=headers, body=body, url=self._blank.url)
        frame = await awaited.reply(response)
        if awaited.rest is not None:
            self._errands.start(awaited.rest.drain, budget_s=DRAIN_S)
        if frame is None:
            return None
        headers["content-type"] = "application/json"
        return Response(status=status, headers=headers, body=frame, url=self._blank.url)

    async def _notify(self, method: str, agreement: Agreement, params: Mapping[str, Any] | None = None) -> None:
        """Send what needs no reply; whatever the server says to it is read and forgotten."""
        body = {"jsonrpc": "2.0", "method": method, **({"params": params} if params else {})}
        try:
            await self._carrier.exchange(self._post(body, agreement), self._forget)
        except BackendError as problem:
            log.debug("%s was not taken: %s", method, problem.message)

    async def _forget(self, response: httpx.Response) -> None:
        from fanseek.http.inflate import read_body

        await read_body(response, self._body_limit)

    def _answer_later(self, message: Message, agreement: Agreement) -> None:
        """Reply to a request of the server's: to a ping, or that nothing else is offered here."""
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message.id}
        if message.method == "ping":
            reply["result"] = {}
        else:
            reply["error"] = {"code": METHOD_NOT_FOUND, "message": "not offered by this client"}
        request = self._post(reply, agreement)
        self._errands.start(lambda: self._carrier.exchange(request, self._forget), budget_s=ANSWER_S)

    def _post(self, message: Mapping[str, Any], agreement: Agreement) -> Request:
        headers = {
            **self._blank.headers,
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            **agreement.headers,
        }
        return msgspec.structs.replace(self._blank, headers=headers, body=msgspec.json.encode(message))

    def _resumption(self, awaited: Awaited, agreement: Agreement) -> Request:
        headers = {
            **self._blank.headers,
            "accept": "text/event-stream",
            "last-event-id": awaited.last_id,
            **agreement.headers,
        }
        return msgspec.structs.replace(self._blank, method="GET", headers=headers)


def _session_lost(agreement: Agreement, response: Response) -> bool:
    """Whether the server forgot the session; some say 400 where the specification has 404."""
    if not agreement.session_id:
        return False
    return response.status == 404 or (response.status == 400 and "session" in response.text.lower())
