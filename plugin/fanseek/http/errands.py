"""Short jobs that outlive the call they belong to, such as taking back a request that was cancelled."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Self

import anyio
from anyio.abc import TaskGroup

log = logging.getLogger("fanseek.http")

CLOSING_S = 0.05
"""What an urgent errand may still take once its owner closes, in seconds."""


class Errands:
    """Runs jobs beside everything else, each within its budget. None of them can fail or delay anyone."""

    def __init__(self) -> None:
        self._tasks: TaskGroup
        self._open = False
        self._urgent: set[anyio.CancelScope] = set()

    async def __aenter__(self) -> Self:
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self._open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self._open = False
        for scope in self._urgent:
            scope.deadline = min(scope.deadline, anyio.current_time() + CLOSING_S)
        self._tasks.cancel_scope.cancel()
        await self._tasks.__aexit__(None, None, None)

    def start(self, job: Callable[[], Awaitable[object]], *, budget_s: float, urgent: bool = False) -> None:
        """Begin `job`; an urgent one is let finish for a moment even while its owner closes."""
        if self._open:
            self._tasks.start_soon(self._run, job, budget_s, urgent)

    async def _run(self, job: Callable[[], Awaitable[object]], budget_s: float, urgent: bool) -> None:
        with anyio.CancelScope(shield=urgent, deadline=anyio.current_time() + budget_s) as scope:
            if urgent:
                self._urgent.add(scope)
            if urgent and not self._open:
                scope.deadline = min(scope.deadline, anyio.current_time() + CLOSING_S)
            try:
                await job()
            except Exception as problem:  # noqa: BLE001 - nobody waits for the job, and nobody may fall with it
                log.debug("an errand failed: %s", type(problem).__name__)
            finally:
                self._urgent.discard(scope)
