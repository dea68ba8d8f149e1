"""Searches answered from the cache, and those that never are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

import scripted
from fanseek.config.settings import Settings
from fanseek.contract import BackendSettings, KeyedSettings, Parsed
from fanseek.engine import recall
from fanseek.errors import AllFailed
from fanseek.http.redact import Redactor
from fanseek.select.request import Wish
from fanseek.telemetry import CallEnded
from fanseek.types import SearchResult
from scripted import answers, backend, fails, hangs, says, stage


class Clock:
    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache that waits for a busy disk."""
    monkeypatch.setattr(recall, "PATIENCE_S", 30)


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def told(place: Path, clock: Callable[[], float], script: Any, **wish: Any) -> tuple[list[SearchResult], int]:
    """Two searches of one engine after another, and how often the backend was asked."""
    async with stage({"a": script, "b": answers("https://b.test/")}, cache_dir=place, clock=clock) as on:
        return [await on.search("q", **each) for each in ({}, wish)], on.upstreams.asked("a")


async def test_the_same_search_again_asks_nobody(tmp_path: Path, clock: Clock) -> None:
    """H9, L10: the second says that it comes from the cache, and how old it is."""
    (first, second), asked = await told(tmp_path, clock, answers("https://a.test/"))
    assert asked == 1
    assert (first.cached, first.cached_age_s) == (False, None)
    assert (second.cached, second.cached_age_s) == (True, 0)
    assert second.sources == first.sources
    assert second.outcomes == ()
    clock.now += 62.5
    async with stage({"a": answers(), "b": answers()}, cache_dir=tmp_path, clock=clock) as on:
        third = (await on.search("q")).to_dict()
    assert (third["cached"], third["cachedAgeS"]) == (True, 62.5)
    assert second.to_text().endswith("[websearch cache] cache hit, age 0s")


async def test_fresh_passes_by_the_cache(tmp_path: Path, clock: Clock) -> None:
    """L6, G14."""
    _, asked = await told(tmp_path, clock, answers("https://a.test/"), fresh=True)
    assert asked == 2


async def test_g14_what_was_asked_for_anew_is_kept_in_place_of_the_old(tmp_path: Path, clock: Clock) -> None:
    async with stage({"a": answers("https://old.test/")}, cache_dir=tmp_path, clock=clock) as on:
        await on.search("q")
        on.upstreams.scripts["a"] = answers("https://new.test/")
        clock.now += 100
        assert not (await on.search("q", fresh=True)).cached
        again = await on.search("q")
    assert (again.cached, again.cached_age_s, again.sources[0].url) == (True, 0, "https://new.test/")


async def test_another_number_of_results_is_another_search(tmp_path: Path, clock: Clock) -> None:
    _, asked = await told(tmp_path, clock, answers("https://a.test/"), max_results=3)
    assert asked == 2


async def test_a_degraded_result_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    """L5, X16."""
    (_, second), asked = await told(tmp_path, clock, fails("server"))
    assert asked == 2
    assert second.cached_age_s is None


async def test_bc_060_an_empty_result_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    """X16 as design.md leaves it: not for a second."""
    async with stage({"a": answers()}, cache_dir=tmp_path, clock=clock) as on:
        assert (await on.search("q")).sources == ()
        assert not list(tmp_path.rglob("*.json"))
        on.upstreams.scripts["a"] = answers("https://a.test/")
        assert len((await on.search("q")).sources) == 1
        assert on.upstreams.asked("a") == 2
        assert (await on.search("q")).cached


LOST = {
    "timeout": fails("timeout"),
    "network": fails("network"),
    "rate-limit": says(429, retry_after="30"),
    "auth": says(401),
    "blocked": says(200, "<title>Captcha</title>"),
    "late": hangs(),
}


@pytest.mark.parametrize("lost", LOST)
async def test_bc_063_what_was_found_while_some_failed_is_not_kept(tmp_path: Path, clock: Clock, lost: str) -> None:
    """L5, X16, D6: a backend that the deadline cut is one of them."""
    scripts = {"a": answers("https://a.test/"), "b": LOST[lost], "c": hangs()}
    async with stage(scripts, cache_dir=tmp_path, clock=clock, breaker_enabled=False) as on:
        first = await on.search("q", deadline_ms=200)
        assert first.status == "partial"
        assert not list(tmp_path.rglob("*.json"))
        on.upstreams.scripts |= {name: answers(f"https://{name}.test/") for name in "bc"}
        second = await on.search("q", deadline_ms=200)
        assert (second.status, len(second.sources), second.cached) == ("ok", 3, False)
        third = await on.search("q", deadline_ms=100)
        assert (third.cached, third.sources) == (True, second.sources)


