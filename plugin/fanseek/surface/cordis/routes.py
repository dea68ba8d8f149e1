"""The history at a host's `connection` service, which guards its routes itself (facts 6.1, 6.2)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec

from fanseek.engine import Engine
from fanseek.surface.routes.bodies import cleared_body, history_body

Body = Callable[[Engine], Awaitable[dict[str, Any]]]

ROUTES: tuple[tuple[str, str, Body], ...] = (
    ("/api/websearch/history", "GET", history_body),
    ("/api/websearch/history/clear", "POST", cleared_body),
)


class RouteAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An HTTP answer as hosts take it."""

    status: int
    headers: dict[str, str]
    body: bytes


def register(connection: Any, engine: Callable[[], Awaitable[Engine]]) -> list[Any]:
    """Register the routes by `connection.fetch.register({path, methods, requestBody, fetch})`; their disposers.

    Raises whatever the host raises, and then nothing is left registered.
    """
    disposers: list[Any] = []
    try:
        for path, allowed, body in ROUTES:
            fetch = partial(_answered, engine, allowed, body)
            route = {"path": path, "methods": [allowed], "requestBody": "buffered", "fetch": fetch}
            disposers.append(connection.fetch.register(route))
    except Exception:
        for dispose in disposers:
            if callable(dispose):
                dispose()
        raise
    return disposers


async def _answered(engine: Callable[[], Awaitable[Engine]], method: str, body: Body, request: Any) -> RouteAnswer:
    if method == "POST" and _media(request) != "application/json":
        return _json(415, {"ok": False, "error": "the Content-Type must be application/json"})
    return _json(200, await body(await engine()))


def _media(request: Any) -> str:
    headers = request.get("headers", {}) if isinstance(request, dict) else getattr(request, "headers", {})
    given = {str(name).lower(): str(value) for name, value in dict(headers or {}).items()}
    return given.get("content-type", "").partition(";")[0].strip().lower()


def _json(status: int, body: dict[str, Any]) -> RouteAnswer:
    headers = {"content-type": "application/json", "cache-control": "no-store"}
    return RouteAnswer(status=status, headers=headers, body=msgspec.json.encode(body))
