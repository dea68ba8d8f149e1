"""The engine behind the tools: opened while the client still reads what tools there are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup

from fanseek.surface.following import Following
from fanseek.surface.loading import loaded
from fanseek.telemetry import Listener

if TYPE_CHECKING:
    from fanseek.engine import Engine

Opening = Callable[[Listener], "AbstractAsyncContextManager[Engine]"]
"""Opens an engine that tells the listener what happens. It may fail, and is tried again then."""

ANSWERS = "fanseek.surface.mcp.answers"


class Backing:
    """One engine in `group`."""

    def __init__(self, group: TaskGroup, opening: Opening) -> None:
        self.following = Following()
        self._group = group
        self._opening = opening
        self._engine: Engine | None = None
        self._problem: Exception | None = None
        self._ready: anyio.Event | None = None

    def begin(self) -> None:
        """Open the engine, unless it is open or being opened."""
        if self._ready is None:
            self._ready, self._problem = anyio.Event(), None
            self._group.start_soon(self._keep, self._ready, name="fanseek engine")

    async def engine(self) -> Engine:
        """The open engine. Raises what its opening has raised."""
        self.begin()
        if self._ready is not None:
            await self._ready.wait()
        if self._engine is None:
            raise self._problem or RuntimeError("the engine has been closed")
        return self._engine

    async def _keep(self, ready: anyio.Event) -> None:
        try:
            await loaded(ANSWERS)
            async with self._opening(self.following) as self._engine:
                ready.set()
                await anyio.sleep_forever()
        except Exception as problem:  # noqa: BLE001 - whoever calls a tool is told
            self._problem = _single(problem)
        finally:
            self._engine = self._ready = None
            ready.set()


def _single(problem: Exception) -> Exception:
    """The one error that a group holds, however deep."""
    while isinstance(problem, ExceptionGroup) and len(problem.exceptions) == 1:
        (problem,) = problem.exceptions
    return problem