async def test_a_search_that_failed_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    """L5."""
    async with stage({"a": fails("server")}, cache_dir=tmp_path, clock=clock, breaker_enabled=False) as on:
        for _ in range(2):
            with pytest.raises(AllFailed):
                await on.search("q")
        assert on.upstreams.asked("a") == 2


async def test_a_search_that_was_stopped_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    async with stage({"a": answers("https://a.test/"), "b": hangs()}, cache_dir=tmp_path, clock=clock) as on:
        stop = anyio.Event()
        on.engine.telemetry.listen(lambda event: stop.set() if isinstance(event, CallEnded) else None)
        assert (await on.search("q", stop=stop)).status == "partial"
        on.upstreams.scripts["b"] = answers("https://b.test/")
        assert len((await on.search("q")).sources) == 2


async def test_what_a_backend_could_not_deliver_is_said_on_a_hit_too(tmp_path: Path, clock: Clock) -> None:
    """BC-063: the mark of a result that is less than whole stays on it."""

    def parse(response: Any) -> Parsed:
        return msgspec.structs.replace(scripted.parse(response), failed=2, warnings=("two engines did not answer",))

    async with stage({"a": answers("https://a.test/")}, backend("a", parse=parse), cache_dir=tmp_path) as on:
        first = await on.search("q")
        assert first.outcomes[0].status == "partial"
        second = await on.search("q")
        assert second.cached
        assert "two engines did not answer" in second.to_text()
        assert {note.backend for note in second.notes if note.kind == "when_cached"} == {"a"}


async def test_e13_the_counts_of_a_hit_are_those_of_the_search_that_made_it(tmp_path: Path, clock: Clock) -> None:
    many = answers(*(f"https://{number}.test/" for number in range(12)))
    async with stage({"a": many, "b": many}, cache_dir=tmp_path, clock=clock) as on:
        first, second = [await on.search("q", max_results=3, exclude_domains=["4.test"]) for _ in range(2)]
        assert second.cached
        for result in (first, second):
            assert (result.total, result.deduped, result.filtered, result.truncated) == (22, 11, 1, True)


async def test_notes_on_a_hit_are_those_of_its_own_request(tmp_path: Path, clock: Clock) -> None:
    """Two requests may come to one search; what is said of the first was never true of the second."""
    async with stage({"a": answers("https://a.test/")}, cache_dir=tmp_path, clock=clock) as on:
        plain, out_of_range = {"freshness": "week"}, {"freshness": "week", "max_results": 99}
        kinds = []
        for wish in (out_of_range, plain, out_of_range):
            result = await on.search("q", **wish)
            kinds.append((result.cached, sorted(note.kind for note in result.notes)))
        of_the_span = ["freshness_unchecked", "not_applied"]
        both = sorted(["max_results_out_of_range", *of_the_span])
        assert kinds == [(False, both), (True, of_the_span), (True, both)]


async def test_a_hit_is_found_while_its_backends_cool(tmp_path: Path, clock: Clock) -> None:
    """The key names everybody who was considered."""
    async with stage({"a": answers("https://a.test/"), "b": answers()}, cache_dir=tmp_path, clock=clock) as on:
        await on.search("q")
        on.upstreams.scripts["b"] = says(403)
        await on.search("another")
        assert (await on.search("q")).cached
        assert on.engine.status()[1].state == "cooling"


async def test_switching_a_backend_off_or_finding_its_key_is_another_search(tmp_path: Path, clock: Clock) -> None:
    """L4, X10: the eligible set, and with a key a service may give other results."""
    environment: dict[str, str] = {}
    keyed = backend("b", settings=KeyedSettings)
    own: dict[str, BackendSettings] = {"b": KeyedSettings(api_key_env="THE_KEY")}
    scripts = {"a": answers("https://a.test/"), "b": answers("https://b.test/")}
    async with stage(scripts, keyed, cache_dir=tmp_path, clock=clock, environment=environment, backends=own) as on:
        assert not (await on.search("q")).cached
        assert not (await on.search("q", backends=["a"])).cached
        environment["THE_KEY"] = "some-key-0123456789"
        assert not (await on.search("q")).cached
        assert (await on.search("q")).cached
        environment["THE_KEY"] = "another-key-0123456789"
        assert (await on.search("q")).cached
    assert not [path for path in tmp_path.rglob("*.json") if b"key-0123456789" in path.read_bytes()]


