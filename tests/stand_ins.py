"""Four small backends, one for each way to speak: JSON, a page, MCP as JSON, MCP as events; and how to ask them."""

from __future__ import annotations

import html
import json
import socket
from typing import Any

import anyio

from fanseek.contract import (
    AnyBackend,
    Asked,
    Backend,
    BackendSettings,
    Docs,
    McpCall,
    Mimic,
    Operation,
    Parsed,
    Reply,
    Request,
    with_query,
)
from fanseek.sandbox import Sandbox


class Settings(BackendSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = "https://api.plain.test/v1"


class Instances(BackendSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_urls: tuple[str, ...] = ()


def plain_reply(asked: Asked, rows: Any) -> Reply:
    return Reply(body=json.dumps({"found": [{"link": row.url, "name": row.title} for row in rows]}).encode())


def page_reply(asked: Asked, rows: Any) -> Reply:
    items = "".join(f'<a href="{html.escape(row.url)}">{html.escape(row.title)}</a>' for row in rows)
    return Reply(body=f"<html><body>{items or 'none'}</body></html>".encode(), content_type="text/html; charset=utf-8")


def tool_reply(content_type: str) -> Any:
    def reply(asked: Asked, rows: Any) -> Reply:
        text = "\n".join(row.url for row in rows) or "nothing"
        body = json.dumps({"content": [{"type": "text", "text": text}]}).encode()
        return Reply(body=body, content_type=content_type)

    return reply


CAPTCHA = Reply(status=202, body=b"<html><div class='challenge'></div></html>", content_type="text/html")
LIMITED = Reply(body=b'{"content":[{"type":"text","text":"slow down"}],"_meta":{"limited":true}}')


def backend(name: str, operation: Operation[Any], mimic: Mimic, settings: Any = Settings) -> AnyBackend:
    docs = Docs(url="https://docs.test", checked="2026-11-30", receives="nobody")
    return Backend(
        name=name, family=f"{name}-index", settings=settings, operations={"search": operation}, docs=docs, mimic=mimic
    )


def http_operation() -> Operation[Any]:
    return Operation(
        build=lambda search, _: Request(url=with_query("https://api.test/find", {"q": search.query})),
        parse=lambda _: Parsed(),
    )


def mcp_operation() -> Operation[Any]:
    return Operation(
        build=lambda search, _: McpCall(
            url="https://mcp.test/mcp", tool="web_search", arguments={"query": search.query, "count": search.limit}
        ),
        parse=lambda _: Parsed(),
    )


def by_query(asked: Asked) -> tuple[str, int]:
    return asked.parameters["q"], int(asked.parameters.get("n", "0"))


def by_arguments(asked: Asked) -> tuple[str, int]:
    return asked.arguments["query"], asked.arguments.get("count", 0)


def stand_ins() -> dict[str, AnyBackend]:
    paged = Mimic(asked=by_query, reply=page_reply, faults={"captcha": CAPTCHA, "maintenance": CAPTCHA})
    told = Mimic(asked=by_arguments, reply=tool_reply("application/json"), faults={"rate-limit": LIMITED})
    return {
        "plain": backend("plain", http_operation(), Mimic(asked=by_query, reply=plain_reply)),
        "paged": backend("paged", http_operation(), paged, Instances),
        "told": backend("told", mcp_operation(), told),
        "streamed": backend(
            "streamed", mcp_operation(), Mimic(asked=by_arguments, reply=tool_reply("text/event-stream"))
        ),
    }


ACCEPT = {"accept": "application/json, text/event-stream"}


def rpc(method: str, params: dict[str, Any] | None = None, number: int = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


def call(query: str, tool: str = "web_search", **more: Any) -> dict[str, Any]:
    return rpc("tools/call", {"name": tool, "arguments": {"query": query}, **more})


def raw(box: Sandbox, data: bytes) -> socket.socket:
    sock = socket.create_connection(("127.0.0.1", box.port), timeout=10)
    sock.sendall(data)
    return sock


def read_all(sock: socket.socket) -> bytes:
    heard = b""
    with sock:
        while data := sock.recv(65536):
            heard += data
    return heard


async def settled(box: Sandbox, count: int = 0) -> None:
    """Wait until that many connections are open."""
    with anyio.fail_after(10):
        while box.connections != count:  # noqa: ASYNC110 - the server has no event for it
            await anyio.sleep(0.01)
