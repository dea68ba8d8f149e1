"""Time wished for, from the call to the result: who is asked what, what comes back, and what is said about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from fanseek.contract import Filters, Hit, Parsed, Request, Response
from fanseek.engine import recall
from fanseek.errors import AllFailed, UsageError
from fanseek.select.view import as_asked
from scripted import backend, fails, stage

CLOCK = 1_772_380_799.0
"""2026-03-01 15:59:59 in UTC: a second before midnight in Shanghai."""

NATIVE = Filters(recency="native", date_range="native")
SPANS = Filters(recency="native")


@pytest.fixture
def patient(monkeypatch):
    """A cache that waits for a busy disk."""
    monkeypatch.setattr(recall, "PATIENCE_S", 30)


def parse(response: Response) -> Parsed:
    pages = response.json(dict[str, str | None])
    return Parsed(
        hits=tuple(Hit(url=f"https://{name}.test/", published=date) for name, date in pages.items()), empty=not pages
    )


def dated(name: str, filters: Filters | None = None, **more: Any) -> Any:
    """A backend that tells what it was asked for in its address."""

    def build(search, _own):
        return Request(
            url=f"https://{name}.test/?{search.recency}|{search.since}|{search.until}|{search.today}|{search.limit}"
        )

    return backend(name, build=build, parse=parse, filters=filters or Filters(), **more)


def gives(**pages: str | None):
    async def script(_request: Request) -> Response:
        return Response(status=200, headers={"content-type": "application/json"}, body=msgspec.json.encode(pages))

    return script


def kinds(result: Any) -> list[str]:
    return [note.kind for note in result.notes]


def names(result: Any) -> set[str]:
    return {source.domain.partition(".")[0] for source in result.sources}


def asked(on: Any, name: str) -> list[str]:
    """The last thing a backend was asked for: recency, since, until, today, limit."""
    return [url.url for url in on.upstreams.requests if f"//{name}." in url.url][-1].partition("?")[2].split("|")


def opened(scripts: Mapping[str, Any], *backends: Any, **more: Any):
    return stage(scripts, *backends, clock=lambda: CLOCK, **more)


async def test_bc_128_fresh_rows_stay_where_the_user_is_at_midnight():
    """The clock is read once: midnight passes between the question and the answer."""
    times = [CLOCK]
    answer = gives(a="today", b="2026-03-01T23:50:00+08:00", c=None, d="2026-02-27")

    async def past_midnight(request: Request) -> Response:
        times.append(CLOCK + 2)
        return await answer(request)

    async with stage({"deaf": past_midnight}, dated("deaf"), clock=lambda: times[-1], time_zone="Asia/Shanghai") as on:
        result = await on.search("cats", freshness="day")
        assert asked(on, "deaf")[3] == "2026-03-01"
    assert times == [CLOCK, CLOCK + 2]
    assert names(result) == {"a", "b", "c"}
    assert {source.domain: source.undated for source in result.sources} == {
        "a.test": False,
        "b.test": False,
        "c.test": True,
    }
    assert kinds(result) == ["not_applied", "freshness_filtered", "freshness_unchecked"]
    assert result.notes[1].message == "1 result dated outside the last day was left out"
    assert result.notes[2].message == "1 result was kept without a date, so nobody knows whether of the last day"
    assert result.outdated == 1


async def test_g7_applied_says_whether_a_backend_filtered_by_itself():
    """G7: true where one that answered did; false where none did, whatever we left out."""
    scripts = {"deaf": gives(a="2026-03-01"), "native": gives(b=None)}
    async with opened(scripts, dated("deaf"), dated("native", NATIVE)) as on:
        assert (await on.search("cats", freshness="week")).freshness_applied is True
        only = await on.search("cats", freshness="week", backends=["deaf"])
        assert only.freshness_applied is False
        assert only.freshness == "week"
        on.upstreams.scripts["native"] = fails("server")
        assert (await on.search("cats", freshness="week")).freshness_applied is False
        on.upstreams.scripts["native"] = gives()
        assert (await on.search("cats", freshness="week")).freshness_applied is True


async def test_g7_a_backend_that_can_t_this_once_does_not_count():
    odd = dated("odd", NATIVE)
    operation = msgspec.structs.replace(odd.operations["search"], unmet=lambda _search: {"recency": "no room for it"})
    async with opened(
        {"odd": gives(a="2020-01-01")}, msgspec.structs.replace(odd, operations={"search": operation})
    ) as on:
        result = await on.search("cats", freshness="week")
    assert (result.freshness_applied, result.sources, result.outdated) == (False, (), 1)
    assert result.notes[0].message == "freshness week was not applied by odd (no room for it)"


async def test_a_backend_s_own_filter_is_not_second_guessed():
    scripts = {"native": gives(a="2019-01-01", b=None)}
    async with opened(scripts, dated("native", NATIVE)) as on:
        result = await on.search("cats", freshness="day")
    assert names(result) == {"a", "b"}
    assert (result.outdated, kinds(result)) == (0, [])
    assert not any(source.undated for source in result.sources)


async def test_without_a_wish_nothing_is_said_of_time():
    async with opened({"deaf": gives(a="2019-01-01")}, dated("deaf")) as on:
        result = await on.search("cats")
    told = result.to_dict()
    assert not {"freshness", "freshnessApplied", "freshnessAutoInferred", "timeRange", "queryYear"} & set(told)
    assert told["sources"][0]["publishedAt"] == "2019-01-01T00:00:00Z"
    assert told["sources"][0]["publishedPrecision"] == "day"
    assert told["sources"][0]["undated"] is False


async def test_g6_a_range_goes_to_those_who_know_it_and_is_echoed_when_applied():
    """G6: others get the recency that covers it; what they bring is sifted here."""
    pages = {"in": "2026-02-25", "before": "2026-02-10", "after": "2026-03-01", "none": None}
    pages |= {"first": "2026-02-20T00:00:01Z", "eve": "2026-02-19T23:59:59Z", "last": "2026-02-28T23:59:59Z"}
    backends = [dated("native", NATIVE), dated("spans", SPANS), dated("deaf")]
    scripts = {"native": gives(), "spans": gives(**pages), "deaf": gives(**pages)}
    async with opened(scripts, *backends, time_zone="UTC") as on:
        result = await on.search("cats", time_range="2026-02-20..2026-02-28", max_results=5)
        assert asked(on, "native") == ["any", "2026-02-20", "2026-02-28", "2026-03-01", "7"]
        assert asked(on, "spans") == ["month", "2026-02-20", "2026-02-28", "2026-03-01", "12"]
        assert asked(on, "deaf")[:3] == ["month", "2026-02-20", "2026-02-28"]
        alone = await on.search("cats", time_range="2026-02-20..2026-02-28", backends=["spans"])
    assert names(result) == {"in", "none", "first", "last"}
    assert (result.time_range, result.freshness_applied, result.outdated) == ("2026-02-20..2026-02-28", True, 3)
    said = [note.message for note in result.notes]
    assert "time range 2026-02-20..2026-02-28 was not applied by deaf, spans" in said
    assert "3 results dated outside 2026-02-20..2026-02-28 were left out" in said
    told = alone.to_dict()
    assert (told["freshnessApplied"], "timeRange" in told, told["freshnessAutoInferred"]) == (False, False, False)


LOCAL = Filters(include_domains="local", exclude_domains="local")
OWN = Filters(include_domains="native", exclude_domains="operator")


@pytest.mark.parametrize("wish", [{"site": "b.test"}, {"include_domains": ["b.test"]}, {"exclude_domains": ["b.test"]}])
async def test_g8_who_can_t_filter_domains_is_asked_for_more(wish: dict):
    """As many again as are wanted, since some of them fall here."""
    async with opened({"deaf": gives(), "own": gives()}, dated("deaf", LOCAL), dated("own", OWN)) as on:
        await on.search("cats", max_results=5, **wish)
        assert (asked(on, "deaf")[4], asked(on, "own")[4]) == ("12", "7")
        await on.search("cats", max_results=5)
        assert (asked(on, "deaf")[4], asked(on, "own")[4]) == ("7", "7")


async def test_g12_a_level_of_safe_search_that_was_not_applied_is_told_and_the_default_is_not():
    backends = [dated("deaf"), dated("other"), dated("native", Filters(safe_search="native"))]
    async with opened({"deaf": gives(), "other": gives(), "native": gives()}, *backends) as on:
        notes = [
            (await on.search("cats", safe_search=level, backends=names)).notes
            for level, names in (("off", None), ("strict", ["deaf", "native"]), ("moderate", None))
        ]
    told = [[(note.backend, note.message) for note in each if note.kind == "not_applied"] for each in notes]
    assert told == [
        [("", "safe search off was not applied by deaf, other")],
        [("deaf", "safe search strict was not applied by deaf")],
        [],
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_range": "2026-02-28..2026-02-20"},
        {"time_range": "2026-02-30..2026-03-01"},
        {"time_range": "x" * 41},
        {"freshness": "hour"},
        {"site": "b.test", "include_domains": ["a.test"]},
        {"include_domains": ["a.test"], "exclude_domains": ["a.test"]},
        {"safe_search": "2"},
        {"safe_search": True},
        {"region": "x" * 11},
        {"max_chars_per_result": "8"},
    ],
)
async def test_what_is_refused_is_refused_before_any_request(wrong: dict):
    async with opened({"a": gives(a=None)}) as on:
        with pytest.raises(UsageError, match=next(iter(wrong))):
            await on.search("cats", **wrong)
        assert on.upstreams.requests == []


async def test_x4_and_bc_130_all_four_words_at_once():
    """`recency` is the setting, `freshness` the call's, `time_range` wins, `fresh` passes by the cache alone."""
    async with opened({"native": gives(a=None)}, dated("native", NATIVE), recency="year") as on:
        result = await on.search("AI news this week", freshness="day", time_range="2026-02-20..2026-02-28", fresh=True)
        assert asked(on, "native")[:3] == ["any", "2026-02-20", "2026-02-28"]
        assert kinds(result) == ["time_range_wins"]
        assert (await on.search("AI news this week", freshness="day")).freshness == "day"
        assert (await on.search("AI news", fresh=True)).freshness == "year"
        assert "freshness" not in (await on.search("AI news this week", freshness="any")).to_dict()
        inferred = await on.search("AI news this week")
        assert (inferred.freshness, inferred.freshness_auto_inferred) == ("week", True)
        assert kinds(inferred) == ["freshness_inferred"]
        for wrong in ("day", 1, True):
            with pytest.raises(TypeError, match="recency"):
                await on.search("cats", recency=wrong)


