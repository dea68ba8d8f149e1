"""BC-128: what is left out by its date, what is kept without one, and what a backend vouches for."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import Hit
from fanseek.merge import Contribution, Merged, Timeliness, merge
from fanseek.text.spans import latest

SHANGHAI = timezone(timedelta(hours=8))
NOW = datetime(2026, 3, 1, 23, 59, 59, tzinfo=SHANGHAI)
LAST_DAY = Timeliness(now=NOW, span=latest("day", NOW))


def hits(**dates: str | None) -> list[Hit]:
    return [Hit(url=f"https://{name}.example.test/", published=date) for name, date in dates.items()]


def merged(*found: Contribution, timeliness: Timeliness = LAST_DAY, limit: int | None = None) -> Merged:
    return merge(found, timeliness=timeliness, limit=limit)


def names(it: Merged) -> list[str]:
    return [source.domain.partition(".")[0] for source in it.sources]


def by(backend: str, *found: Hit, vouches: bool = False) -> Contribution:
    return Contribution(backend=backend, family=backend, hits=list(found), vouches=vouches)


def test_bc_128_today_where_the_user_is_and_the_undated_are_kept_but_marked():
    it = merged(by("one", *hits(a="today", b="2026-03-01T23:50:00+08:00", c=None)))
    assert names(it) == ["a", "b", "c"]
    assert [source.undated for source in it.sources] == [False, False, True]
    assert it.outdated == 0
    assert it.sources[0].published == "today"
    assert it.sources[0].published_at == "2026-03-01T00:00:00Z"
    assert it.sources[1].published_at == "2026-03-01T15:50:00Z"


def test_what_is_dated_outside_is_left_out_and_counted_nowhere_else():
    old = hits(a="2 days ago", b="2026-02-20", c="Feb 2026", d="2025", e="1 hour ago")
    it = merged(by("one", *old), by("two", *old[:2]))
    assert names(it) == ["e", "c"] or names(it) == ["c", "e"]
    assert (it.outdated, it.total, it.deduped, it.filtered) == (3, 2, 0, 0)
    assert not any(source.undated for source in it.sources)


def test_the_cut_comes_last():
    """BC-140."""
    old = hits(**{f"old{number}": "2020-01-01" for number in range(5)})
    new = hits(**{f"new{number}": "today" for number in range(5)})
    it = merged(by("one", *[hit for pair in zip(old, new, strict=True) for hit in pair]), limit=4)
    assert names(it) == ["new0", "new1", "new2", "new3"]
    assert it.truncated


@pytest.mark.parametrize("date", ["2020-01-01", None, "lorem", "9999-12-31"])
def test_what_a_backend_vouches_for_is_kept_unmarked(date: str | None):
    (source,) = merged(by("native", *hits(a=date), vouches=True), by("deaf", *hits(a="2019-01-01"))).sources
    assert not source.undated


def test_a_date_that_can_t_be_read_is_none():
    (source,) = merged(by("one", *hits(a="soon"))).sources
    assert (source.published, source.published_at, source.published_precision, source.undated) == (
        "soon", None, None, True,
    )  # fmt: skip


def test_of_several_copies_the_best_ranked_date_that_can_be_read_counts():
    it = merged(by("one", *hits(a="soon")), by("two", *hits(x="today", a="3 hours ago")))
    source = next(source for source in it.sources if source.domain.startswith("a."))
    assert (source.published, source.published_at, source.published_precision) == (
        "3 hours ago", "2026-03-01T12:59:59Z", "hour",
    )  # fmt: skip


def test_without_a_wished_time_dates_are_only_told():
    it = merged(by("one", *hits(a="2020-01-01", b=None)), timeliness=Timeliness(now=NOW))
    assert names(it) == ["a", "b"]
    assert [(source.published_at, source.undated) for source in it.sources] == [
        ("2020-01-01T00:00:00Z", False), (None, False),
    ]  # fmt: skip


def test_without_a_clock_dates_stay_as_they_came():
    (source,) = merged(by("one", *hits(a="2020-01-01")), timeliness=Timeliness()).sources
    assert (source.published, source.published_at) == ("2020-01-01", None)


DATE = st.sampled_from(["today", "2 days ago", "2026-03-01T23:50:00+08:00", "2020", None, "", "???", "1772272800"])


@given(
    st.lists(st.tuples(st.sampled_from("abcdef"), DATE), max_size=12), st.lists(st.booleans(), min_size=3, max_size=3)
)
def test_all_are_kept_or_counted_and_in_the_same_order_whoever_came_first(found: list, vouched: list[bool]):
    several = [
        by(f"b{number}", *(Hit(url=f"https://{name}.test/", published=date) for name, date in found[number::3]), vouches=yes)
        for number, yes in enumerate(vouched)
    ]  # fmt: skip
    one, other = merged(*several), merged(*reversed(several))
    assert one == other
    assert len(one.sources) + one.outdated == len({name for name, _ in found})
    assert one.total - one.deduped == len(one.sources)
    for source in one.sources:
        assert source.published_at is None or datetime.fromisoformat(source.published_at).tzinfo == UTC
