"""The history as the engine keeps it: every search noted when it ends, and written when its caller has the answer."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeVar

import anyio

from fanseek.cache.history import LONGEST_QUERY, HistoryEntry, HistoryFile
from fanseek.config.settings import Settings
from fanseek.fanout.call import Clean
from fanseek.telemetry import Event, SearchEnded
from fanseek.types import HEARD, Clock

log = logging.getLogger("fanseek.engine")

PATIENCE_S = 2.5
"""How long the history file may hold up whoever asks for it, and the engine's end, in seconds."""

LOCK_PATIENCE_S = 2.0
"""How long one try waits for other processes, in seconds; there is another one with the next search."""

T = TypeVar("T")


class Journal:
    """Searches that have ended, on their way to `file`. What can't be written is kept in memory and tried again."""

    def __init__(self, file: HistoryFile, *, clock: Clock, clean: Clean) -> None:
        self._enabled = True
        self._file = file
        self._clock = clock
        self._clean = clean
        self._ended: deque[tuple[int, SearchEnded]] = deque(maxlen=file.most)
        self._due = anyio.Event()
        self._limiter = anyio.CapacityLimiter(1)
        self._unwritten: list[HistoryEntry] = []
        self._guard = threading.Lock()
        self._turn = threading.Lock()
        self._said = False

    def follow(self, settings: Settings) -> None:
        """Keep searches from now on, or keep none, as `settings` have it."""
        self._enabled = settings.history_enabled

    def hear(self, event: Event) -> None:
        """Note a search that has ended, found or failed, from the cache or not; a probe is none."""
        if self._enabled and isinstance(event, SearchEnded) and not event.probe:
            self._ended.append((int(self._clock() * 1000), event))
            self._due.set()

    async def keep_writing(self) -> None:
        """Write every search soon after it has ended, for as long as the engine lives."""
        while True:
            await self._due.wait()
            self._due = anyio.Event()
            await self._off_loop(self._write)

    async def flush(self) -> None:
        """Write what is not written yet, within `PATIENCE_S`."""
        with anyio.move_on_after(PATIENCE_S):
            await self._off_loop(self._write)

    async def entries(self) -> tuple[HistoryEntry, ...]:
        """The last searches, newest first, those that could not be written included."""
        with anyio.move_on_after(PATIENCE_S):
            return await self._off_loop(self._read)
        return ()

    async def clear(self) -> bool:
        """Forget every search; whether that could be done."""
        with anyio.move_on_after(PATIENCE_S):
            return await self._off_loop(self._forget)
        return False

    async def _off_loop(self, work: Callable[[], T]) -> T:
        """`work` in a thread, one at a time. It sees every search that has ended by now."""
        noted = [self._entry(at, event) for at, event in self._ended]
        self._ended.clear()
        with self._guard:
            self._unwritten = (self._unwritten + noted)[-self._file.most :]
        return await anyio.to_thread.run_sync(self._alone, work, limiter=self._limiter, abandon_on_cancel=True)

    def _alone(self, work: Callable[[], T]) -> T:
        with self._turn:
            return work()

    def _entry(self, at: int, event: SearchEnded) -> HistoryEntry:
        return HistoryEntry(
            query=self._clean(event.result.query[: 2 * LONGEST_QUERY]),
            time=at,
            result_count=len(event.result.sources),
            backends_ok=sum(outcome.status in HEARD for outcome in event.outcomes),
            backends_total=len(event.outcomes),
        )

    def _write(self) -> None:
        with self._guard:
            latest, self._unwritten = self._unwritten, []
        try:
            self._file.add(latest)
        except OSError as problem:
            with self._guard:
                self._unwritten = (latest + self._unwritten)[-self._file.most :]
            self._warn(problem)

    def _read(self) -> tuple[HistoryEntry, ...]:
        self._write()
        try:
            kept = self._file.entries()
        except OSError as problem:
            kept = ()
            self._warn(problem)
        with self._guard:
            return (*reversed(self._unwritten), *kept)[: self._file.most]

    def _forget(self) -> bool:
        with self._guard:
            self._unwritten = []
        try:
            self._file.clear()
        except OSError as problem:
            self._warn(problem)
            return False
        return True

    def _warn(self, problem: OSError) -> None:
        if not self._said:
            self._said = True
            log.warning("the history %s can't be used (%s); searches go on without", self._file.path, problem)