async def test_a_query_that_holds_a_key_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    """N11: nor is one with something that looks like a key."""
    redactor = Redactor("canary-secret-word")
    async with stage({"a": answers("https://a.test/")}, cache_dir=tmp_path, clock=clock, clean=redactor.clean) as on:
        for query in ("what is canary-secret-word", "why does sk-abcdef0123456789abcdef fail"):
            assert [(await on.search(query)).cached for _ in range(2)] == [False, False]
    assert not list(tmp_path.rglob("*.json"))


async def test_settings_that_change_while_the_engine_runs_hold_for_the_cache(tmp_path: Path, clock: Clock) -> None:
    """B13, L6."""
    async with stage({"a": answers("https://a.test/")}, cache_dir=tmp_path, clock=clock) as on:
        await on.search("q")
        on.engine.configure(Settings(cache_enabled=False))
        assert not (await on.search("q")).cached
        on.engine.configure(Settings(rerank=True))
        assert not (await on.search("q")).cached
        on.engine.configure(Settings())
        assert (await on.search("q")).cached


async def test_without_a_folder_or_with_the_switch_off_nothing_is_kept(tmp_path: Path) -> None:
    """L6: the library keeps nothing unless it is given a place."""
    for more in ({}, {"cache_dir": tmp_path, "cache_enabled": False}):
        async with stage({"a": answers("https://a.test/")}, **more) as on:
            await on.search("q")
            await on.search("q")
            assert on.upstreams.asked("a") == 2
    assert not list(tmp_path.iterdir())


async def test_the_time_to_live_is_a_setting(tmp_path: Path, clock: Clock) -> None:
    async with stage({"a": answers("https://a.test/")}, cache_dir=tmp_path, clock=clock, cache_ttl=10) as on:
        await on.search("q")
        clock.now += 10
        await on.search("q")
        assert on.upstreams.asked("a") == 2


@pytest.mark.parametrize(
    ("wish", "lasts_s"),
    [
        ({}, 900),
        ({"freshness": "week"}, 900),
        ({"freshness": "day"}, 300),
        ({"query": "ニュース 今日"}, 300),
        ({"time_range": "2027-01-15..2027-01-20"}, 300),
        ({"time_range": "2027-01-14..2027-01-20"}, 900),
    ],
    ids=repr,
)
async def test_l1_what_is_of_today_is_kept_for_a_third_of_the_time(
    tmp_path: Path, clock: Clock, wish: dict[str, Any], lasts_s: float
) -> None:
    """L1: 300 seconds for what is current, 900 for all else; never longer than `cacheTtl`."""
    for place, ttl_s, lasts in (("long", 900, lasts_s), ("short", 10, 10)):
        more = {"cache_dir": tmp_path / place, "clock": clock, "cache_ttl": ttl_s, "time_zone": "UTC"}
        async with stage({"a": answers("https://a.test/")}, **more) as on:
            found = []
            for later in (0, lasts - 1, 1, 0):
                clock.now += later
                found.append((await on.search(**{"query": "q", **wish})).cached)
        assert found == [False, True, False, True]


WISH = {
    "request": "the key",
    "backends": "the key, as the set of those who were considered",
    "span": "the key, as the request's recency, since, until and today",
    "phrasing": "the key, as the request's query and the parts asked beside it",
    "deadline_s": "nothing: only whole answers are kept",
    "now": "nothing: the request has the day, and the cache the age",
    "inferred": "the view of a result",
    "year": "the view of a result",
    "excerpt": "the view of a result",
    "notes": "the view of a result: those of the request at hand",
}
"""What each part of a wish goes into."""


def test_x10_every_part_of_a_wish_is_in_the_key_or_in_the_view() -> None:
    """Fails for a part that is new: say where it goes, and test that another value is another search or view."""
    assert set(WISH) == set(Wish.__struct_fields__)


@pytest.mark.parametrize(
    "wish",
    [
        {"freshness": "week"},
        {"time_range": "2026-11-01..2026-11-30"},
        {"language": "de"},
        {"region": "de"},
        {"safe_search": "off"},
        {"include_domains": ["a.test"]},
        {"exclude_domains": ["b.test"]},
        {"site": "a.test"},
        {"max_results": 3},
        {"backends": ["a"]},
    ],
    ids=lambda wish: next(iter(wish)),
)
async def test_x10_another_argument_is_another_search(tmp_path: Path, clock: Clock, wish: dict[str, Any]) -> None:
    """L4: each asks upstream once, and is found under its own wish only."""
    scripts = {"a": answers("https://a.test/"), "b": answers("https://c.test/")}
    async with stage(scripts, cache_dir=tmp_path, clock=clock) as on:
        found = [(await on.search("q", **each)).cached for each in ({}, wish, {}, wish)]
        assert found == [False, False, True, True]
        assert on.upstreams.asked("a") == 2
