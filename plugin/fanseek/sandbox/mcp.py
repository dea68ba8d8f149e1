"""The server side of MCP over streamable HTTP around one backend's tools.

Specification: modelcontextprotocol.io, revision 2025-06-18, "Streamable HTTP", "Lifecycle", "Tools".
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from itertools import count
from typing import Any

import msgspec

from fanseek.contract import AnyBackend, Asked, McpCall, Mimic, Reply, SearchRequest
from fanseek.sandbox.corpus import Corpus
from fanseek.sandbox.upstream import EVENTS, KEPT_REPLIES, Upstream, wire

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
KEPT_SESSIONS = 10_000
JSON = "application/json"
PARSE_ERROR, INVALID_REQUEST, NO_METHOD, INVALID_PARAMS = -32700, -32600, -32601, -32602
SESSION = "mcp-session-id"
SESSION_LOST = -32001


class Params(msgspec.Struct, frozen=True):
    """The parameters the server reads, of whatever method."""

    name: str = ""
    arguments: msgspec.Raw = msgspec.Raw(b"{}")
    protocolVersion: str = ""  # noqa: N815 - as on the wire
    meta: dict[str, Any] = msgspec.field(default_factory=dict, name="_meta")


class Message(msgspec.Struct, frozen=True):
    """A JSON-RPC message from a client. Without `id` it is a notification, without `method` a reply."""

    id: msgspec.Raw = msgspec.Raw()
    method: str = ""
    params: Params = Params()


class McpUpstream(Upstream):
    """A backend that speaks MCP. `tools` maps each tool to the names of its arguments."""

    def __init__(self, name: str, mimic: Mimic, corpus: Corpus, tools: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(name, mimic, corpus)
        self.tools = tools
        self._decode = msgspec.json.Decoder(Message).decode
        self._kept_calls: dict[tuple[str, bytes, int], tuple[bytes, bytes]] = {}
        self._sessions: dict[str, None] = {}
        self._numbers = count(1)

    def is_call(self, asked: Asked) -> bool:
        """Whether this is a tool call."""
        try:
            return asked.method == "POST" and self._decode(asked.body).method == "tools/call"
        except msgspec.MsgspecError:
            return False

    def whole(self, asked: Asked) -> bytes:
        """The good reply as it goes over the wire; repeated calls differ in their id alone."""
        message = self._read(asked)
        if isinstance(message, Reply):
            return wire(message)
        if message.method != "tools/call" or message.params.name not in self.tools:
            return wire(self._answer(asked, message, None))
        identity = bytes(message.id)
        key = (message.params.name, bytes(message.params.arguments), len(identity))
        kept = self._kept_calls.get(key)
        if kept is None:
            if len(self._kept_calls) >= KEPT_REPLIES:
                self._kept_calls.clear()
            head, blank, body = wire(framed(identity, self._found(asked))).partition(b"\r\n\r\n")
            before, mark, after = body.partition(b'"id":' + identity)
            kept = self._kept_calls[key] = head + blank + before + mark[: -len(identity)], after
        return kept[0] + identity + kept[1] if kept[1] else kept[0]

    def reply(self, asked: Asked) -> Reply:
        """The good reply."""
        return self._replied(asked, None)

    def empty(self, asked: Asked) -> Reply:
        """The good reply to a search that found nothing."""
        message = self._read(asked)
        return message if isinstance(message, Reply) else self._answer(asked, message, self._found(asked, found=False))

    def own(self, asked: Asked, what: str) -> Reply | None:
        """The backend's own body for a fault; a tool result is framed as the reply to `asked`."""
        reply = self.mimic.faults.get(what)
        if reply is None or reply.status != 200 or reply.content_type.partition(";")[0] not in (JSON, EVENTS):
            return reply
        return self._replied(asked, reply)

    def progress(self, asked: Asked, frames: int) -> list[bytes]:
        """What a slow server sends on the stream before the reply: comments and notifications, an event each."""
        token = self._decode(asked.body).params.meta.get("progressToken")
        sent = [b": still searching\n\n"]
        for number in range(1, frames + 1):
            if token is not None and number % 2:
                told: dict[str, Any] = {"progressToken": token, "progress": number, "total": frames}
                sent.append(event(notification("notifications/progress", told)))
            else:
                told = {"level": "info", "data": f"step {number} of {frames}"}
                sent.append(event(notification("notifications/message", told)))
        return sent

    def forget(self, session: str) -> None:
        """Lose a session: requests under it are answered with 404 from now on."""
        self._sessions.pop(session, None)

    @property
    def sessions(self) -> int:
        """How many sessions are open."""
        return len(self._sessions)

    def _read(self, asked: Asked) -> Message | Reply:
        """The request in `asked`, or what is said to all that is none."""
        session = asked.headers.get(SESSION)
        if session is not None and session not in self._sessions:
            return failure(404, SESSION_LOST, "Session not found")
        if asked.method == "DELETE":
            self.forget(session or "")
            return Reply(status=200 if session else 400)
        if asked.method != "POST":
            return Reply(status=405, headers={"allow": "POST, DELETE"})
        if refused := _refused(asked):
            return refused
        try:
            message = self._decode(asked.body)
        except msgspec.MsgspecError:
            return failure(400, PARSE_ERROR, "Parse error")
        return message if bytes(message.id) and message.method else Reply(status=202)

    def _replied(self, asked: Asked, instead: Reply | None) -> Reply:
        message = self._read(asked)
        return message if isinstance(message, Reply) else self._answer(asked, message, instead)

    def _answer(self, asked: Asked, message: Message, instead: Reply | None) -> Reply:
        """The reply to a request; to a known tool's call it is the one given `instead`, if any."""
        identity = bytes(message.id)
        if message.method == "tools/call" and message.params.name in self.tools:
            return framed(identity, instead or self._found(asked))
        if message.method == "initialize":
            return self._opened(identity, message.params.protocolVersion)
        if message.method == "tools/list":
            return result(identity, {"tools": [tool(name, names) for name, names in self.tools.items()]})
        if message.method == "ping":
            return result(identity, {})
        if message.method == "tools/call":
            return failure(200, INVALID_PARAMS, f"Tool {message.params.name} not found", identity)
        return failure(200, NO_METHOD, "Method not found", identity)

    def _opened(self, identity: bytes, version: str) -> Reply:
        session = blake2b(f"{self.name}|{next(self._numbers)}".encode(), digest_size=16).hexdigest()
        if len(self._sessions) >= KEPT_SESSIONS:
            self.forget(next(iter(self._sessions)))
        self._sessions[session] = None
        told = {
            "protocolVersion": version if version in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": f"{self.name}-sandbox", "version": "1"},
        }
        reply = result(identity, told)
        return msgspec.structs.replace(reply, headers={SESSION: session})

    def _found(self, asked: Asked, *, found: bool = True) -> Reply:
        params = self._decode(asked.body).params
        arguments = msgspec.json.decode(params.arguments)
        call = msgspec.structs.replace(asked, tool=params.name, arguments=arguments)
        return self.searched(call, found=found)


