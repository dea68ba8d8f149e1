"""The history's routes, the same at a harness, at a Python host and in the ASGI app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from fanseek.engine import Engine
from fanseek.surface.routes.bodies import cleared_body, history_body

Body = Callable[[Engine], Awaitable[dict[str, Any]]]

ROUTES: dict[str, tuple[str, Body]] = {
    "/api/websearch/history": ("GET", history_body),
    "/api/websearch/history/clear": ("POST", cleared_body),
}
"""By path: the method that is answered there, and with what."""
