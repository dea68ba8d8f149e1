"""A point in time as a provider tells it: how exactly, and whether it said in which zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

import msgspec

from fanseek.types import Precision


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """When something was published. A `floating` one names no zone: its times are those of a clock on some wall."""

    at: datetime
    """The moment as it is shown, aware; for a day, a month or a year its beginning."""
    first: datetime
    last: datetime
    """The moments it may lie between, `last` included."""
    precision: Precision
    floating: bool = False

    @property
    def iso(self) -> str:
        """`at` in UTC, ISO 8601 to the second."""
        return f"{self.at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}Z"

    def readings(self, zone: tzinfo) -> list[tuple[datetime, datetime]]:
        """What `first` and `last` may mean: as they are; on the walls of `zone`; a floating time may be either."""
        said = (self.first, self.last)
        if not self.floating:
            return [said]
        here = (self.first.replace(tzinfo=zone), self.last.replace(tzinfo=zone))
        return [said, here] if self.precision in ("second", "minute", "hour") else [here]


TICK = timedelta(microseconds=1)


def instant(at: datetime, precision: Precision, *, floating: bool) -> Moment:
    """A time of day on a day. Midnight to the second is how a mere day is often written, so it stands for the day."""
    if at.time() == time():
        return whole(at, at + timedelta(days=1), "day", floating=floating)
    return Moment(at=at, first=at, last=at, precision=precision, floating=floating)


def whole(first: datetime, end: datetime, precision: Precision, *, floating: bool = True) -> Moment:
    """A day, month or year from `first` until before `end`."""
    return Moment(at=first, first=first, last=end - TICK, precision=precision, floating=floating)


def of_day(day: date) -> Moment:
    """A day without a time and a zone."""
    first = midnight(day)
    return whole(first, first + timedelta(days=1), "day")


def of_month(year: int, month: int) -> Moment:
    """A month. Raises ValueError for one that is none."""
    return whole(midnight(date(year, month, 1)), midnight(date(year + month // 12, month % 12 + 1, 1)), "month")


def of_year(year: int) -> Moment:
    """A year. Raises ValueError for one that is none."""
    return whole(midnight(date(year, 1, 1)), midnight(date(year + 1, 1, 1)), "year")


def midnight(day: date, zone: tzinfo = UTC) -> datetime:
    """The beginning of `day`."""
    return datetime.combine(day, time(), zone)
