"""An MCP server on loopback that says exactly what a test wants, and remembers what it was told."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import ByteStream

from loopback import Request, Server, requests, response, serve

JSON = ("content-type", "application/json")
SSE = ("content-type", "text/event-stream")
RESULT = {"content": [{"type": "text", "text": "found"}]}
OPEN = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n{}\r\n"
ENDED = b"0\r\n\r\n"

Answer = Callable[["Told", ByteStream], Awaitable[bytes | None]]


class Told:
    """One request: its HTTP side and its JSON-RPC message."""

    def __init__(self, request: Request) -> None:
        self.http = request
        self.method = request.method.decode()
        self.message: dict[str, Any] = json.loads(request.body) if request.body else {}
        self.rpc: str = self.message.get("method", "")
        self.id = self.message.get("id")

    def header(self, name: str) -> str | None:
        value = self.http.headers.get(name.encode())
        return None if value is None else value.decode()


class Log:
    """What the server was told so far."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = f"{server.url}/mcp"
        self.told: list[Told] = []
        self._more = anyio.Event()

    def add(self, told: Told) -> None:
        self.told.append(told)
        self._more.set()
        self._more = anyio.Event()

    @property
    def methods(self) -> list[str]:
        return [told.rpc or told.method for told in self.told]

    def of(self, rpc: str) -> list[Told]:
        return [told for told in self.told if told.rpc == rpc]

    async def until(self, rpc: str, count: int = 1) -> Told:
        with anyio.fail_after(10):
            while len(self.of(rpc)) < count:
                await self._more.wait()
        return self.of(rpc)[count - 1]


def reply(told: Told, result: object = RESULT, **extra: object) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": told.id, "result": result, **extra}


def as_json(message: object, *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> bytes:
    return response(json.dumps(message).encode(), status=status, headers=[JSON, *headers])


def as_stream(*messages: object) -> bytes:
    events = "".join(f"event: message\r\ndata: {json.dumps(message)}\r\n\r\n" for message in messages)
    return response(events.encode(), headers=[SSE], chunk=7)


def chunk(text: str) -> bytes:
    data = text.encode()
    return b"%x\r\n%b\r\n" % (len(data), data)


def initialized(told: Told, *, session: str = "", version: object = "2025-06-18") -> bytes:
    result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
    return as_json(reply(told, result), headers=(("Mcp-Session-Id", session),) if session else ())


@asynccontextmanager
async def mcp_server(
    tool: Answer, *, initialize: Answer | None = None, session: str = "session-a", other: Answer | None = None
) -> AsyncIterator[Log]:
    """`tool` answers tools/call; `initialize` and `other` (GET and notifications) are ordinary unless given."""
    log: Log

    async def answer(told: Told, stream: ByteStream) -> bytes | None:
        if told.rpc == "initialize":
            return await initialize(told, stream) if initialize else initialized(told, session=session)
        if told.rpc == "tools/call":
            return await tool(told, stream)
        if other is not None:
            return await other(told, stream)
        return response(status=202) if told.method == "POST" else response(status=405)

    async def converse(stream: ByteStream) -> None:
        async for request in requests(stream):
            told = Told(request)
            log.add(told)
            raw = await answer(told, stream)
            if raw is None:
                return
            await stream.send(raw)

    async with serve(converse) as server:
        log = Log(server)
        yield log


async def found(told: Told, _: ByteStream) -> bytes:
    """The usual answer, as plain JSON."""
    return as_json(reply(told))
