"""The provider under a harness's way of asking: four at once, signals of any shape, cancellation, outages."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

import fanseek
from cordis_hosts import Host, asked, hang
from fanseek.engine import open_engine
from fanseek.sandbox import Sandbox
from fanseek.surface.cordis import plugin
from fanseek.surface.seam import WebError

FOUR = ("exa", "parallel", "ddg", "searxng")


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The engines that were opened."""
    engines: list[Any] = []

    def counting(*arguments: Any, **named: Any) -> Any:
        engines.append(open_engine(*arguments, **named))
        return engines[-1]

    monkeypatch.setattr(plugin, "open_engine", counting)
    return engines


@pytest.fixture
async def seam(host: Host, seam: Any, config: dict[str, Any], opened: list[Any]) -> Any:
    """The service with the plugin mounted."""
    handle = await host.mount(fanseek, config)
    yield seam
    await host.unmount(handle)


async def four(seam: Any, signal: Any = None) -> list[Any]:
    """Four searches at once, as one call of the harness's tool makes them; what each came to."""
    found: list[Any] = [None] * 4

    async def one(number: int) -> None:
        try:
            found[number] = await seam.search({"query": f"rust {number}", "maxResults": 8}, signal)
        except WebError as problem:
            found[number] = problem

    async with anyio.create_task_group() as group:
        for number in range(4):
            group.start_soon(one, number)
    return found


async def test_x1_four_searches_share_one_engine_and_each_asks_everybody(
    seam: Any, box: Sandbox, opened: list[Any]
) -> None:
    """X1, HF4: every backend is asked for every query, and one engine serves all, also those that follow."""
    found = await four(seam)
    assert all(one["sources"] for one in found)
    for name in FOUR:
        said = [asked.target + asked.body.decode() for asked in box.log[name]]
        for number in range(4):
            assert any(
                f"rust {number}" in text or f"rust+{number}" in text or f"rust%20{number}" in text for text in said
            )
    await four(seam)
    assert len(opened) == 1


async def test_hf4_an_outage_costs_no_query_of_the_batch(seam: Any, box: Sandbox) -> None:
    """HF4: a raise would discard what the others found."""
    box.faults.set("ddg", "captcha")
    box.faults.set("exa", "drop")
    found = await four(seam)
    assert all(isinstance(one, dict) and one["sources"] and "Incomplete: 2 of 4" in one["content"] for one in found)


async def test_x7_four_failures_of_one_outage_count_once(
    host: Host, box: Sandbox, config: dict[str, Any], opened: Any
) -> None:
    """X7, HF4c: the breaker sees an episode, and does not trip from a single call of the tool."""
    routes: dict[str, Any] = {}
    connection = SimpleNamespace(fetch=SimpleNamespace(register=lambda route: routes.update({route["path"]: route})))
    from fanseek.surface.cordis import web

    await host.mount(web)
    await host.provide("connection", connection)
    handle = await host.mount(fanseek, config)
    box.faults.set("exa", "http", status=503)
    await four(host.get("web"))
    answer = await routes["/api/websearch/history"]["fetch"]({"headers": {}})
    known = {one["id"]: one for one in json.loads(answer.body)["backends"]}
    assert (known["exa"]["failCount"], known["exa"]["cooled"]) == (1, False)
    await host.unmount(handle)


async def test_b10_all_failing_raises_with_every_reason(seam: Any, box: Sandbox) -> None:
    """B10."""
    for name in FOUR:
        box.faults.set(name, "drop")
    for problem in await four(seam):
        assert isinstance(problem, WebError)
        assert problem.code == "WEB_PROVIDER_ERROR"
        assert all(f"{name}: " in problem.message for name in FOUR)


class Token:
    """A cancel token as pH has them."""

    def __init__(self) -> None:
        self.canceled = False
        self._woken = anyio.Event()

    def set(self) -> None:
        self.canceled = True
        self._woken.set()

    async def wait(self) -> None:
        await self._woken.wait()


class Flag:
    """An AbortSignal as JavaScript has them."""

    def __init__(self) -> None:
        self.aborted = False

    def set(self) -> None:
        self.aborted = True


SIGNALS: list[Callable[[], Any]] = [anyio.Event, asyncio.Event, threading.Event, Token, Flag]


@pytest.mark.parametrize("made", SIGNALS, ids=["anyio", "asyncio", "threading", "token", "flag"])
async def test_b9_a_signal_ends_all_four_with_web_aborted(seam: Any, box: Sandbox, made: Callable[[], Any]) -> None:
    """B9: whatever the signal looks like, and though the backends would take 5 seconds and more."""
    hang(box)
    signal, pressed = made(), 0.0

    async def press() -> None:
        nonlocal pressed
        await asked(box, 4)
        pressed = time.monotonic()
        signal.set()

    async with anyio.create_task_group() as group:
        group.start_soon(press)
        found = await four(seam, signal)
    assert [one.code for one in found] == ["WEB_ABORTED"] * 4
    assert time.monotonic() - pressed < 2  # 100 ms on an idle machine; a backend's own cap is 5 s and more


