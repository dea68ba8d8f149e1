"""Engines that stay open between requests: one for each place that state, cache and history are kept in."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import TaskGroup

from fanseek.engine import Engine, open_engine
from fanseek.surface.following import Following
from fanseek.surface.worker.asked import Common, Place
from fanseek.surface.worker.settings import Usable, usable

log = logging.getLogger("fanseek.surface")

MOST = 4
"""Engines that are open at once; the one that was used longest ago makes room."""


class Kept:
    """An engine on its way, open, or failed; and what it was last told."""

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self.problem: Exception | None = None
        self.following = Following()
        self.users = 0
        self.ready, self.over = anyio.Event(), anyio.Event()
        self._given: Mapping[str, Any] | None = None
        self.settings = Usable({})
        self.keys: Mapping[str, str | None] = {}

    def told(self, asked: Common) -> bool:
        """Take over the settings and keys of a request; whether the settings are others than before."""
        if asked.keys is not None:
            self.keys = asked.keys
        if asked.settings is None or asked.settings == self._given:
            return False
        self._given, self.settings = asked.settings, usable(asked.settings)
        return True

    def key(self, name: str) -> str | None:
        """The host's key of that name."""
        return self.keys.get(name)


class Engines:
    """Opened as they are asked for, in `group`."""

    def __init__(self, group: TaskGroup) -> None:
        self._group = group
        self._kept: dict[Place, Kept] = {}

    @asynccontextmanager
    async def engine(self, asked: Common) -> AsyncIterator[tuple[Engine, Kept]]:
        """An open engine that has the settings, keys and folders of `asked`. Raises FanseekError, RpcError."""
        kept = self._at(asked.where)
        kept.users += 1
        try:
            await kept.ready.wait()
            if kept.engine is None:
                raise kept.problem or RuntimeError("the engine was closed before it was open")
            if kept.told(asked):
                kept.engine.configure(kept.settings.values)
            yield kept.engine, kept
        finally:
            kept.users -= 1

    def _at(self, place: Place) -> Kept:
        kept = self._kept.pop(place, None)
        if kept is None:
            folders = {f"{name}_dir": place.folder(name) for name in place.__struct_fields__}
            kept = Kept()
            self._group.start_soon(self._keep, place, kept, folders, name="fanseek engine")
            self._make_room()
        self._kept[place] = kept
        return kept

    def _make_room(self) -> None:
        idle = [place for place, kept in self._kept.items() if not kept.users]
        for place in idle[: max(0, len(self._kept) + 1 - MOST)]:
            self._kept.pop(place).over.set()

    async def _keep(self, place: Place, kept: Kept, folders: Mapping[str, Any]) -> None:
        try:
            async with open_engine(credentials=kept.key, on_event=kept.following, **folders) as kept.engine:
                kept.ready.set()
                await kept.over.wait()
        except Exception as problem:  # noqa: BLE001 - who waits for the engine is told
            kept.problem = problem
            log.debug("an engine could not be opened or closed: %s", type(problem).__name__)
        finally:
            kept.engine = None
            kept.ready.set()
            if self._kept.get(place) is kept:
                del self._kept[place]
