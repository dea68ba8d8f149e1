"""The store on disk: one SQLite file in WAL mode, shared by every process of one user on one machine."""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio

from fanseek.state.store import Change, MemoryStore

log = logging.getLogger("fanseek.state")

BUSY_S = 0.5
"""How long another process's write is waited for, in seconds."""

PAUSE_S = 0.005
"""Between two tries at what SQLite does not wait for by itself, in seconds."""

SCHEMA = "CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"


class SqliteStore:
    """`state.sqlite3` in a folder of its own, created when first written to, readable by its owner only.

    A file that is locked, corrupt, read-only or on a full disk costs no search: memory takes its place, and the
    log says so once. A corrupt file is set aside as `state.sqlite3.bad`, which is why nothing here waits for the disk
    to be safe from a power cut.
    """

    shared = True

    def __init__(self, folder: Path) -> None:
        self.path = folder / "state.sqlite3"
        self._memory = MemoryStore()
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._limiter = anyio.CapacityLimiter(1)
        self._ended = False
        self._lost = False
        self._said = False

    async def transact(self, prefix: str, changes: Mapping[str, Change]) -> dict[str, bytes]:
        """Make `changes`, all or none, and return every row whose name then starts with `prefix`."""
        if not self._lost:
            try:
                return await anyio.to_thread.run_sync(
                    self._transact, prefix, changes, limiter=self._limiter, abandon_on_cancel=True
                )
            except (sqlite3.Error, OSError) as problem:
                self._fall_back(problem)
        return await self._memory.transact(prefix, changes)

    async def close(self) -> None:
        """Close the file."""
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(self._end, limiter=self._limiter)

    def _fall_back(self, problem: Exception) -> None:
        """Keep to memory: for good, unless another process only held the file for too long."""
        busy = isinstance(problem, sqlite3.OperationalError) and "locked" in str(problem)
        self._lost = not busy
        if not self._said:
            self._said = True
            log.warning("%s can't be used (%s); breaker and pacing are kept in memory", self.path, problem)

    def _transact(self, prefix: str, changes: Mapping[str, Change]) -> dict[str, bytes]:
        with self._lock:
            if self._ended:
                return {}
            try:
                return self._once(prefix, changes)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError as problem:
                log.warning("%s is corrupt (%s) and was set aside; starting anew", self.path, problem)
                self._set_aside()
                return self._once(prefix, changes)

    def _once(self, prefix: str, changes: Mapping[str, Change]) -> dict[str, bytes]:
        if not changes and self._connection is None and not self.path.exists():
            return {}
        connection = self._open()
        if changes:
            with _immediate(connection):
                for name, change in changes.items():
                    _change(connection, name, change)
                rows = _rows(connection, prefix)
        else:
            rows = _rows(connection, prefix)
        gone = dict.fromkeys(name for name in self._memory.rows if name.startswith(prefix))
        self._memory.keep({**gone, **rows})
        return rows

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            connection = sqlite3.connect(self.path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                _use_wal(connection)
                connection.execute("PRAGMA synchronous=OFF")
                connection.execute(SCHEMA)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _set_aside(self) -> None:
        self._close()
        self.path.replace(self.path.with_name(self.path.name + ".bad"))
        for suffix in ("-wal", "-shm"):
            self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)

    def _end(self) -> None:
        """Close behind any transaction whose caller has stopped waiting."""
        with self._lock:
            self._ended = True
            self._close()

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


def _use_wal(connection: sqlite3.Connection) -> None:
    """Turn the file to WAL mode once; SQLite refuses that at once, busy timeout or not, while another opens it."""
    end = time.monotonic() + BUSY_S
    while True:
        try:
            if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as problem:
            if "locked" not in str(problem) or time.monotonic() >= end:
                raise
            time.sleep(PAUSE_S)
        else:
            return


@contextmanager
def _immediate(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that holds the write lock from its start, so that what it reads is what it changes."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _change(connection: sqlite3.Connection, name: str, change: Change) -> None:
    row = connection.execute("SELECT value FROM state WHERE name = ?", (name,)).fetchone()
    value = change(bytes(row[0]) if row and isinstance(row[0], bytes) else None)
    if value is None:
        connection.execute("DELETE FROM state WHERE name = ?", (name,))
    else:
        connection.execute("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", (name, value))


def _rows(connection: sqlite3.Connection, prefix: str) -> dict[str, bytes]:
    found = connection.execute("SELECT name, value FROM state WHERE substr(name, 1, ?) = ?", (len(prefix), prefix))
    return {name: value for name, value in found if isinstance(value, bytes)}