def _refused(asked: Asked) -> Reply | None:
    """The transport's refusal of a POST by its headers."""
    accepted = asked.headers.get("accept", "")
    if not (JSON in accepted and EVENTS in accepted):
        told = "Not Acceptable: Client must accept both application/json and text/event-stream"
        return failure(406, INVALID_REQUEST, told)
    version = asked.headers.get("mcp-protocol-version")
    if version is not None and version not in VERSIONS:
        return failure(400, INVALID_REQUEST, f"Unsupported protocol version: {version}")
    return None


def tools_of(backend: AnyBackend) -> dict[str, tuple[str, ...]]:
    """The tools a backend calls and the arguments it gives them; none when it does not speak MCP."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, operation in backend.operations.items():
        call = operation.build(SearchRequest(query="tools", kind=kind), backend.settings())
        if isinstance(call, McpCall):
            found[call.tool] = tuple(call.arguments)
    return found | dict(backend.mimic.tools) if found and backend.mimic else found


def tool(name: str, arguments: tuple[str, ...]) -> dict[str, Any]:
    """A tool as tools/list describes it."""
    return {"name": name, "inputSchema": {"type": "object", "properties": {key: {} for key in arguments}}}


def framed(identity: bytes, tool_result: Reply) -> Reply:
    """A tool result as the reply to the request `identity`: one event, where the mimic speaks events."""
    if tool_result.status != 200:
        return tool_result
    body = b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (identity, tool_result.body)
    if tool_result.content_type.startswith(EVENTS):
        body = event(body)
    return Reply(headers=tool_result.headers, body=body, content_type=tool_result.content_type)


def result(identity: bytes, told: dict[str, Any]) -> Reply:
    """A JSON-RPC result."""
    return Reply(body=b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (identity, msgspec.json.encode(told)))


def failure(status: int, code: int, message: str, identity: bytes = b"null") -> Reply:
    """A JSON-RPC error."""
    told = msgspec.json.encode({"code": code, "message": message})
    return Reply(status=status, body=b'{"jsonrpc":"2.0","id":%b,"error":%b}' % (identity, told))


def notification(method: str, params: dict[str, Any]) -> bytes:
    """A JSON-RPC notification."""
    return msgspec.json.encode({"jsonrpc": "2.0", "method": method, "params": params})


def event(data: bytes) -> bytes:
    """One server-sent event; `data` has no line breaks."""
    return b"event: message\ndata: %b\n\n" % data
