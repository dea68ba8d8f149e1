"""The worker's service on both event loops: engines, places, aborts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from fanseek.sandbox import Sandbox
from fanseek.surface.worker import engines
from fanseek.surface.worker.service import work
from far import Far, connected


@asynccontextmanager
async def worker() -> AsyncIterator[Far]:
    async with connected(work) as (far, _):
        await far.say({"id": 0, "method": "initialize", "params": {"protocol": 1}})
        assert (await far.hear())["result"]["protocol"] == 1
        yield far


async def result(far: Far, id_: int, method: str, **params: Any) -> Any:
    await far.say({"id": id_, "method": method, "params": params})
    while (whole := await far.hear()).get("id") != id_:
        pass
    return whole["result"]


def common(box: Sandbox, **more: Any) -> dict[str, Any]:
    return {"settings": box.settings(), "keys": dict(box.environment), **more}


async def test_searches_of_one_place_use_the_same_connections(anyio_backend: str) -> None:
    async with Sandbox() as box, worker() as far:
        for number in (1, 2, 3):
            found = await result(far, number, "search", query=f"query {number}", **common(box))
            assert found["status"] == "ok"
        assert box.connections <= 2 * len(box.urls)


async def test_an_engine_is_opened_once_however_many_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """HF4: four searches at the very start."""
    opened = []
    before = engines.open_engine

    def counting(*args: Any, **kwargs: Any) -> Any:
        opened.append(kwargs)
        return before(*args, **kwargs)

    monkeypatch.setattr(engines, "open_engine", counting)
    async with Sandbox() as box, worker() as far:
        await far.say(*({"id": n, "method": "search", "params": {"query": "a b", **common(box)}} for n in (1, 2, 3, 4)))
        heard = [await far.hear() for _ in range(4)]
        assert {one["result"]["status"] for one in heard} == {"ok"}
        assert len(opened) == 1


async def test_places_that_were_used_longest_ago_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "MOST", 2)
    closed: list[str] = []
    over = anyio.Event()
    before = engines.Engines._keep

    async def noting(self: Any, place: Any, *rest: Any) -> None:
        await before(self, place, *rest)
        closed.append(Path(place.state).name)
        over.set()

    monkeypatch.setattr(engines.Engines, "_keep", noting)
    async with Sandbox() as box, worker() as far:
        for number, name in enumerate(["one", "two", "one", "three", "one"], 1):
            place = {"state": str(tmp_path / name)}
            assert (await result(far, number, "status", **common(box, place=place)))["ok"]
        with anyio.fail_after(30):
            await over.wait()
        assert closed == ["two"]


async def test_an_abort_reaches_every_backend(anyio_backend: str) -> None:
    """B9: nothing of the search is left running."""
    async with Sandbox(faults=[("*", "hang")]) as box, worker() as far:
        await far.say({"id": 1, "method": "search", "params": {"query": "a b", "progress": True, **common(box)}})
        assert (await far.hear())["params"]["event"]["type"] == "started"
        began = anyio.current_time()
        await far.say({"method": "cancel", "params": {"id": 1}})
        assert (await far.hear())["error"]["data"]["code"] == "WEB_ABORTED"
        assert anyio.current_time() - began < 5
        box.faults.clear()
        assert (await result(far, 2, "search", query="c d", **common(box)))["status"] == "ok"


async def test_what_cannot_be_opened_is_an_error_and_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    before = engines.open_engine

    def failing(*_args: Any, **_kwargs: Any) -> Any:
        monkeypatch.setattr(engines, "open_engine", before)
        raise OSError("no room for SECRET-7f3a")

    monkeypatch.setattr(engines, "open_engine", failing)
    async with Sandbox() as box, worker() as far:
        await far.say({"id": 1, "method": "status", "params": common(box)})
        error = (await far.hear())["error"]
        assert error["data"] == {"code": "WEB_PROVIDER_ERROR", "retryable": False}
        assert "OSError" in error["message"]
        assert "SECRET" not in error["message"]
        assert (await result(far, 2, "status", **common(box)))["ok"]


async def test_the_longest_line_can_be_set() -> None:
    async with connected(partial(work, longest=150)) as (far, _):
        await far.say({"id": 1, "method": "ping", "params": {"a": "x" * 300}})
        error = await far.hear()
        assert (error["id"], error["error"]["code"]) == (1, -32600)
        await far.say({"id": 2, "method": "initialize", "params": {"protocol": 1}})
        assert "error" in await far.hear()