async def test_g3_g4_what_the_query_says_of_time():
    async with opened({"native": gives(a=None)}, dated("native", NATIVE)) as on:
        told = (await on.search("本周 新闻")).to_dict()
        assert (told["freshness"], told["freshnessAutoInferred"], told["freshnessApplied"]) == ("week", True, True)
        assert any("week" in note["message"] and "本周" in note["message"] for note in told["notes"])
        assert asked(on, "native")[0] == "week"
        told = (await on.search("请帮我查一下本周新闻")).to_dict()
        assert (told["queryRewritten"], told["freshness"], told["freshnessAutoInferred"]) == ("本周新闻", "week", True)
        assert (await on.search("2025年 财报")).to_dict()["queryYear"] == 2025
        assert "queryYear" not in (await on.search("RFC 2026")).to_dict()


async def test_what_the_words_said_is_each_caller_s_own_also_from_the_cache(tmp_path, patient):
    """One result for two ways to ask: only one of them was inferred."""
    async with opened({"native": gives(a=None)}, dated("native", NATIVE), cache_dir=tmp_path) as on:
        first = await on.search("本周 新闻")
        second = await on.search("本周 新闻", freshness="week")
        assert len(on.upstreams.requests) == 1
    assert (first.freshness_auto_inferred, kinds(first)) == (True, ["freshness_inferred"])
    assert (second.cached, second.freshness_auto_inferred, kinds(second)) == (True, False, [])
    assert second.freshness_applied is True


