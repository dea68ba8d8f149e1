"""Searches made a while ago: found again while fresh, kept when everybody answered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import anyio
import msgspec

from fanseek.cache.results import ResultCache, cache_key
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend
from fanseek.select.plan import Plan, told
from fanseek.select.request import Wish
from fanseek.types import Clock, SearchResult

PATIENCE_S = 0.25
"""How long the cache may hold up a search, in seconds."""


class Recall:
    """The result cache as the engine uses it."""

    def __init__(self, cache: ResultCache, settings: Settings, backends: Mapping[str, AnyBackend]) -> None:
        self._cache = cache
        self._settings = settings
        self._backends = backends

    def key(self, asked: Wish, chosen: Plan) -> str:
        """The cache key of a search over every backend that was considered, cooling ones included."""
        names = [*(ask.backend.name for ask in chosen.asked), *(outcome.backend for outcome in chosen.skipped)]
        return cache_key(asked.request, {name: told(self._backends[name], self._settings) for name in names})

    async def find(self, key: str) -> SearchResult | None:
        """The result of the same search while it is fresh: its age on it, and no outcome, since nobody was asked."""
        hit = None
        with anyio.move_on_after(PATIENCE_S):
            hit = await self._cache.get(key)
        if hit is None:
            return None
        return msgspec.structs.replace(hit.result, outcomes=(), cached_age_s=hit.age_s)

    async def keep(self, key: str, result: SearchResult) -> None:
        """Keep `result`, unless it is empty or somebody failed: those must not last."""
        if result.status == "ok" and result.sources:
            with anyio.move_on_after(PATIENCE_S):
                await self._cache.put(key, result)


def recall(settings: Settings, backends: Mapping[str, AnyBackend], folder: Path | None, clock: Clock) -> Recall | None:
    """The cache below `folder`; None where there is no folder, or the settings have none."""
    if folder is None or not settings.cache_enabled:
        return None
    return Recall(ResultCache(folder / "results", ttl_s=settings.cache_ttl, clock=clock), settings, backends)
