"""The history at a host's `connection` service, which guards its routes itself (facts 6.1, 6.2)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import msgspec

from fanseek.engine import Engine
from fanseek.surface.routes.fence import NO_JSON, is_json
from fanseek.surface.routes.history import ROUTES, Body


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
        for path, (allowed, body) in ROUTES.items():
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
    if method == "POST" and not is_json(_headers(request)):
        return _json(NO_JSON.status, {"ok": False, "error": NO_JSON.reason})
    return _json(200, await body(await engine()))


def _headers(request: Any) -> dict[str, str]:
    headers = request.get("headers", {}) if isinstance(request, dict) else getattr(request, "headers", {})
    return {str(name).lower(): str(value) for name, value in dict(headers or {}).items()}


def _json(status: int, body: dict[str, Any]) -> RouteAnswer:
    headers = {"content-type": "application/json", "cache-control": "no-store"}
    return RouteAnswer(status=status, headers=headers, body=msgspec.json.encode(body))
