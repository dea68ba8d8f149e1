"""Virtual time for both event loops: when every task waits, the clock jumps to the next thing due."""

from __future__ import annotations

import asyncio
import selectors
from typing import Any

import trio.testing


class _Jumping(selectors.DefaultSelector):
    """Waits for no time: moves `ahead` instead. With nothing due at all it waits for the other threads."""

    ahead = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if ready or timeout == 0:
            return ready
        if timeout is None:
            return super().select(None)
        self.ahead += max(timeout, 0.0)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only while nothing else can happen."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.ahead


def virtual(backend: str) -> tuple[str, dict[str, Any]]:
    """`anyio_backend` for one test in virtual time."""
    if backend == "trio":
        return backend, {"clock": trio.testing.MockClock(autojump_threshold=0)}
    return backend, {"loop_factory": VirtualLoop}
