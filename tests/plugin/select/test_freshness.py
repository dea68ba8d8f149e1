"""X4, G5, G6, BC-130: the time wished for, and every conflict settled before any request."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.errors import UsageError
from fanseek.select.freshness import Timing, timing

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def wished(query: str = "cats", freshness: object = None, time_range: object = None, default: str = "any") -> Timing:
    return timing(query, freshness, time_range, default, NOW)


def kinds(found: Timing) -> list[str]:
    return [note.kind for note in found.notes]


@pytest.mark.parametrize(
    ("freshness", "recency"),
    [
        ("day", "day"),
        ("week", "week"),
        ("month", "month"),
        ("year", "year"),
        ("any", "any"),
        (" Week ", "week"),
        ("DAY", "day"),
        ("", "any"),
        (None, "any"),
    ],
)
def test_g5_the_words_of_freshness(freshness: object, recency: str):
    assert wished(freshness=freshness) == Timing(recency=recency)


@pytest.mark.parametrize("wrong", ["hour", "weeks", "pd", "2026-02-20", 7, True, ["day"], {"day": 1}, b"day", 1.5])
def test_other_words_are_refused(wrong: object):
    with pytest.raises(UsageError, match="freshness must be one of any, day, week, month, year"):
        wished(freshness=wrong)


@pytest.mark.parametrize(
    "time_range", ["2026-02-20..2026-02-28", " 2026-02-20..2026-02-28 ", "2026-02-20..2026-02-28" + " " * 18]
)
def test_g6_a_range_of_days(time_range: str):
    found = wished(time_range=time_range)
    assert found == Timing(since=date(2026, 2, 20), until=date(2026, 2, 28))
    assert wished(time_range="2026-02-20..2026-02-20").until == date(2026, 2, 20)
    assert wished(time_range="") == Timing()


@pytest.mark.parametrize(
    "wrong",
    [
        "2026-02-28..2026-02-20",
        "2026-02-30..2026-03-01",
        "2026-02-20..2026-02-29",
        "2026-13-01..2026-14-01",
        "0000-01-01..2026-01-01",
        "2026-02-20",
        "2026-02-20..",
        "..2026-02-28",
        "2026-02-20...2026-02-28",
        "2026-02-20 .. 2026-02-28",
        "2026-02-20 to 2026-02-28",
        "2026-2-20..2026-2-28",
        "20260220..20260228",
        "02/20/2026..02/28/2026",
        "２０２６-02-20..2026-02-28",
        "2026-02-20T00:00..2026-02-28T00:00",
        "week",
        "2026-02-20..2026-02-28" + " " * 19,
        "2026-02-20..2026-02-28\x00",
        "x" * 1000,
        7,
        True,
        ["2026-02-20", "2026-02-28"],
        ("2026-02-20", "2026-02-28"),
        date(2026, 2, 20),
    ],
)
def test_g6_what_is_no_range_is_refused(wrong: object):
    with pytest.raises(UsageError, match="time_range") as caught:
        wished(time_range=wrong)
    assert "2026-02-20..2026-02-28" in str(caught.value)
    assert caught.value.code == "INVALID_ARGUMENTS"


@given(st.one_of(st.text(), st.from_regex(r"\d{4}-\d{2}-\d{2}\.\.\d{4}-\d{2}-\d{2}"), st.integers(), st.none()))
def test_anything_is_a_range_or_refused(time_range: object):
    try:
        found = wished(time_range=time_range)
    except UsageError:
        return
    assert found.since is None or found.since <= found.until


def test_bc_130_explicit_days_win_over_a_recency_and_it_is_said():
    found = wished(freshness="week", time_range="2026-02-01..2026-02-20")
    assert (found.recency, found.since) == ("any", date(2026, 2, 1))
    (note,) = found.notes
    assert note.kind == "time_range_wins"
    assert note.message == "time_range 2026-02-01..2026-02-20 was used; freshness week was not"


def test_x4_precedence_with_all_set():
    """A range, then the call's freshness, then the query's own words, then the setting; `any` is an answer too."""
    query, days = "AI news this week", "2026-02-01..2026-02-20"
    assert wished(query, "day", days, "year").since == date(2026, 2, 1)
    assert wished(query, None, days, "year").since == date(2026, 2, 1)
    assert kinds(wished(query, None, days, "year")) == kinds(wished(query, "any", days)) == []
    assert wished(query, "day", None, "year") == Timing(recency="day")
    assert wished(query, "any", None, "year") == Timing(recency="any")
    found = wished(query, None, None, "year")
    assert (found.recency, found.inferred, kinds(found)) == ("week", True, ["freshness_inferred"])
    assert wished("AI news", None, None, "year") == Timing(recency="year")


def test_g4_what_is_inferred_is_said_with_the_words_and_the_way_out():
    """G4."""
    found = wished("本周 新闻")
    assert (found.recency, found.inferred) == ("week", True)
    assert found.notes[0].message == (
        'freshness week was taken from the query\'s words "本周"; freshness any turns that off'
    )
    assert not wished("本周 新闻", "any").inferred


def test_a_range_that_is_yet_to_come_is_said_to_be():
    found = wished(time_range="2026-03-02..2026-03-09")
    assert kinds(found) == ["time_range_ahead"]
    assert "2026-03-01" in found.notes[0].message
    assert kinds(wished(time_range="2026-03-01..2026-03-09")) == []
    tokyo = NOW.astimezone(timezone(timedelta(hours=14)))
    assert timing("cats", None, "2026-03-02..2026-03-09", "any", tokyo).notes == ()


def test_without_a_clock_only_what_was_said_is_known():
    assert timing("this week news 2025", None, None, "any", None).recency == "any"
    assert timing("cats", "week", None, "any", None).span(None) is None
    assert wished().span(NOW) is None
    assert wished(freshness="week").span(NOW).first == NOW - timedelta(days=7)
