"""Searches made a while ago: found again while fresh, kept when everybody answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf
from pathlib import Path

import anyio
import msgspec

from fanseek.cache.entries import FOLDER
from fanseek.cache.key import cache_key
from fanseek.cache.results import ResultCache
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend
from fanseek.fanout.call import Clean
from fanseek.guard.keys import Keys
from fanseek.select.plan import Plan, resolved
from fanseek.select.request import Wish
from fanseek.types import Clock, Note, Outcome, SearchRequest, SearchResult

CURRENT_S = 300.0
"""How long what is of today may be answered from the cache, in seconds; less where `cacheTtl` is less (L1)."""

PATIENCE_S = 0.25
"""How long the cache may hold up a search, in seconds."""


class Recall:
    """The result cache as the engine uses it."""

    def __init__(
        self,
        cache: ResultCache,
        settings: Settings,
        backends: Mapping[str, AnyBackend],
        *,
        keys: Keys,
        clean: Clean,
    ) -> None:
        self._cache = cache
        self._settings = settings
        self._backends = backends
        self._keys = keys
        self._clean = clean

    def key(self, asked: Wish, chosen: Plan) -> str:
        """The cache key of a search over every backend that was considered, cooling ones included."""
        said = {ask.backend.name: ask.settings for ask in chosen.first}
        for name in (outcome.backend for outcome in chosen.skipped):
            said[name] = resolved(self._backends[name], self._settings, self._keys).settings
        told = {name: (own, bool(getattr(own, "key", ""))) for name, own in said.items()}
        return cache_key(asked.request, told, self._settings, asked.phrasing.parts)

    async def find(self, key: str, asked: Wish) -> SearchResult | None:
        """The result of the same search while it is fresh, as `asked` now and with its age on it.

        Its outcomes are those of the backends that made it.
        """
        hit = None
        with anyio.move_on_after(PATIENCE_S):
            hit = await self._cache.get(key, CURRENT_S if is_current(asked.request) else inf)
        if hit is None:
            return None
        notes = (*asked.notes, *hit.result.notes, *_less_than_whole(hit.result.outcomes))
        words = asked.phrasing
        return msgspec.structs.replace(
            hit.result,
            query=words.given,
            query_rewritten=words.rewritten,
            notes=notes,
            cached=True,
            cached_age_s=hit.age_s,
        )

    async def keep(self, key: str, asked: Wish, result: SearchResult) -> None:
        """Keep `result` without the notes on how it was asked for.

        Not one that is empty or that somebody's failure has thinned: those must not last. And none whose query holds
        a secret.
        """
        if result.status == "ok" and result.sources and self._clean(result.query) == result.query:
            notes = tuple(note for note in result.notes if note not in asked.notes)
            with anyio.move_on_after(PATIENCE_S):
                await self._cache.put(key, msgspec.structs.replace(result, notes=notes))


def is_current(request: SearchRequest) -> bool:
    """Whether only results of the last day are wished, or of today on."""
    return request.recency == "day" or "" < request.today <= request.since


def _less_than_whole(outcomes: Iterable[Outcome]) -> Iterable[Note]:
    """What a backend that answered could not deliver when the result was made."""
    for outcome in outcomes:
        said = (*((outcome.message,) if outcome.status == "partial" and outcome.message else ()), *outcome.warnings)
        yield from (Note(kind="when_cached", message=each, backend=outcome.backend) for each in said)


def recall(
    settings: Settings,
    backends: Mapping[str, AnyBackend],
    folder: Path | None,
    clock: Clock,
    *,
    keys: Keys,
    clean: Clean,
) -> Recall | None:
    """The cache below `folder`; None where there is no folder, or the settings have none."""
    if folder is None or not settings.cache_enabled:
        return None
    cache = ResultCache(folder / FOLDER, ttl_s=settings.cache_ttl, clock=clock)
    return Recall(cache, settings, backends, keys=keys, clean=clean)
