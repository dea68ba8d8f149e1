"""BC-128: now is taken once, where the user is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from fanseek.config.settings import Settings
from fanseek.select.clock import here
from fanseek.select.request import wish

LATE = 1_772_380_800.0
"""16:00 in UTC on 2026-03-01: midnight in Shanghai."""


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Asia/Shanghai", "2026-03-02", 8),
        ("UTC", "2026-03-01", 0),
        ("America/New_York", "2026-03-01", -5),
        ("Asia/Kolkata", "2026-03-01", 5.5),
    ],
)
def test_a_named_zone(zone: str, day: str, hours: float):
    now = here(lambda: LATE, zone)
    assert (now.date().isoformat(), now.utcoffset()) == (day, timedelta(hours=hours))
    asked = wish(Settings(time_zone=zone), "cats", freshness="day", clock=lambda: LATE)
    assert asked.request.today == day
    assert asked.now == now
    assert asked.span.first == now - timedelta(days=1)


def test_without_a_zone_it_is_the_machine_s(monkeypatch: pytest.MonkeyPatch):
    import time

    for zone, day in (("Asia/Shanghai", "2026-03-02"), ("America/New_York", "2026-03-01")):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        assert here(lambda: LATE, "").date().isoformat() == day
    monkeypatch.undo()
    time.tzset()


def test_the_clock_is_read_once():
    readings = iter([LATE - 1, LATE + 1])
    asked = wish(Settings(time_zone="Asia/Shanghai"), "今天 新闻", freshness="day", clock=lambda: next(readings))
    assert (asked.request.today, asked.now.timestamp()) == ("2026-03-01", LATE - 1)
    assert next(readings) == LATE + 1


@pytest.mark.parametrize("reading", [float("nan"), float("inf"), 1e30, -1e30])
def test_a_clock_that_shows_no_time_is_none(reading: float):
    assert here(lambda: reading, "UTC") is None
    asked = wish(Settings(), "cats", freshness="week", clock=lambda: reading)
    assert (asked.request.today, asked.now, asked.span, asked.request.recency) == ("", None, None, "week")
    assert here(None, "UTC") is None
