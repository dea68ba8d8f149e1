"""The same call in flight twice is made once; nobody's leaving ends another's."""

from __future__ import annotations

import anyio
import pytest

from fanseek.contract import KeyedSettings, Request
from scripted import answers, backend, fails, hangs, stage


async def together(on, *searches) -> list:
    """The result of each search, all run at once."""
    ends: list = [None] * len(searches)

    async def one(index: int, kwargs: dict) -> None:
        ends[index] = await on.search(**kwargs)

    async with anyio.create_task_group() as group:
        for index, kwargs in enumerate(searches):
            group.start_soon(one, index, kwargs)
    return ends


async def test_identical_calls_are_made_once_and_all_get_the_answer():
    async with stage({"a": answers("https://a.test/", after=0.5)}) as on:
        ends = await together(on, *[{"query": "q"}] * 7)
        assert on.upstreams.asked("a") == 1
        assert {end.sources[0].url for end in ends} == {"https://a.test/"}


@pytest.mark.parametrize(
    "other", [{"query": "other"}, {"query": "q", "max_results": 3}, {"query": "q", "deadline_ms": 2000}]
)
async def test_calls_that_differ_are_made_apart(other):
    async with stage({"a": answers("https://a.test/", after=0.5)}) as on:
        await together(on, {"query": "q"}, other)
        assert on.upstreams.asked("a") == 2


async def test_calls_with_different_keys_are_made_apart():
    made = iter(("one", "two"))

    def build(_search, _own) -> Request:
        return Request(url="https://a.test/", headers={"authorization": next(made)}, credentialed=True)

    async with stage(
        {"a": answers("https://a.test/", after=0.5)}, backend("a", build=build, settings=KeyedSettings)
    ) as on:
        await together(on, {"query": "q"}, {"query": "q"})
        assert on.upstreams.asked("a") == 2


async def test_a_call_that_is_over_is_made_again():
    async with stage({"a": answers("https://a.test/")}) as on:
        await on.search("q")
        await on.search("q")
        assert on.upstreams.asked("a") == 2


async def test_one_waiter_s_cancelling_never_ends_the_others():
    async with stage({"a": answers("https://a.test/", after=1)}) as on:
        got = []

        async def stays() -> None:
            got.append(await on.search("q"))

        async def leaves() -> None:
            with anyio.move_on_after(0.5):
                await on.search("q")

        async with anyio.create_task_group() as group:
            group.start_soon(leaves)
            await anyio.sleep(0.1)
            group.start_soon(stays)
        assert got[0].sources
        assert on.upstreams.asked("a") == 1


async def test_the_last_waiter_s_leaving_ends_the_call():
    async with stage({"a": hangs()}) as on, anyio.create_task_group() as group:
        for seconds in (0.2, 0.4):

            async def leaves(seconds: float = seconds) -> None:
                with anyio.move_on_after(seconds):
                    await on.search("q")

            group.start_soon(leaves)
        await anyio.sleep(0.3)
        assert on.upstreams.running == 1
        await anyio.sleep(0.2)
        assert on.upstreams.running == 0


async def test_a_call_that_is_being_ended_is_not_joined():
    async with stage({"a": hangs(cleanup=1)}) as on:
        with anyio.move_on_after(0.2):
            await on.search("q")
        on.upstreams.scripts["a"] = answers("https://a.test/")
        assert (await on.search("q")).sources


async def test_hf4_one_shared_failure_is_one_failure():
    async with stage({"a": fails("network", after=0.2), "b": answers("https://b.test/")}) as on:
        await together(on, *({"query": f"q{number % 4}"} for number in range(8)))
        assert on.engine.status()[0].failures == 1
