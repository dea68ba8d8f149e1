"""The history routes as an ASGI app, for Python hosts to mount and for servers to run alone, behind a fence.

app = application(engine)                       # in a host that has an engine
uvicorn fanseek.surface.routes.asgi:standalone  # alone: the history of this user's own searches
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any

import msgspec

from fanseek.config.dirs import config_file, folders, is_missing
from fanseek.engine import Engine, open_engine
from fanseek.guard.key_file import NAME as KEY_FILE
from fanseek.surface.routes.fence import Refusal, refusal
from fanseek.surface.routes.history import ROUTES

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

HEADERS = [
    (b"content-type", b"application/json"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]


def application(engine: Engine) -> App:
    """The routes over `engine`; a host mounts it at its root."""

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send, AsyncExitStack())
        elif scope["type"] == "http":
            await _serve(engine, scope, send)

    return app


class Standalone:
    """The routes over an engine of its own, which lives from the server's start to its end."""

    def __init__(self) -> None:
        self._engine: Engine | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """One ASGI connection. Needs the server's lifespan events."""
        if scope["type"] == "lifespan":
            async with AsyncExitStack() as stack:
                await _lifespan(receive, send, stack, self._open)
        elif scope["type"] == "http":
            await _serve(self._engine, scope, send)

    async def _open(self, stack: AsyncExitStack) -> None:
        place, config = folders(os.environ), config_file(os.environ)
        self._engine = await stack.enter_async_context(
            open_engine(
                environment=os.environ,
                config_file=None if is_missing(config) else config,
                state_dir=place.state,
                history_dir=place.state,
                key_file=place.config / KEY_FILE,
            )
        )


standalone = Standalone()


async def _lifespan(
    receive: Receive,
    send: Send,
    stack: AsyncExitStack,
    begin: Callable[[AsyncExitStack], Awaitable[None]] | None = None,
) -> None:
    """A server's start and end; a start that fails is told and not raised."""
    while True:
        event = (await receive())["type"]
        if event == "lifespan.shutdown":
            await stack.aclose()
            await send({"type": "lifespan.shutdown.complete"})
            return
        try:
            if begin:
                await begin(stack)
        except Exception as problem:  # noqa: BLE001 - the server ends with the message
            await send({"type": "lifespan.startup.failed", "message": str(problem)})
            return
        await send({"type": "lifespan.startup.complete"})


async def _serve(engine: Engine | None, scope: Message, send: Send) -> None:
    method = scope["method"]
    if denied := refusal(method, _headers(scope)):
        return await _refuse(send, denied)
    route = ROUTES.get(scope["path"])
    if route is None:
        return await _refuse(send, Refusal(404, "there is nothing here"))
    allowed, answer = route
    if method != allowed:
        return await _refuse(send, Refusal(405, f"only {allowed} is answered here"), (b"allow", allowed.encode()))
    if engine is None or engine.closed:
        return await _refuse(send, Refusal(503, "the search engine is not open"))
    return await _reply(send, 200, await answer(engine))


def _headers(scope: Message) -> dict[str, str]:
    """By lower-case name; of a name given more than once, all values, so that none hides behind another."""
    found: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1").strip()
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


async def _refuse(send: Send, denied: Refusal, *more: tuple[bytes, bytes]) -> None:
    await _reply(send, denied.status, {"ok": False, "error": denied.reason}, *more)


async def _reply(send: Send, status: int, body: dict[str, Any], *more: tuple[bytes, bytes]) -> None:
    whole = msgspec.json.encode(body)
    length = (b"content-length", str(len(whole)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*HEADERS, length, *more]})
    await send({"type": "http.response.body", "body": whole})
