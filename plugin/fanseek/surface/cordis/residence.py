"""An engine that lives in a task of its own: opened when first needed, shared by every search, closed on demand."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from contextvars import Context

import anyio
from anyio.lowlevel import current_token

from fanseek.engine import Engine
from fanseek.errors import FanseekError, UsageError

log = logging.getLogger("fanseek.host")

LEAVING_S = 8.0
"""How long the engine's end is waited for, in seconds; it writes what is not on disk yet."""

Live = Callable[[], Awaitable[None]]
Spawn = Callable[[Live], object]
"""Starts a task that outlives its caller; what it returns is kept, since loops hold their tasks weakly."""


def spawned(live: Live) -> object:
    """A task of the running event loop, outside of every task group.

    A host calls a plugin and returns, so no group can hold the engine. Cordis hosts all run on asyncio; other loops
    have no such tasks. Raises UsageError there.
    """
    create = getattr(current_token().native_token, "create_task", None)
    if create is None:
        raise UsageError("this plugin needs a host that runs on asyncio")
    task: object = create(live(), name="fanseek engine", context=Context())
    return task


class _Tenant:
    """One engine's time: known once it is open or can't be, ended once nothing of it runs."""

    def __init__(self) -> None:
        self.engine: Engine | None = None
        self.problem: Exception | None = None
        self.known, self.leave, self.ended = anyio.Event(), anyio.Event(), anyio.Event()
        self.task: object = None


class Residence:
    """Where the engine lives. One that has broken down is followed by a new one with the next search."""

    def __init__(self, opened: Callable[[], AbstractAsyncContextManager[Engine]], spawn: Spawn = spawned) -> None:
        self._opened = opened
        self._spawn = spawn
        self._tenant: _Tenant | None = None

    async def engine(self) -> Engine:
        """The one engine. Raises what kept it from opening."""
        tenant = self._tenant
        if tenant is None or tenant.ended.is_set():
            tenant = self._tenant = _Tenant()
            tenant.task = self._spawn(lambda: self._live(tenant))
        await tenant.known.wait()
        if tenant.engine is None:
            raise tenant.problem or UsageError("the engine has ended")
        return tenant.engine

    async def _live(self, tenant: _Tenant) -> None:
        try:
            async with self._opened() as engine:
                tenant.engine = engine
                tenant.known.set()
                await tenant.leave.wait()
        except Exception as problem:
            tenant.problem = problem
            if not isinstance(problem, FanseekError):
                log.exception("the search engine has ended")
        finally:
            tenant.engine = None
            tenant.known.set()
            tenant.ended.set()

    async def close(self) -> None:
        """Close the engine, if one is open, and wait for its end."""
        if self._tenant is None:
            return
        self._tenant.leave.set()
        with anyio.move_on_after(LEAVING_S, shield=True):
            await self._tenant.ended.wait()