async def test_b9_a_signal_that_was_given_before_asks_nobody(seam: Any, box: Sandbox, opened: list[Any]) -> None:
    signal = anyio.Event()
    signal.set()
    assert [one.code for one in await four(seam, signal)] == ["WEB_ABORTED"] * 4
    assert not sum(len(requests) for requests in box.log.values())
    assert not opened


async def test_b9_cancelling_the_callers_task_leaves_no_task_of_the_search(seam: Any, box: Sandbox) -> None:
    """B9: cancellation is the caller's own and is passed on as it is; the plugin serves the next one."""
    await seam.search({"query": "warm"})
    before = asyncio.all_tasks()
    hang(box)
    box.log.clear()
    task = asyncio.create_task(seam.search({"query": "rust"}))
    await asked(box, 2)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with anyio.fail_after(5):
        while asyncio.all_tasks() - before:  # noqa: ASYNC110 - connections say nothing when they are closed
            await anyio.sleep(0.01)
    box.faults.clear()
    assert (await seam.search({"query": "rust again"}))["sources"]


async def test_b9_one_backend_that_hangs_is_cut_and_the_rest_is_kept(host: Host, seam: Any, box: Sandbox) -> None:
    """B9, HF5: a backend's own end is soft."""
    box.faults.set("ddg", "hang")
    provider = seam._searching["unified"]
    provider._base["backendTimeoutMs"] = 300
    (await provider.residence.engine()).configure(provider._base)
    found = await seam.search({"query": "rust"})
    assert found["sources"]
    assert "ddg (timeout)" in found["content"]


class Sockets:
    """What the interpreter does with sockets while `counting`."""

    def __init__(self) -> None:
        self.counting = False
        self.seen: list[str] = []
        sys.addaudithook(self.note)

    def note(self, event: str, _arguments: Any) -> None:
        if self.counting and event.startswith("socket."):
            self.seen.append(event)


SOCKETS = Sockets()


async def test_hf3_available_touches_no_socket(seam: Any, box: Sandbox) -> None:
    """HF3, B7: before the first search and after it."""
    provider = seam._searching["unified"]
    SOCKETS.seen.clear()
    SOCKETS.counting = True
    try:
        assert provider.available()
        assert not SOCKETS.seen
        await seam.search({"query": "rust"})
        assert SOCKETS.seen
        SOCKETS.seen.clear()
        assert provider.available()
        assert not SOCKETS.seen
    finally:
        SOCKETS.counting = False


async def test_the_provider_is_no_longer_available_once_it_is_closed(host: Host, config: dict[str, Any]) -> None:
    from fanseek.surface.cordis import web

    await host.mount(web)
    handle = await host.mount(fanseek, config)
    provider = host.get("web")._searching["unified"]
    await host.unmount(handle)
    assert not provider.available()
    with pytest.raises(WebError) as caught:
        await provider.search({"query": "rust"})
    assert caught.value.code == "WEB_ABORTED"


async def test_b6_without_a_key_the_message_leads_to_the_settings(
    host: Host, seam: Any, monkeypatch: pytest.MonkeyPatch, config: dict[str, Any]
) -> None:
    """B6: the provider stays available, since only a search can say so."""
    monkeypatch.setenv("FANSEEK_BACKENDS", "brave")
    monkeypatch.delenv("BRAVE_API_KEY")
    with pytest.raises(WebError, match="unified-search") as caught:
        await seam.search({"query": "rust"})
    assert caught.value.code == "WEB_PROVIDER_UNAVAILABLE"


@pytest.mark.parametrize(
    "request_",
    [SimpleNamespace(query="rust", max_results=2), SimpleNamespace(query="rust", maxResults=2)],
    ids=["snake", "camel"],
)
async def test_a_request_may_be_an_object(seam: Any, request_: Any) -> None:
    found = await seam._searching["unified"].search(request_)
    assert len(found["sources"]) == 2


async def test_b9_the_provider_heeds_a_signal_by_itself(seam: Any, box: Sandbox) -> None:
    """B9: in a host whose `web` only passes the signal on."""
    hang(box)
    signal = anyio.Event()

    async def press() -> None:
        await asked(box)
        signal.set()

    with anyio.fail_after(4):
        async with anyio.create_task_group() as group:
            group.start_soon(press)
            with pytest.raises(WebError) as caught:
                await seam._searching["unified"].search({"query": "rust"}, signal)
    assert caught.value.code == "WEB_ABORTED"
