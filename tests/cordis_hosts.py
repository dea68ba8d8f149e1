"""Real Cordis runtimes behind one face: mount, unmount, update, provide, read. All of them run on asyncio."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from types import SimpleNamespace
from typing import Any

import anyio

from fanseek.sandbox import Sandbox


class Host(ABC):
    """A root context of one runtime. `updates` says whether it has an update of its own, which keeps the old
    configuration when the new one is wrong."""

    name: str
    updates = False

    def __init__(self) -> None:
        self.ctx = self.root()

    @staticmethod
    @abstractmethod
    def root() -> Any:
        """A new root context."""

    async def mount(self, plugin: Any, config: Any = None) -> Any:
        """The handle of a mounted plugin, settled: active, waiting for a service, or failed."""
        handle = self.ctx.plugin(plugin, config)
        await self.settle(handle)
        return handle

    @abstractmethod
    async def unmount(self, handle: Any) -> None: ...

    @abstractmethod
    def is_active(self, handle: Any) -> bool: ...

    @abstractmethod
    async def settle(self, handle: Any) -> None: ...

    async def update(self, plugin: Any, handle: Any, config: Any) -> Any:
        """A new configuration: by unmounting and mounting, where the runtime has no update."""
        await self.unmount(handle)
        return await self.mount(plugin, config)

    def get(self, name: str) -> Any:
        return self.ctx.get(name)

    async def provide(self, name: str, value: Any) -> Any:
        """The handle of a plugin that does nothing but provide `value`."""
        return await self.mount(
            SimpleNamespace(
                name=f"gives-{name}", affects="environment", apply=lambda ctx, _config: self.give(ctx, name, value)
            )
        )

    @staticmethod
    def give(ctx: Any, name: str, value: Any) -> None:
        ctx.provide(name, value)


class DeepseekCordis(Host):
    name = "deepseek-cordis"

    @staticmethod
    def root() -> Any:
        from deepseek_cordis import Context

        return Context()

    async def settle(self, handle: Any) -> None:
        from contextlib import suppress

        with suppress(Exception):  # a fiber that has failed says so again
            await handle

    async def unmount(self, handle: Any) -> None:
        await handle.dispose()

    def is_active(self, handle: Any) -> bool:
        return handle.state.name == "ACTIVE"


class Ouroboros(DeepseekCordis):
    name = "cordis-ouroboros"
    updates = True

    @staticmethod
    def root() -> Any:
        from ouroboros import Context

        return Context()

    async def update(self, _plugin: Any, handle: Any, config: Any) -> Any:
        await handle.update(config)
        return handle


class Cordispy(Host):
    name = "cordispy"

    @staticmethod
    def root() -> Any:
        from cordispy import Context

        return Context()

    async def settle(self, _handle: Any) -> None:
        await self.ctx.registry.settle()

    async def unmount(self, handle: Any) -> None:
        await handle.retire()
        await self.ctx.registry.settle()

    def is_active(self, handle: Any) -> bool:
        return handle.state.name == "ACTIVE"

    @staticmethod
    def give(ctx: Any, name: str, value: Any) -> None:
        ctx.set(name, value)


class Phern(Host):
    """pH's runtime, whose tree is settled on demand. It needs Python 3.12: see tests/hosts/phern."""

    name = "phern"

    @staticmethod
    def root() -> Any:
        from ph.cordis import Context

        return Context()

    async def settle(self, handle: Any) -> None:
        for _ in range(2):
            try:
                await self.ctx.reconcile()
            except Exception:  # noqa: BLE001 - a row that fails is raised once, and stands as failed
                assert handle.state == "failed"

    async def unmount(self, handle: Any) -> None:
        await handle.dispose()

    def is_active(self, handle: Any) -> bool:
        return bool(handle.state == "active")


HOSTS: tuple[type[Host], ...] = (
    (Phern,)
    if os.environ.get("CORDIS_HOST") == Phern.name
    else (
        DeepseekCordis,
        Ouroboros,
        Cordispy,
    )
)


def hang(box: Sandbox) -> None:
    """Nobody answers."""
    for name in box.log:
        box.faults.set(name, "hang")


async def asked(box: Sandbox, calls: int = 1) -> None:
    """Returns once that many calls have been made."""
    with anyio.fail_after(10):
        while sum(len(requests) for requests in box.log.values()) < calls:  # noqa: ASYNC110 - another thread's log
            await anyio.sleep(0.005)
