"""The result cache: what it keeps, what it forgets, and that it never costs a search."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.cache import results
from fanseek.cache.results import ResultCache, cache_key
from fanseek.contract import BackendSettings
from fanseek.types import Found, SearchRequest, SearchResult, Source
from scripted import answers, fails, stage

START = 1_800_000_000.0


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


def source(url: str) -> Source:
    found = (Found(backend="a", family="a", rank=1),)
    return Source(id="x", url=url, title="t", snippet="s", domain="d", score=1.0, found_by=found)


def result(*urls: str) -> SearchResult:
    return SearchResult(query="q", status="ok", sources=tuple(map(source, urls)))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(tmp_path: Path, clock: Clock) -> ResultCache:
    return ResultCache(tmp_path / "results", ttl_s=900, clock=clock)


async def test_what_was_kept_is_found_while_it_is_fresh(cache: ResultCache, clock: Clock) -> None:
    """L1: 900 seconds, by the clock that was given."""
    kept = result("https://a.example/")
    await cache.put("k", kept)
    clock.now += 899
    hit = await cache.get("k")
    assert hit is not None
    assert (hit.result, hit.age_s) == (kept, 899)
    clock.now += 1
    assert await cache.get("k") is None
    assert not list(cache.folder.iterdir())


async def test_another_process_finds_it_too(cache: ResultCache, clock: Clock) -> None:
    """L3."""
    await cache.put("k", result("https://a.example/"))
    other = ResultCache(cache.folder, ttl_s=900, clock=clock)
    assert await other.get("k") is not None


async def test_an_entry_of_the_future_is_a_miss(cache: ResultCache, clock: Clock) -> None:
    await cache.put("k", result("https://a.example/"))
    clock.now -= 5
    assert await cache.get("k") is None


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b"\xff\xfe", b'{"key":"k","stored_at":1e99,"result":{}}', b"[" * 10_000]
)
async def test_a_bad_entry_is_a_miss_and_is_deleted(cache: ResultCache, body: bytes) -> None:
    """L2."""
    await cache.put("k", result("https://a.example/"))
    path = cache.folder / "k.json"
    path.write_bytes(body)
    assert await cache.get("k") is None
    assert not path.exists()


async def test_an_entry_cut_anywhere_is_a_miss(cache: ResultCache) -> None:
    await cache.put("k", result("https://a.example/"))
    whole = (cache.folder / "k.json").read_bytes()
    for end in range(0, len(whole), 7):
        (cache.folder / "k.json").write_bytes(whole[:end])
        assert await cache.get("k") is None


async def test_an_entry_moved_to_another_key_is_a_miss(cache: ResultCache) -> None:
    await cache.put("k", result("https://a.example/"))
    (cache.folder / "k.json").rename(cache.folder / "other.json")
    assert await cache.get("other") is None


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https://a@b.example/", "https://b/\u202e"]
)
async def test_a_link_no_backend_could_have_given_is_dropped_on_a_hit(cache: ResultCache, url: str) -> None:
    """E15: whoever edited the file, the allow-list for links holds here too."""
    await cache.put("k", result("https://a.example/", "https://b.example/"))
    path = cache.folder / "k.json"
    path.write_text(path.read_text("utf-8").replace('"https://b.example/"', json.dumps(url)), "utf-8")
    hit = await cache.get("k")
    assert hit is not None
    assert [one.url for one in hit.result.sources] == ["https://a.example/"]


async def test_the_oldest_leave_when_there_are_too_many(tmp_path: Path, clock: Clock) -> None:
    """L8."""
    cache = ResultCache(tmp_path, ttl_s=900, clock=clock, most=3)
    for number in range(5):
        await cache.put(f"k{number}", result("https://a.example/"))
        os.utime(tmp_path / f"k{number}.json", (number, number))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["k2.json", "k3.json", "k4.json"]


async def test_only_the_owner_can_read_it(cache: ResultCache) -> None:
    await cache.put("k", result("https://a.example/"))
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((cache.folder / "k.json").stat().st_mode) == 0o600


async def test_a_folder_that_cannot_be_made_costs_nothing(tmp_path: Path, clock: Clock) -> None:
    """L2: here a file stands where the folder should be."""
    (tmp_path / "results").write_text("", "utf-8")
    cache = ResultCache(tmp_path / "results", ttl_s=900, clock=clock)
    await cache.put("k", result("https://a.example/"))
    assert await cache.get("k") is None


async def test_a_write_that_fails_leaves_no_file(cache: ResultCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """BC-073, where the target is held for good; and on POSIX nothing is tried twice."""
    tries: list[Path] = []

    def held(self: Path, target: Path) -> Path:
        tries.append(target)
        raise PermissionError

    monkeypatch.setattr(Path, "replace", held)
    await cache.put("k", result("https://a.example/"))
    assert not list(cache.folder.iterdir())
    assert len(tries) == (results.RENAME_TRIES if os.name == "nt" else 1)


@pytest.mark.parametrize(("holds", "stored"), [(3, True), (99, False)])
def test_on_windows_a_moments_hold_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holds: int, stored: bool
) -> None:
    """BC-073: a virus scanner holds the target for a moment, or for good."""
    real, tries = Path.replace, []

    def held(self: Path, target: Path) -> Path:
        tries.append(target)
        if len(tries) <= holds:
            raise PermissionError
        return real(self, target)

    monkeypatch.setattr(Path, "replace", held)
    monkeypatch.setattr(results, "RENAME_PAUSE_S", 0)
    aside = tmp_path / "aside"
    aside.write_bytes(b"x")
    if stored:
        results._rename(aside, tmp_path / "target", "win32")
        assert (tmp_path / "target").read_bytes() == b"x"
    else:
        with pytest.raises(PermissionError):
            results._rename(aside, tmp_path / "target", "win32")
        assert len(tries) == results.RENAME_TRIES


CHANGES: list[dict[str, Any]] = [
    {"query": "p"}, {"limit": 9}, {"kind": "news"}, {"recency": "day"}, {"language": "de"}, {"region": "de"},
    {"safe_search": "off"}, {"include_domains": ("a.example",)}, {"exclude_domains": ("a.example",)},
    {"today": "2026-12-01"}, {"since": "2026-11-01"}, {"until": "2026-11-30"}, {"deep": True},
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: next(iter(change)))
def test_whatever_changes_the_answer_changes_the_key(change: dict[str, Any]) -> None:
    """L4, X10."""
    request, told = SearchRequest(query="q"), {"a": BackendSettings()}
    assert cache_key(msgspec.structs.replace(request, **change), told) != cache_key(request, told)


def test_every_field_of_a_request_is_in_that_list() -> None:
    assert {name for change in CHANGES for name in change} | {"session"} == set(SearchRequest.__struct_fields__)


def test_the_backends_and_what_they_are_told_change_the_key_and_the_session_does_not() -> None:
    request, own = SearchRequest(query="q"), BackendSettings()
    key = cache_key(request, {"a": own, "b": own})
    assert cache_key(request, {"b": own, "a": own}) == key
    assert cache_key(msgspec.structs.replace(request, session="other"), {"a": own, "b": own}) == key
    assert cache_key(request, {"a": own}) != key
    assert cache_key(request, {"a": own, "b": msgspec.structs.replace(own, rate_per_minute=9)}) != key


@given(st.binary(max_size=300))
def test_no_file_whatever_breaks_a_read(body: bytes) -> None:
    async def read() -> None:
        folder = anyio.Path(await anyio.mkdtemp())
        await (folder / "k.json").write_bytes(body)
        assert await ResultCache(Path(folder), ttl_s=9, clock=lambda: 0.0).get("k") is None
        assert not await (folder / "k.json").exists()
        await folder.rmdir()

    anyio.run(read)


async def told(place: Path, clock: Callable[[], float], script: Any, **wish: Any) -> tuple[list[SearchResult], int]:
    """Two searches of one engine after another, and how often the backend was asked."""
    async with stage({"a": script, "b": answers("https://b.test/")}, cache_dir=place, clock=clock) as on:
        return [await on.search("q", **each) for each in ({}, wish)], on.upstreams.asked("a")


async def test_the_same_search_again_asks_nobody(tmp_path: Path, clock: Clock) -> None:
    """H9, L10: the second says that it comes from the cache, and how old it is."""
    (first, second), asked = await told(tmp_path, clock, answers("https://a.test/"))
    assert asked == 1
    assert first.cached_age_s is None
    assert second.cached_age_s == 0
    assert second.sources == first.sources
    assert second.outcomes == ()
    assert second.to_text().endswith("[websearch cache] cache hit, age 0s")


async def test_fresh_passes_by_the_cache(tmp_path: Path, clock: Clock) -> None:
    """L6, G14."""
    _, asked = await told(tmp_path, clock, answers("https://a.test/"), fresh=True)
    assert asked == 2


async def test_another_number_of_results_is_another_search(tmp_path: Path, clock: Clock) -> None:
    _, asked = await told(tmp_path, clock, answers("https://a.test/"), max_results=3)
    assert asked == 2


async def test_a_degraded_result_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    """L5, X16."""
    (_, second), asked = await told(tmp_path, clock, fails("server"))
    assert asked == 2
    assert second.cached_age_s is None


async def test_an_empty_result_is_not_kept(tmp_path: Path, clock: Clock) -> None:
    async with stage({"a": answers()}, cache_dir=tmp_path, clock=clock) as on:
        for _ in range(2):
            assert (await on.search("q")).sources == ()
        assert on.upstreams.asked("a") == 2


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
