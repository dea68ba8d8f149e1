"""Spans of time that results are wished of, and which moments lie in them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import msgspec

from fanseek.text.moments import TICK, Moment, midnight
from fanseek.types import Recency

DAYS: dict[Recency, int] = {"day": 1, "week": 7, "month": 31, "year": 366}
"""How many days each recency reaches back."""


class Span(msgspec.Struct, frozen=True, kw_only=True):
    """From `first` to `last`, both aware and in the user's zone; without a `last` one, until whenever."""

    first: datetime
    last: datetime | None = None

    def holds(self, moment: Moment) -> bool:
        """Whether `moment`, in some reading, may lie in the span."""
        return any(
            last >= self.first and (self.last is None or first <= self.last)
            for first, last in moment.readings(self.first.tzinfo or UTC)
        )


def latest(recency: Recency, now: datetime) -> Span:
    """The last day, week, month or year before `now`."""
    return Span(first=now - timedelta(days=DAYS[recency]))


def between(since: date, until: date, now: datetime) -> Span:
    """From the beginning of `since` to the end of `until`, where the user is."""
    zone = now.tzinfo or UTC
    return Span(first=midnight(since, zone), last=midnight(until + timedelta(days=1), zone) - TICK)


def covering(since: date, today: date) -> Recency:
    """The shortest recency that reaches back to `since`."""
    return next((recency for recency, days in DAYS.items() if today - timedelta(days=days) < since), "any")
