"""The MCP server on both event loops: an engine opened in the background, calls, cancellation."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import anyio

from fanseek.engine import Engine, open_engine
from fanseek.errors import ConfigError
from fanseek.sandbox import Sandbox
from fanseek.surface.mcp.service import Manner, speak
from fanseek.telemetry import Listener
from far import Far, connected

HELLO = {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}


class Openings:
    """Opens engines on a sandbox, counts them, and fails as often as it is told."""

    def __init__(self, box: Sandbox) -> None:
        self.failures = self.count = 0
        self.held = anyio.Event()
        self.held.set()
        self.begun = anyio.Event()
        self.settings = box.settings()
        self._box = box

    def __call__(self, listener: Listener) -> AbstractAsyncContextManager[Engine]:
        return self._open(listener)

    @asynccontextmanager
    async def _open(self, listener: Listener) -> AsyncIterator[Engine]:
        self.count += 1
        self.begun.set()
        await self.held.wait()
        if self.count <= self.failures:
            raise ConfigError("numResults must be a whole number from 1 to 50")
        async with open_engine(self.settings, environment=self._box.environment, on_event=listener) as engine:
            yield engine


@asynccontextmanager
async def served(box: Sandbox, **manner: Any) -> AsyncIterator[tuple[Far, Openings]]:
    openings = Openings(box)
    async with connected(partial(speak, opening=openings, manner=Manner(**manner))) as (far, _):
        yield far, openings


def call(id_: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"id": id_, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


async def text(far: Far, id_: int) -> str:
    while (whole := await far.hear()).get("id") != id_:
        pass
    found: str = whole["result"]["content"][0]["text"]
    return found


async def test_tools_are_listed_while_the_engine_is_still_being_opened() -> None:
    async with Sandbox() as box, served(box) as (far, openings):
        openings.held = anyio.Event()
        await far.say(HELLO, {"method": "notifications/initialized"}, {"id": 1, "method": "tools/list"})
        assert (await far.hear())["result"]["protocolVersion"] == "2025-06-18"
        assert len((await far.hear())["result"]["tools"]) == 2
        with anyio.fail_after(30):
            await openings.begun.wait()
        await far.say(call(2, "search", query="rust async"), call(3, "search", query="another thing"))
        openings.held.set()
        assert "found by:" in await text(far, 2)
        assert openings.count == 1


async def test_an_opening_that_fails_is_told_and_tried_again_with_the_next_call() -> None:
    async with Sandbox() as box, served(box) as (far, openings):
        openings.failures = 2
        await far.say(HELLO)
        await far.hear()
        for id_ in (1, 2, 3, 4):
            await far.say(call(id_, "status"))
            found = await text(far, id_)
            if "can be asked" in found:
                break
            assert found == "numResults must be a whole number from 1 to 50"
        assert "11 of 11 backends can be asked" in found
        assert openings.count == 3


async def test_a_search_that_is_cancelled_is_not_answered(anyio_backend: str) -> None:
    async with Sandbox() as box, served(box) as (far, _):
        await far.say(HELLO, call(1, "status"))
        await text(far, 1)
        box.faults.add("brave", "hang")
        slow = call(2, "search", query="rust async")
        slow["params"]["_meta"] = {"progressToken": 0}
        await far.say(slow)
        assert (await far.hear())["params"]["progressToken"] == 0
        await far.say({"method": "notifications/cancelled", "params": {"requestId": 2}})
        await far.say({"id": 3, "method": "ping"})
        while (whole := await far.hear()).get("id") != 3:
            assert whole["method"] == "notifications/progress"
        box.faults.clear()
        await far.say(call(4, "status"))
        whole = await far.hear()
        assert whole["id"] == 4, whole


async def test_searches_at_once_are_each_told_their_own_progress() -> None:
    async with Sandbox() as box, served(box) as (far, _):
        await far.say(HELLO)
        for id_ in (1, 2, 3, 4):
            one = call(id_, "search", query=f"query {id_}")
            one["params"]["_meta"] = {"progressToken": f"of {id_}"}
            await far.say(one)
        heard: list[Any] = []
        while sum("result" in one for one in heard) < 5:
            heard.append(await far.hear())
        for id_ in (1, 2, 3, 4):
            steps = [
                one["params"]["progress"] for one in heard if one.get("params", {}).get("progressToken") == f"of {id_}"
            ]
            assert steps == list(range(1, 12))


async def test_marks_are_drawn_for_each_answer() -> None:
    drawn = iter(["first-mark", "second-mark", "third-mark"])
    async with Sandbox() as box, served(box, draw=lambda: next(drawn)) as (far, _):
        await far.say(HELLO, call(1, "search", query="rust async"))
        assert "<<< web content first-mark\n" in await text(far, 1)
        await far.say(call(2, "search", query="rust async"))
        found = await text(far, 2)
        assert ">>> end of web content second-mark" in found
        assert "first-mark" not in found


async def test_a_backend_that_is_asked_for_parts_of_the_query_too_is_told_once() -> None:
    async with Sandbox() as box, served(box) as (far, openings):
        openings.settings["multiQueryEnabled"] = True
        one = call(1, "search", query="python asyncio vs trio and structured concurrency", structured=True)
        one["params"]["_meta"] = {"progressToken": 1}
        await far.say(HELLO, one)
        heard: list[Any] = []
        while not heard or heard[-1].get("id") != 1:
            heard.append(await far.hear())
        assert heard[-1]["result"]["structuredContent"]["subQueries"]
        assert [one["params"]["progress"] for one in heard if "method" in one] == list(range(1, 12))
