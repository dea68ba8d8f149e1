"""Several variants of one query through one search, over scripted backends in virtual time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest

from fanseek.contract import Pace, QueryLimit, Request, Response, fitted
from fanseek.errors import AllFailed, BackendError
from fanseek.telemetry import CallEnded, CallStarted, SearchStarted
from scripted import answers, backend, body, fails, stage
from virtual import virtual


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return virtual(request.param)


def query_of(request: Request) -> str:
    return parse_qs(urlsplit(request.url).query)["q"][0]


def by_query(found: dict[str, list[str]], after: float = 0.0) -> Callable[[Request], Awaitable[Response]]:
    """Answers with the addresses stated for the query; for any other it is broken."""

    async def script(request: Request) -> Response:
        await anyio.sleep(after)
        if query_of(request) not in found:
            raise BackendError("server", "broken")
        return body(*found[query_of(request)])

    return script


def asked(on: Any, name: str = "a") -> list[str]:
    return [query_of(request) for request in on.upstreams.requests if request.url.startswith(f"https://{name}.")]


FOUND = {
    "sftp vs rsync": ["https://one.test/", "https://both.test/"],
    "sftp": ["https://two.test/", "https://both.test/"],
    "rsync": ["https://three.test/", "https://both.test/"],
}


async def test_e7_a_short_query_is_one_fan_out():
    async with stage({"a": answers("https://x.test/"), "b": answers()}, multi_query_enabled=True) as on:
        result = await on.search("rust")
        assert len(on.upstreams.requests) == 2
        assert result.sub_queries == ()
        assert result.notes == ()


async def test_e7_a_gated_query_is_asked_in_parts_and_what_several_lists_hold_outranks_the_rest():
    async with stage({"a": by_query(FOUND)}, multi_query_enabled=True) as on:
        result = await on.search("sftp vs rsync")
        assert asked(on)[0] == "sftp vs rsync"
        assert sorted(asked(on)[1:]) == ["rsync", "sftp"]
        assert result.sources[0].url == "https://both.test/"
        assert [found.variant for found in result.sources[0].found_by] == [0, 1, 2]
        assert len(result.sources) == 4
        assert result.sub_queries == ("sftp", "rsync")
        assert [note.kind for note in result.notes] == ["sub_queries"]
        assert (await on.search("sftp vs rsync", multi_query=False)).sub_queries == ()


async def test_e9_each_backend_has_one_outcome_and_every_call_an_event():
    async with stage({"a": by_query(FOUND), "b": by_query(FOUND)}, multi_query_enabled=True) as on:
        result = await on.search("sftp vs rsync")
        assert [(outcome.backend, outcome.hits) for outcome in result.outcomes] == [("a", 6), ("b", 6)]
        (started,) = [event for event in on.events if isinstance(event, SearchStarted)]
        assert (started.backends, started.variants) == (("a", "b"), ("sftp", "rsync"))
        for kind in (CallStarted, CallEnded):
            assert sorted(event.variant for event in on.events if isinstance(event, kind)) == [0, 0, 1, 1, 2, 2]
        assert "a ✓" in result.to_text()
        assert result.to_text().count(" · ") == 1


async def test_nothing_found_with_a_failed_part_is_degraded():
    async with stage({"a": by_query({"sftp vs rsync": [], "sftp": []})}, multi_query_enabled=True) as on:
        result = await on.search("sftp vs rsync")
        assert result.status == "partial"
        assert "degraded" in [note.kind for note in result.notes]


async def test_all_parts_failed_is_an_error():
    async with stage({"a": fails("server"), "b": fails("network")}, multi_query_enabled=True) as on:
        with pytest.raises(AllFailed) as caught:
            await on.search("sftp vs rsync")
        assert [outcome.status for outcome in caught.value.outcomes] == ["server", "network"]
        assert {status.failures for status in on.engine.status()} == {1}


async def test_a_whole_query_that_failed_beside_its_parts_is_no_error():
    async with stage({"a": by_query({"sftp": ["https://x.test/"], "rsync": []})}, multi_query_enabled=True) as on:
        result = await on.search("sftp vs rsync")
        assert [source.url for source in result.sources] == ["https://x.test/"]
        assert result.status == "partial"


async def test_one_deadline_holds_for_all_variants():
    slow = {"sftp vs rsync": 0.1, "sftp": 0.2, "rsync": 5.0}

    async def script(request: Request) -> Response:
        await anyio.sleep(slow[query_of(request)])
        return body(f"https://{query_of(request)[:4]}.test/")

    async with stage({"a": script}, multi_query_enabled=True) as on:
        began = anyio.current_time()
        result = await on.search("sftp vs rsync", deadline_ms=1000)
        assert anyio.current_time() - began <= 1.0
        assert result.outcomes[0].status == "partial"
        assert result.outcomes[0].hits == 2


async def test_concurrency_pacing_and_single_flight_hold_over_variants():
    paced = backend("b", pace=Pace(interval_s=10, burst=2))
    scripts = {"a": by_query(FOUND, after=0.5), "b": by_query(FOUND)}
    async with stage(scripts, paced, multi_query_enabled=True, concurrency=2) as on:
        async with anyio.create_task_group() as group:
            group.start_soon(on.search, "sftp vs rsync")
            result = await on.search("sftp vs rsync", backends=["a"])
        assert asked(on)[0] == "sftp vs rsync"
        assert sorted(asked(on)[1:]) == ["rsync", "sftp"]
        assert on.upstreams.most <= 4
        assert result.outcomes[0].hits == 6
        assert asked(on, "b")[0] == "sftp vs rsync"
        assert len(asked(on, "b")) == 2
        last = [event for event in on.events if isinstance(event, CallEnded) and event.outcome.backend == "b"]
        assert sorted(event.outcome.status for event in last) == ["ok", "ok", "skipped"]


async def test_variants_that_come_to_one_request_are_sent_once():
    limit = QueryLimit(characters=4)
    short = backend("a", build=lambda search, _own: Request(url=f"https://a.test/?q={fitted(search.query, limit)}"))
    async with stage({"a": answers("https://x.test/")}, short, multi_query_enabled=True) as on:
        result = await on.search("sftp vs rsync")
        assert (asked(on)[0], sorted(asked(on))) == ("sftp", ["rsyn", "sftp"])
        assert result.outcomes[0].hits == 2
