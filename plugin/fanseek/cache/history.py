"""The last searches: a ring in one JSON file, newest first, which any number of processes may add to."""

from __future__ import annotations

import codecs
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from fanseek.cache.lock import locked
from fanseek.cache.replacing import replace, sweep
from fanseek.text.cut import cut

log = logging.getLogger("fanseek.cache")

FILE = "history.json"
MOST = 50
LONGEST_QUERY = 500
"""Characters of a query that are kept."""

LOCK_PATIENCE_S = 10.0
"""How long other processes are waited for, in seconds; each holds the lock for about a millisecond."""

READ_MOST = 4_000_000
"""Bytes; a file of ours is far shorter."""


class HistoryEntry(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One search: what was asked, when, and how it went. Nothing that was found."""

    query: str
    time: int
    """Unix milliseconds."""
    result_count: int
    backends_ok: int
    """Backends that answered, also with nothing; for a result of the cache, when it was made."""
    backends_total: int
    """Backends that were considered."""


class HistoryFile:
    """`history.json`. Whoever changes it holds `history.json.lock`, reads it anew and replaces it whole."""

    def __init__(self, path: Path, *, most: int = MOST, patience_s: float = LOCK_PATIENCE_S) -> None:
        self.path = path
        self.most = most
        self._patience_s = patience_s
        self._lock = path.with_name(path.name + ".lock")
        self._said = False

    def entries(self) -> tuple[HistoryEntry, ...]:
        """Newest first. Of a damaged file, the rows that can be read. Raises OSError."""
        try:
            with self.path.open("rb") as file:
                body = file.read(READ_MOST)
        except FileNotFoundError:
            return ()
        return tuple(_rows(body))[: self.most]

    def add(self, latest: Sequence[HistoryEntry]) -> None:
        """Put searches, given oldest first, before the others; the oldest of all leave the ring. Raises OSError."""
        if not latest:
            return
        with locked(self._lock, self._patience_s) as held:
            self._warn_unless(held)
            rows = [*map(_bounded, reversed(latest)), *self.entries()][: self.most]
            replace(self.path, b"[\n" + b",\n".join(map(msgspec.json.encode, rows)) + b"\n]\n")
            sweep(self.path.parent, self.path.stem)

    def clear(self) -> None:
        """Forget every search, also in what a killed process has left. Raises OSError."""
        if not self.path.parent.is_dir():
            return
        with locked(self._lock, self._patience_s):
            self.path.unlink(missing_ok=True)
            sweep(self.path.parent, self.path.stem, older_than_s=0.0)

    def _warn_unless(self, held: bool) -> None:
        if not held and not self._said:
            self._said = True
            log.warning("%s can't be locked; of searches that end at the same moment, one may not be kept", self.path)


def _bounded(entry: HistoryEntry) -> HistoryEntry:
    whole = entry.query.encode("utf-8", errors="replace").decode("utf-8")
    return msgspec.structs.replace(entry, query=cut(whole, LONGEST_QUERY))


def _rows(body: bytes) -> Iterable[HistoryEntry]:
    """Every row of a file that is whole; of one that is not, every line that still holds a row."""
    body = body.removeprefix(codecs.BOM_UTF8)
    try:
        parts: Iterable[bytes | msgspec.Raw] = msgspec.json.decode(body, type=list[msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        parts = (line.strip(b" \t\r,[]") for line in body.split(b"\n"))
    for part in parts:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            yield msgspec.json.decode(part, type=HistoryEntry)