async def test_a_search_that_failed_says_that_nothing_was_applied():
    async with opened({"native": fails("server")}, dated("native", NATIVE)) as on:
        with pytest.raises(AllFailed) as caught:
            await on.search("本周 新闻 2026年")
    result = caught.value.result
    assert (result.freshness_applied, result.freshness_auto_inferred, result.query_year) == (False, True, 2026)


LONG = "The quick 👩‍👩‍👧 brown 狐狸 jumps over e\u0301 lazy dogs. " * 30


@pytest.mark.parametrize("most", [1, 2, 10, 19, 60, 500, 5000])
async def test_g13_no_excerpt_is_longer_than_asked(tmp_path, patient, most: int):
    """G13: cut where a reader would, never in a character, and the cache keeps the whole."""

    def told(_response: Response) -> Parsed:
        return Parsed(hits=(Hit(url="https://a.test/", title="T", snippet=LONG),))

    async with opened({"a": gives(a=None)}, backend("a", parse=told), cache_dir=tmp_path) as on:
        short = await on.search("cats", max_chars_per_result=most)
        whole = await on.search("cats")
        again = await on.search("cats", max_chars_per_result=most)
        assert len(on.upstreams.requests) == 1
    (one,), (all_of_it,) = short.sources, whole.sources
    assert len(all_of_it.snippet) > 1000
    assert len(one.snippet) <= most
    assert again.sources == short.sources
    kept = one.snippet.rstrip("… ")
    assert all_of_it.snippet.startswith(kept)
    following = all_of_it.snippet[len(kept) : len(kept) + 1]
    assert following not in ("\u200d", "\u0301")
    assert not kept.endswith("\u200d")
    assert as_asked(whole, _wish(on, most)).sources == short.sources


def _wish(on: Any, most: int) -> Any:
    return on.engine._wish(on.engine.settings, "cats", max_chars_per_result=most)


async def test_x6_both_settings_end_to_end():
    async with opened({"a": gives(a=None)}, dated("a")) as on:
        result = await on.search("cats", max_results=51)
        assert kinds(result) == ["max_results_out_of_range"]
    async with opened({"a": gives(a=None)}, strict_arguments=True) as on:
        with pytest.raises(UsageError, match="max_results 51 is not between 1 and 50"):
            await on.search("cats", max_results=51)
        assert on.upstreams.requests == []
