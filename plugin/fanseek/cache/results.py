"""Whole results on disk: a file an entry, written aside and renamed, checked when read, never worth a failed search."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

import anyio
import msgspec

from fanseek.contract import BackendSettings
from fanseek.text.urls import result_url
from fanseek.types import SCHEMA, Clock, SearchRequest, SearchResult, Source

log = logging.getLogger("fanseek.cache")

FORM = 1
"""Raised when the same search would come out otherwise than before, so that old entries are not found."""

MOST_ENTRIES = 512
RENAME_TRIES, RENAME_PAUSE_S = 10, 0.05
"""On Windows a reader or a virus scanner may hold the target for a moment."""

T = TypeVar("T")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What one file holds. `stored_at` is Unix time in seconds."""

    key: str
    stored_at: float
    result: SearchResult


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A result found in the cache, and how old it is, in seconds."""

    result: SearchResult
    age_s: float


def cache_key(request: SearchRequest, told: Mapping[str, BackendSettings]) -> str:
    """A hash of everything that changes the answer: the request, and what each backend was told; never a key."""
    asked = msgspec.structs.replace(request, session="")
    whole = msgspec.json.encode((SCHEMA, FORM, asked, sorted(told.items())), order="deterministic")
    return blake2b(whole, digest_size=16).hexdigest()


class ResultCache:
    """Results by key in `folder`, for `ttl_s` seconds each, the oldest leaving when there are more than `most`."""

    def __init__(self, folder: Path, *, ttl_s: float, clock: Clock, most: int = MOST_ENTRIES) -> None:
        self.folder = folder
        self._ttl_s = ttl_s
        self._clock = clock
        self._most = most
        self._limiter = anyio.CapacityLimiter(4)

    async def get(self, key: str) -> Hit | None:
        """The result under `key` while it is fresh; a bad entry is a miss and is deleted."""
        return await self._off_loop(lambda: self._read(key))

    async def put(self, key: str, result: SearchResult) -> None:
        """Keep `result`. A full or read-only disk keeps nothing and says so in the log."""
        entry = Entry(key=key, stored_at=self._clock(), result=result)
        await self._off_loop(lambda: self._write(key, msgspec.json.encode(entry)))

    async def _off_loop(self, work: Callable[[], T]) -> T | None:
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._limiter, abandon_on_cancel=True)
        except OSError as problem:
            log.info("the result cache in %s can't be used: %s", self.folder, problem)
            return None

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _read(self, key: str) -> Hit | None:
        path = self._path(key)
        try:
            entry = msgspec.json.decode(path.read_bytes(), type=Entry)
        except FileNotFoundError:
            return None
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            entry = None
        age = self._clock() - entry.stored_at if entry else -1.0
        if entry is None or entry.key != key or entry.result.schema != SCHEMA or not 0 <= age < self._ttl_s:
            with suppress(OSError):
                path.unlink()
            return None
        return Hit(result=_safe(entry.result), age_s=age)

    def _write(self, key: str, body: bytes) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        aside = self.folder / f".{uuid4().hex}.part"
        try:
            with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(body)
            _rename(aside, self._path(key))
        finally:
            with suppress(OSError):
                aside.unlink()
        self._evict()

    def _evict(self) -> None:
        entries = list(self.folder.glob("*.json"))
        if len(entries) > self._most:
            for path in sorted(entries, key=_written)[: len(entries) - self._most]:
                with suppress(OSError):
                    path.unlink()


def _safe(result: SearchResult) -> SearchResult:
    """`result` with only such links as could have come from a backend, whoever has written the file."""
    sources: tuple[Source, ...] = tuple(source for source in result.sources if result_url(source.url) == source.url)
    return msgspec.structs.replace(result, sources=sources)


def _written(path: Path) -> float:
    with suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _rename(aside: Path, target: Path, platform: str = sys.platform) -> None:
    """Put `aside` in the place of `target`; where a moment's hold can prevent that, try for a moment."""
    tries = RENAME_TRIES if platform == "win32" else 1
    for left in range(tries - 1, -1, -1):
        try:
            aside.replace(target)
        except PermissionError:
            if not left:
                raise
            time.sleep(RENAME_PAUSE_S)
        else:
            return
