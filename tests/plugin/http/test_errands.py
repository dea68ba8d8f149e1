"""Jobs beside a call: bounded, harmless, and gone when their owner is."""

from __future__ import annotations

import anyio
import pytest

from fanseek.http.errands import Errands


async def test_an_errand_ends_with_its_budget() -> None:
    ended = anyio.Event()

    async def job() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    async with Errands() as errands:
        errands.start(job, budget_s=0.02)
        with anyio.fail_after(10):
            await ended.wait()


@pytest.mark.parametrize("begun", [True, False])
async def test_closing_ends_a_plain_errand_at_once_and_lets_an_urgent_one_finish_what_is_short(begun: bool) -> None:
    done: list[str] = []

    async def job(name: str, lasts_s: float) -> None:
        await anyio.sleep(lasts_s)
        done.append(name)

    with anyio.fail_after(10):
        async with Errands() as errands:
            errands.start(lambda: job("plain", 20), budget_s=60)
            errands.start(lambda: job("urgent", 0.001), budget_s=60, urgent=True)
            errands.start(lambda: job("urgent and long", 30), budget_s=60, urgent=True)
            if begun:
                await anyio.wait_all_tasks_blocked()
    assert done == ["urgent"]


async def test_an_errand_that_fails_harms_nobody() -> None:
    async def job() -> None:
        raise OSError("no matter")

    async with Errands() as errands:
        errands.start(job, budget_s=1)
        await anyio.wait_all_tasks_blocked()
    errands.start(job, budget_s=1)


async def test_the_owners_own_error_arrives_bare() -> None:
    async def owner() -> None:
        async with Errands() as errands:
            errands.start(anyio.sleep_forever, budget_s=60, urgent=True)
            raise KeyError

    with pytest.raises(KeyError):
        await owner()
