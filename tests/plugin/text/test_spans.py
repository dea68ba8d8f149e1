"""G6, BC-128: which dates lie in a wished-for span: instants are compared, and a day is the day where the user is."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from fanseek.text.dates import dated
from fanseek.text.spans import Span, between, covering, latest

SHANGHAI, NEW_YORK = timezone(timedelta(hours=8)), timezone(timedelta(hours=-5))
NIGHT = datetime(2026, 3, 1, 23, 59, 59, tzinfo=SHANGHAI)


def holds(span: Span, raw: object, now: datetime = NIGHT) -> bool:
    moment = dated(raw, now)
    assert moment is not None
    return span.holds(moment)


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("today", True),
        ("2026-03-01", True),
        ("2026-03-01T23:50:00+08:00", True),
        ("2026-03-01T15:50:00Z", True),
        ("2026-03-01T00:00:00+08:00", True),
        ("2026-03-02T00:10:00", True),
        ("yesterday", True),
        ("23 hours ago", True),
        ("24 hours ago", True),
        ("25 hours ago", False),
        ("1 day ago", True),
        ("2 days ago", False),
        ("2026-02-28T15:59:58Z", False),
        ("2026-02-28T16:00:00Z", True),
        ("2026-01", False),
        ("2026-02", True),
        ("2026-03", True),
        ("2026", True),
        ("2025", False),
    ],
)
def test_bc_128_the_last_day_counts_from_one_now_where_the_user_is(raw: str, kept: bool):
    assert holds(latest("day", NIGHT), raw) is kept


def test_a_day_with_some_of_its_hours_in_the_span_is_in_it():
    noon = NIGHT.replace(hour=12)
    assert holds(latest("day", noon), "yesterday", noon)
    assert holds(latest("day", noon), "2026-02-28T00:00:00Z", noon)
    assert not holds(latest("day", noon), "2026-02-27", noon)


@pytest.mark.parametrize(("recency", "inside", "outside"), [
    ("day", "20 hours ago", "2 days ago"),
    ("week", "1 week ago", "2 weeks ago"),
    ("week", "2026-02-23", "2026-02-20"),
    ("month", "1 month ago", "2 months ago"),
    ("month", "2026-01-30", "2026-01-28"),
    ("year", "1 year ago", "2 years ago"),
    ("year", "2025-03-02", "2025-02-01"),
])  # fmt: skip
def test_each_recency(recency: str, inside: str, outside: str):
    span = latest(recency, NIGHT)
    assert holds(span, inside)
    assert not holds(span, outside)


@pytest.mark.parametrize("zone", [SHANGHAI, UTC, NEW_YORK])
@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("2026-02-19", False),
        ("2026-02-20", True),
        ("2026-02-25", True),
        ("2026-02-25T10:00:00Z", True),
        ("2026-02-28", True),
        ("2026-03-01", False),
        ("2026-02", True),
        ("2026-01", False),
    ],
)
def test_both_ends_of_a_range_are_in_it_in_every_zone(zone: timezone, raw: str, kept: bool):
    now = NIGHT.astimezone(zone)
    assert holds(between(date(2026, 2, 20), date(2026, 2, 28), now), raw, now) is kept


def test_a_time_without_a_zone_is_given_the_benefit_of_the_doubt():
    span = between(date(2026, 2, 20), date(2026, 2, 28), NIGHT)
    assert holds(span, "2026-02-28T23:30:00")
    assert not holds(span, "2026-02-28T23:30:00Z")
    assert holds(span, "2026-02-28T23:30:00+08:00")
    assert holds(span, "2026-02-20T00:30:00")


@pytest.mark.parametrize(
    ("since", "recency"),
    [
        (date(2026, 3, 1), "day"),
        (date(2026, 2, 28), "week"),
        (date(2026, 2, 22), "month"),
        (date(2026, 1, 30), "month"),
        (date(2026, 1, 29), "year"),
        (date(2025, 3, 1), "year"),
        (date(2025, 2, 27), "any"),
        (date(2020, 1, 1), "any"),
    ],
)
def test_the_shortest_recency_that_covers_a_day(since: date, recency: str):
    assert covering(since, date(2026, 3, 1)) == recency
