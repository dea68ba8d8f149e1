"""Modules that take a moment to load, loaded in a thread, so that a server answers meanwhile."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

import anyio


async def loaded(name: str) -> ModuleType:
    """The module `name`, and with it what every engine needs. Raises ConfigError."""

    def load() -> ModuleType:
        from fanseek.engine.opening import NEEDED
        from fanseek.registry import backends

        for needed in NEEDED:
            import_module(needed)
        backends()
        return import_module(name)

    return await anyio.to_thread.run_sync(load)
