"""Fanseek as a library, pointed at the sandbox: no cache, no history, no state on disk, no pacing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import fanseek

CROWD = 50
"""Calls in flight to one backend: the most the setting allows."""


@asynccontextmanager
async def opened(upstream: dict[str, Any]) -> AsyncIterator[Callable[[str], Awaitable[int]]]:
    """A search function over the sandbox's addresses in `upstream`."""
    async with fanseek.open_engine({**upstream["settings"], "concurrency": CROWD}) as engine:

        async def count(query: str) -> int:
            result = await engine.search(query, max_results=upstream["wanted"])
            return result.total - result.deduped if result.status == "ok" else -1

        yield count
