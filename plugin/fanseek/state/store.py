"""Small rows that several searches, and where a disk is given several processes, change together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

Change = Callable[[bytes | None], bytes | None]
"""A row's new value from its old one; None is no row. Pure: it may be called again."""


class Store(Protocol):
    """Named rows of bytes. No method raises because of a disk."""

    shared: bool
    """Whether other processes may change the rows."""

    async def transact(self, prefix: str, changes: Mapping[str, Change]) -> dict[str, bytes]:
        """Make `changes`, all or none, and return every row whose name then starts with `prefix`."""

    async def close(self) -> None:
        """Let go of files; further calls are not allowed."""


class MemoryStore:
    """Rows of one process, gone with it."""

    shared = False

    def __init__(self) -> None:
        self.rows: dict[str, bytes] = {}

    async def transact(self, prefix: str, changes: Mapping[str, Change]) -> dict[str, bytes]:
        """Make `changes`, all or none, and return every row whose name then starts with `prefix`."""
        values = {name: change(self.rows.get(name)) for name, change in changes.items()}
        self.keep(values)
        return {name: value for name, value in self.rows.items() if name.startswith(prefix)}

    def keep(self, values: Mapping[str, bytes | None]) -> None:
        """Set each row, or drop it where its value is None."""
        for name, value in values.items():
            if value is None:
                self.rows.pop(name, None)
            else:
                self.rows[name] = value

    async def close(self) -> None:
        """Nothing to let go of."""


def opened(folder: Path | None) -> Store:
    """The store in `folder`, or one in memory where no folder is given."""
    if folder is None:
        return MemoryStore()
    from fanseek.state.sqlite import SqliteStore

    return SqliteStore(folder)
