"""One search over the seam, on a real engine and real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import anyio
import pytest

from fanseek.engine import Engine, open_engine
from fanseek.sandbox import Sandbox
from fanseek.surface.seam import WebError, ask
from fanseek.telemetry import CallStarted, Event, Listener, SearchStarted

NOW = datetime(2026, 12, 1, 12, tzinfo=UTC).timestamp()
FOUR = "exa,parallel,ddg,searxng"


@asynccontextmanager
async def engine_at(box: Sandbox, hear: Listener | None = None, **settings: Any) -> AsyncIterator[Engine]:
    environment = {**box.environment, "FANSEEK_BACKENDS": settings.pop("backends", FOUR)}
    async with open_engine({**box.settings(), **settings}, environment=environment, on_event=hear) as engine:
        yield engine


def asked_in_all(box: Sandbox) -> int:
    return sum(len(requests) for requests in box.log.values())


async def test_hf1_the_query_alone_carries_wishes() -> None:
    """HF1: sites, quotes and dates in it are understood."""
    heard: list[Event] = []
    async with Sandbox() as box, engine_at(box, heard.append, timeZone="UTC") as engine:
        await ask(
            engine,
            '"rust async" site:example.org -site:x.example after:2026-11-01 before:2026-11-20',
            clock=lambda: NOW,
        )
    request = next(event.request for event in heard if isinstance(event, SearchStarted))
    assert request.query == '"rust async" site:example.org -site:x.example'
    assert (request.since, request.until) == ("2026-11-01", "2026-11-19")
    assert (request.include_domains, request.exclude_domains) == (("example.org",), ("x.example",))


async def test_dates_without_an_end_reach_to_today_where_the_user_is() -> None:
    heard: list[Event] = []
    late = datetime(2026, 11, 30, 20, tzinfo=UTC).timestamp()
    async with Sandbox() as box, engine_at(box, heard.append, timeZone="Asia/Shanghai") as engine:
        await ask(engine, "rust after:2026-11-01", clock=lambda: late)
    request = next(event.request for event in heard if isinstance(event, SearchStarted))
    assert request.until == "2026-12-01"


async def test_hf4_a_failed_backend_is_told_and_no_error() -> None:
    """HF4, BC-175."""
    async with Sandbox() as box, engine_at(box) as engine:
        box.faults.set("ddg", "captcha")
        found = await ask(engine, "rust async runtime", max_results=3)
    assert len(found.web.sources) == 3
    assert found.web.truncated
    assert "Incomplete: 1 of 4 backends failed or were not heard: ddg (blocked)." in found.web.content
    assert found.result is not None
    assert found.result.status == "partial"


async def test_b10_all_failing_is_an_error_with_every_reason() -> None:
    """B10, BC-175."""
    async with Sandbox() as box, engine_at(box) as engine:
        for name in FOUR.split(","):
            box.faults.set(name, "captcha" if name == "ddg" else "drop")
        with pytest.raises(WebError) as caught:
            await ask(engine, "rust async runtime")
    assert caught.value.code == "WEB_PROVIDER_ERROR"
    assert all(f"{name}: " in caught.value.message for name in FOUR.split(","))


@pytest.mark.parametrize("query", ["", "  \u200b ", "site:a.example -site:a.example rust", "请帮我搜索一下", 7, None])
async def test_hf4_what_cannot_be_searched_for_costs_no_sibling(query: object) -> None:
    """HF4: a raise would discard what the other queries of the call have found."""
    async with Sandbox() as box, engine_at(box) as engine:
        found = await ask(engine, query)
    assert found.web.content.startswith("Nothing was searched for: ")
    assert (found.web.sources, found.result) == ((), None)
    assert not asked_in_all(box)


async def test_b9_an_abort_is_web_aborted() -> None:
    """B9."""
    abort = anyio.Event()

    def press(event: Event) -> None:
        if isinstance(event, CallStarted):
            abort.set()

    async with Sandbox() as box, engine_at(box, press) as engine:
        for name in FOUR.split(","):
            box.faults.set(name, "hang")
        with pytest.raises(WebError) as caught:
            await ask(engine, "rust", abort=abort)
    assert caught.value.code == "WEB_ABORTED"


async def test_a_closed_engine_is_an_error() -> None:
    async with Sandbox() as box:
        async with engine_at(box) as engine:
            pass
        with pytest.raises(WebError) as caught:
            await ask(engine, "rust")
    assert caught.value.code == "WEB_PROVIDER_ERROR"


@pytest.mark.parametrize(("wanted", "most"), [(0, 1), (-3, 1), (1, 1), (400, 50), (None, 8), (True, 8), ("9", 8)])
async def test_any_number_of_results_is_taken(wanted: Any, most: int) -> None:
    heard: list[Event] = []
    async with Sandbox() as box, engine_at(box, heard.append) as engine:
        found = await ask(engine, "rust", max_results=wanted)
    assert next(event.request.limit for event in heard if isinstance(event, SearchStarted)) == most
    assert len(found.web.sources) <= most


async def test_hf5_a_hosts_time_shortens_the_deadline_and_never_lengthens_it() -> None:
    """HF5."""
    heard: list[Event] = []
    async with Sandbox() as box, engine_at(box, heard.append, deadlineMs=20_000) as engine:
        for given in (5_000, 90_000, None):
            await ask(engine, f"rust {given}", deadline_ms=given)
        with pytest.raises(WebError):
            await ask(engine, "rust late", deadline_ms=-4)
    assert [event.deadline_s for event in heard if isinstance(event, SearchStarted)] == [5, 20, 20, 0.001]


async def test_b6_no_backend_ready_leads_to_the_settings() -> None:
    """B6."""
    async with open_engine(environment={"FANSEEK_BACKENDS": "brave"}) as engine:
        with pytest.raises(WebError, match="unified-search") as caught:
            await ask(engine, "rust")
    assert caught.value.code == "WEB_PROVIDER_UNAVAILABLE"
