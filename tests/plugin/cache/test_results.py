"""The result cache: what it keeps, what it forgets, and that it never costs a search."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import anyio
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.cache.entries import Entries
from fanseek.cache.results import ResultCache
from fanseek.types import Answer, Found, Member, SearchResult, Source

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


@pytest.mark.parametrize("status", ["partial", "error"])
async def test_bc_063_what_says_of_itself_that_it_is_not_whole_is_a_miss(cache: ResultCache, status: str) -> None:
    """X16: whoever has written the file."""
    await cache.put("k", msgspec.structs.replace(result("https://a.example/"), status=status))
    assert await cache.get("k") is None
    assert not (cache.folder / "k.json").exists()


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
    assert not (cache.folder / "k.json").exists()


async def test_another_process_finds_it_too(cache: ResultCache, clock: Clock) -> None:
    """L3."""
    await cache.put("k", result("https://a.example/"))
    other = ResultCache(cache.folder, ttl_s=900, clock=clock)
    assert await other.get("k") is not None


async def test_l8_the_oldest_leaves_when_there_are_too_many(cache: ResultCache, clock: Clock) -> None:
    few = ResultCache(cache.folder, ttl_s=900, clock=clock, most=2)
    for number, name in enumerate("abc"):
        await few.put(name, result("https://a.example/"))
        os.utime(cache.folder / f"{name}.json", (number, number))
    assert [await few.get(name) is not None for name in "abc"] == [False, True, True]


async def test_an_entry_of_the_future_is_a_miss(cache: ResultCache, clock: Clock) -> None:
    await cache.put("k", result("https://a.example/"))
    clock.now -= 5
    assert await cache.get("k") is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"[]",
        b"\xff\xfe",
        b'{"key":"k","stored_at":1e99,"result":{}}',
        b"[" * 10_000,
        b'{"a":' + b"[" * 100_000,
    ],
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
    path.write_text(path.read_text("utf-8").replace('"https://a.example/"', json.dumps(url)), "utf-8")
    assert await cache.get("k") is None


async def test_e15_so_it_is_with_addresses_that_were_folded_into_another(cache: ResultCache) -> None:
    whole = result("https://a.example/")
    members = [
        Member(url=url, title="t", fold="copy", found_by=()) for url in ("https://c.example/", "https://d.example/")
    ]
    source = msgspec.structs.replace(whole.sources[0], also=tuple(members))
    await cache.put("k", msgspec.structs.replace(whole, sources=(source,)))
    path = cache.folder / "k.json"
    path.write_text(path.read_text("utf-8").replace("https://d.example/", "javascript:alert(1)"), "utf-8")
    hit = await cache.get("k")
    assert hit is not None
    assert [member.url for member in hit.result.sources[0].also] == ["https://c.example/"]


async def test_only_the_owner_can_read_it(cache: ResultCache) -> None:
    await cache.put("k", result("https://a.example/"))
    assert stat.S_IMODE(cache.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((cache.folder / "k.json").stat().st_mode) == 0o600


async def test_citations_are_held_to_the_same(cache: ResultCache) -> None:
    """E15."""
    answer = Answer(backend="a", text="t", citations=("https://a.example/", "javascript:alert(1)"))
    await cache.put("k", msgspec.structs.replace(result("https://a.example/"), answers=(answer,)))
    hit = await cache.get("k")
    assert hit is not None
    assert hit.result.answers[0].citations == ("https://a.example/",)


async def test_a_folder_that_cannot_be_made_costs_nothing_and_is_said_once(
    tmp_path: Path, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    """L2, BC-070: here a file stands where the folder should be."""
    (tmp_path / "results").write_text("", "utf-8")
    cache = ResultCache(tmp_path / "results", ttl_s=900, clock=clock)
    for _ in range(3):
        await cache.put("k", result("https://a.example/"))
        assert await cache.get("k") is None
    assert len(caplog.records) == 1
    assert "searches go on without" in caplog.text


async def test_text_that_is_no_text_costs_nothing(cache: ResultCache, caplog: pytest.LogCaptureFixture) -> None:
    """A lone surrogate can't be written."""
    await cache.put("k", result("https://a.example/\ud800"))
    assert await cache.get("k") is None
    assert len(caplog.records) == 1


async def test_lookups_are_counted_over_everyone_who_shares_the_folder(cache: ResultCache, clock: Clock) -> None:
    """L7."""
    other = ResultCache(cache.folder, ttl_s=900, clock=clock)
    await cache.get("k")
    await cache.put("k", result("https://a.example/"))
    await cache.get("k")
    await other.get("k")
    clock.now += 900
    await other.get("k")
    stats = Entries(cache.folder).stats()
    assert (stats.hits, stats.misses, stats.errors) == (2, 2, 0)


async def test_a_hit_on_a_disk_that_takes_no_count_is_a_hit(cache: ResultCache) -> None:
    await cache.put("k", result("https://a.example/"))
    (cache.folder / "hits.tally").mkdir()
    assert await cache.get("k") is not None


@given(st.binary(max_size=300))
def test_no_file_whatever_breaks_a_read(body: bytes) -> None:
    async def read() -> None:
        folder = anyio.Path(await anyio.mkdtemp())
        await (folder / "k.json").write_bytes(body)
        assert await ResultCache(Path(folder), ttl_s=9, clock=lambda: 0.0).get("k") is None
        assert not await (folder / "k.json").exists()

    anyio.run(read)
