"""The engine in a task of its own, under any event loop where the host gives the tasks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from fanseek.errors import ConfigError, UsageError
from fanseek.surface.cordis.residence import Residence, spawned


class Engines:
    """Stand-ins for engines: counted as they come and go."""

    def __init__(self) -> None:
        self.open = 0
        self.opened = 0
        self.closed = 0
        self.fault: Exception | None = None
        self.breakdown = anyio.Event()

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[Any]:
        await anyio.lowlevel.checkpoint()
        if self.fault:
            raise self.fault
        self.opened += 1
        self.open += 1
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._break)
                yield self.opened
                group.cancel_scope.cancel()
        finally:
            self.open -= 1
            self.closed += 1

    async def _break(self) -> None:
        await self.breakdown.wait()
        raise OSError("the engine broke")


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
async def nothing_stays() -> None:
    """These tests own their tasks."""


@asynccontextmanager
async def residence(engines: Engines) -> AsyncIterator[Residence]:
    async with anyio.create_task_group() as group:
        yield Residence(engines, group.start_soon)


async def test_all_share_one_and_closing_ends_it() -> None:
    engines, found = Engines(), []
    async with residence(engines) as home:

        async def move_in() -> None:
            found.append(await home.engine())

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(move_in)
        assert (found, engines.open) == ([1] * 4, 1)
        await home.close()
        assert engines.open == 0
        await home.close()
    assert (engines.opened, engines.closed) == (1, 1)


async def test_closing_what_was_never_opened_is_nothing() -> None:
    engines = Engines()
    async with residence(engines) as home:
        await home.close()
    assert engines.opened == 0


async def test_what_keeps_it_from_opening_is_raised_to_all_and_tried_again() -> None:
    engines = Engines()
    engines.fault = ConfigError("numResults must be at most 50")
    async with residence(engines) as home:
        for _ in range(2):
            with pytest.raises(ConfigError, match="numResults"):
                await home.engine()
        engines.fault = None
        assert await home.engine() == 1
        await home.close()


async def test_one_that_breaks_down_is_followed_by_another(caplog: pytest.LogCaptureFixture) -> None:
    engines = Engines()
    async with residence(engines) as home:
        assert await home.engine() == 1
        engines.breakdown.set()
        with anyio.fail_after(5):
            while engines.open:
                await anyio.lowlevel.checkpoint()
        engines.breakdown = anyio.Event()
        assert await home.engine() == 2
        await home.close()
    assert "the search engine has ended" in caplog.text


async def test_a_caller_that_gives_up_does_not_stop_the_opening() -> None:
    engines = Engines()
    async with residence(engines) as home:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await home.engine()
        assert await home.engine() == 1
        await home.close()


async def test_a_loop_without_tasks_of_its_own_is_told(anyio_backend: str) -> None:
    """Cordis hosts are asyncio only, and so is what needs no task group."""
    ended = anyio.Event()

    async def live() -> None:
        ended.set()

    if anyio_backend == "trio":
        with pytest.raises(UsageError, match="asyncio"):
            spawned(live)
        return
    task = spawned(live)
    with anyio.fail_after(5):
        await ended.wait()
    assert task is not None
