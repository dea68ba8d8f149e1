"""Times of day and zones as they stand behind a date: `T10:00:00.5Z`, `at 3:05 pm GMT+8`, `下午3:05`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from fanseek.text.moments import Moment, instant, of_day
from fanseek.types import Precision

_LEAD = r"(?:t|[\s,·|]*(?:(?:at|um|kl\.?|a las|às|à|alle|om|в)\s+)?)"
_HALVES = {
    **dict.fromkeys(("a.m.", "a.m", "am", "上午", "早上", "凌晨", "午前", "오전"), 0),
    **dict.fromkeys(("p.m.", "p.m", "pm", "下午", "晚上", "午後", "오후"), 12),
}
_HALF = "|".join(map(re.escape, _HALVES))
_TIME = re.compile(
    rf"{_LEAD}(?P<before>{_HALF})?\s*(?P<h>[0-9]{{1,2}})(?::(?P<m>[0-9]{{2}})(?::(?P<s>[0-9]{{2}})(?:[.,](?P<f>[0-9]+))?)?)?"
    rf"(?![0-9:])\s*(?P<behind>{_HALF})?"
)
_COMPACT = re.compile(r"[t\s]?(?P<h>[0-9]{2})(?P<m>[0-9]{2})(?:(?P<s>[0-9]{2})(?:[.,](?P<f>[0-9]+))?)?(?![0-9:])")
_OFFSET = re.compile(r"(?:utc|gmt)?\s*(?P<sign>[+\-\u2212])(?P<h>[0-9]{1,2})(?::?(?P<m>[0-9]{2}))?(?![0-9])")
_NAME = re.compile(r"(?:uhr\b\s*)?(?P<name>[a-z]{1,5})?\b")
_REMARK = re.compile(r"[\s.,;]*(?:[·•|()\[\]\u2013\u2014-].*)?", re.DOTALL)

_WEST = {5: "est cdt", 6: "cst mdt", 7: "mst pdt", 8: "pst", 4: "edt"}
_EAST = {0: "z utc gmt ut", 1: "cet bst", 2: "cest eet", 3: "eest msk", 9: "jst kst", 10: "aest", 11: "aedt"}
ZONES = {name: -hours for hours, names in _WEST.items() for name in names.split()} | {
    name: hours for hours, names in _EAST.items() for name in names.split()
}
"""Zones by name, in hours: those of RFC 822, and such others as mean one thing only."""


def timed(day: date, rest: str) -> Moment | None:
    """`day` at the time that `rest` (lower case) tells, if any; None when it tells something else.

    Raises ValueError and OverflowError for what is no time.
    """
    if _REMARK.fullmatch(rest):
        return of_day(day)
    found = _COMPACT.match(rest) or _TIME.match(rest)
    if found is None:
        return None
    part = found.groupdict()
    half = part.get("before") or part.get("behind")
    if not (part["m"] or half or rest.startswith("t")):
        return None
    zone, left = zone_of(rest[found.end() :].strip())
    if not _REMARK.fullmatch(left):
        return None
    precision: Precision = "second" if part["s"] else "minute" if part["m"] else "hour"
    at, days = _clock(_hour(int(part["h"]), half), int(part["m"] or 0), int(part["s"] or 0), part["f"] or "")
    moment = datetime.combine(day, at, zone or UTC) + timedelta(days=days)
    return instant(moment, precision, floating=zone is None)


def zone_of(text: str) -> tuple[tzinfo | None, str]:
    """The zone `text` begins with, None for one that is not known, and what is left of `text`."""
    offset = _OFFSET.match(text)
    if offset is not None:
        away = timedelta(hours=int(offset["h"]), minutes=int(offset["m"] or 0))
        return timezone(-away if offset["sign"] != "+" else away), text[offset.end() :]
    named = _NAME.match(text)
    if named is None:
        return None, text
    hours = ZONES.get(named["name"] or "")
    return (None if hours is None else timezone(timedelta(hours=hours))), text[named.end() :]


def _hour(hour: int, half: str | None) -> int:
    """The hour of 24 for one of a half day."""
    if half is None:
        return hour
    return hour % 12 + _HALVES[half] if hour <= 12 else hour


def _clock(hour: int, minute: int, second: int, fraction: str) -> tuple[time, int]:
    """The time, and the days it lies ahead: 24:00 is a day's end. A leap second counts as the second before it."""
    if (hour, minute, second) == (24, 0, 0):
        return time(), 1
    return time(hour, minute, 59 if second == 60 else second, int(fraction[:6].ljust(6, "0"))), 0
