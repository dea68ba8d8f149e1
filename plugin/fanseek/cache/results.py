"""Whole results by key while they are fresh: kept on disk, off the event loop, never worth a failed search."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import TypeVar

import anyio
import msgspec

from fanseek.cache.entries import MOST_ENTRIES, Entries, Entry
from fanseek.text.urls import result_url
from fanseek.types import Clock, SearchResult, Source

log = logging.getLogger("fanseek.cache")

T = TypeVar("T")


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A result found in the cache, and how old it is, in seconds."""

    result: SearchResult
    age_s: float


class ResultCache:
    """Results by key in `folder`, for `ttl_s` seconds each, the oldest leaving when there are more than `most`."""

    def __init__(self, folder: Path, *, ttl_s: float, clock: Clock, most: int = MOST_ENTRIES) -> None:
        self.folder = folder
        self._entries = Entries(folder, most=most)
        self._ttl_s = ttl_s
        self._clock = clock
        self._limiter = anyio.CapacityLimiter(4)
        self._said = False

    async def get(self, key: str, most_s: float = inf) -> Hit | None:
        """The result under `key` while it is fresh, for `most_s` seconds at most.

        A file that can't be read, or holds no whole result, is a miss.
        """
        now, lasts_s = self._clock(), min(self._ttl_s, most_s)
        return await self._off_loop(lambda: self._read(key, now, lasts_s))

    async def put(self, key: str, result: SearchResult) -> None:
        """Keep `result`. A full or read-only disk keeps nothing; the log says so once."""
        entry = Entry(key=key, stored_at=self._clock(), result=result)
        await self._off_loop(lambda: self._entries.write(entry))

    async def _off_loop(self, work: Callable[[], T]) -> T | None:
        return await anyio.to_thread.run_sync(self._tried, work, limiter=self._limiter, abandon_on_cancel=True)

    def _tried(self, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except (OSError, ValueError) as problem:
            self._refused(problem)
            return None

    def _refused(self, problem: Exception) -> None:
        with suppress(OSError):
            self._entries.note("errors")
        if not self._said:
            self._said = True
            log.warning("the result cache in %s can't be used (%s); searches go on without", self.folder, problem)

    def _read(self, key: str, now: float, lasts_s: float) -> Hit | None:
        hit = self._fresh(key, now, lasts_s)
        with suppress(OSError):
            self._entries.note("hits" if hit else "misses")
        return hit

    def _fresh(self, key: str, now: float, lasts_s: float) -> Hit | None:
        entry = self._entries.read(key)
        if entry is None:
            return None
        age, result = now - entry.stored_at, _safe(entry.result)
        if 0 <= age < lasts_s and result.sources and result.status == "ok":
            return Hit(result=result, age_s=age)
        self._entries.remove(key)
        return None


def _safe(result: SearchResult) -> SearchResult:
    """`result` with only such links as could have come from a backend, whoever has written the file."""
    sources = tuple(_with_safe_members(source) for source in result.sources if _is_link(source.url))
    answers = tuple(
        msgspec.structs.replace(answer, citations=tuple(filter(_is_link, answer.citations)))
        for answer in result.answers
    )
    return msgspec.structs.replace(result, sources=sources, answers=answers)


def _with_safe_members(source: Source) -> Source:
    also = tuple(member for member in source.also if _is_link(member.url))
    return source if also == source.also else msgspec.structs.replace(source, also=also)


def _is_link(url: str) -> bool:
    return result_url(url) == url
