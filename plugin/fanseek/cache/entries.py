"""Results on disk: a file an entry, checked when read, the oldest leaving, and what was asked of them counted."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Literal, get_args

import msgspec

from fanseek.cache.replacing import replace, sweep
from fanseek.types import SCHEMA, SearchResult

FOLDER = "results"
"""Below the cache folder."""

MOST_ENTRIES = 512
READ_MOST = 8_000_000
"""Bytes; an entry of ours is far shorter."""

Lookup = Literal["hits", "misses", "errors"]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """What one file holds. `stored_at` is Unix time in seconds."""

    key: str
    stored_at: float
    result: SearchResult


class Stats(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the cache, and how often something was looked up in it since it was last cleared."""

    entries: int
    size: int
    """Bytes."""
    hits: int
    misses: int
    errors: int
    """Reads and writes that the disk refused; each cost a repeated search at most."""


class Entries:
    """The files in `folder`, shared by every process of this user. Every method may raise OSError."""

    def __init__(self, folder: Path, *, most: int = MOST_ENTRIES) -> None:
        self.folder = folder
        self._most = most

    def read(self, key: str) -> Entry | None:
        """The entry under `key`. One that is not whole is none, and is removed."""
        try:
            with self._path(key).open("rb") as file:
                body = file.read(READ_MOST)
        except FileNotFoundError:
            return None
        try:
            entry = msgspec.json.decode(body, type=Entry)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            entry = None
        if entry is None or entry.key != key or entry.result.schema != SCHEMA:
            self.remove(key)
            return None
        return entry

    def write(self, entry: Entry) -> None:
        """Keep `entry`, the later one where several write the same; the oldest leave when there are too many."""
        replace(self._path(entry.key), msgspec.json.encode(entry))
        files = self._files()
        if len(files) > self._most:
            for file in sorted(files, key=_written)[: len(files) - self._most]:
                with suppress(OSError):
                    Path(file).unlink()
        sweep(self.folder)

    def remove(self, key: str) -> None:
        """Forget `key`, where that is possible."""
        with suppress(OSError):
            self._path(key).unlink()

    def note(self, lookup: Lookup) -> None:
        """Count a lookup: one byte more, which no other process can undo and no lock must guard."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._tally(lookup), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, b".")
        finally:
            os.close(descriptor)

    def stats(self) -> Stats:
        """What is there now."""
        sizes = [_size(Path(file)) for file in self._files()]
        return Stats(
            entries=len(sizes),
            size=sum(sizes),
            hits=_size(self._tally("hits")),
            misses=_size(self._tally("misses")),
            errors=_size(self._tally("errors")),
        )

    def clear(self) -> int:
        """Remove every entry and count from nought; how many entries there were. Raises OSError."""
        files = self._files()
        for path in (*map(Path, files), *map(self._tally, get_args(Lookup))):
            path.unlink(missing_ok=True)
        sweep(self.folder)
        return len(files)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"

    def _tally(self, lookup: Lookup) -> Path:
        return self.folder / f"{lookup}.tally"

    def _files(self) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self.folder) as found:
                return [file for file in found if file.name.endswith(".json")]
        except FileNotFoundError:
            return []


def _written(file: os.DirEntry[str]) -> float:
    with suppress(OSError):
        return file.stat().st_mtime
    return 0.0


def _size(path: Path) -> int:
    with suppress(OSError):
        return path.stat().st_size
    return 0
