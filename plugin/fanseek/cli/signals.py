"""SIGINT and SIGTERM as an event: the search ends with what it has. A second signal ends the process at once."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from types import FrameType

import anyio

SIGNALS = (signal.SIGINT, signal.SIGTERM)
GLANCE_S = 0.05
"""Where an event loop can't wait for signals (Windows), how often it looks."""


class Interruption:
    """Whether and by what signal the search was interrupted."""

    def __init__(self) -> None:
        self.stop = anyio.Event()
        self.number = 0

    @property
    def exit_code(self) -> int:
        """128 plus the signal's number, as shells have it; 0 when there was none."""
        return 128 + self.number if self.number else 0

    async def listen(self, received: AsyncIterator[int]) -> None:
        """Wait for signals."""
        async for number in received:
            if self.number:
                os._exit(self.exit_code)
            self.number = int(number)
            self.stop.set()


@asynccontextmanager
async def interruption() -> AsyncIterator[Interruption]:
    """Signals caught for as long as the block runs. The block must not raise."""
    found = Interruption()
    with ExitStack() as stack:
        try:
            received: AsyncIterator[int] = stack.enter_context(anyio.open_signal_receiver(*SIGNALS))
        except (NotImplementedError, RuntimeError, ValueError):
            received = _glances(stack.enter_context(_noted()))
        async with anyio.create_task_group() as group:
            group.start_soon(found.listen, received)
            yield found
            group.cancel_scope.cancel()


@contextmanager
def _noted() -> Iterator[list[int]]:
    """A list that signals are added to; stays empty outside of the main thread, where none arrive."""
    seen: list[int] = []

    def note(number: int, _frame: FrameType | None) -> None:
        seen.append(number)

    try:
        before = {number: signal.signal(number, note) for number in SIGNALS}
    except ValueError:
        yield seen
        return
    try:
        yield seen
    finally:
        for number, action in before.items():
            signal.signal(number, action)


async def _glances(seen: list[int]) -> AsyncIterator[int]:
    while True:
        while seen:
            yield seen.pop(0)
        await anyio.sleep(GLANCE_S)
