"""Relative ages: `2 days ago`, `3 小时前`, `昨天 10:30`, `vor 2 Tagen`, `hace 3 días`."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from fanseek.text.age_words import BEFORE, BEHIND, CJK_COUNTS, CJK_UNITS, COUNTS, DAYS_BACK, LAST, NOW, UNITS
from fanseek.text.daytimes import timed
from fanseek.text.moments import TICK, Moment, midnight, of_month, of_year, whole
from fanseek.text.month_names import plain_letters
from fanseek.types import Precision

_ABOUT = re.compile(
    r"^(?:(?:about|around|over|almost|nearly|etwa|ca\.?|env\.?|約|约|大约|大約)\s*)?|\u200e", re.IGNORECASE
)
_COUNT = r"([0-9]{1,6}(?:[.,][0-9]{1,2})?|[^\W\d_]+)"
_UNIT = r"([^\W\d_]+)\.?"
_SPELLED = re.compile(
    rf"(?:({'|'.join(BEFORE)})\s+)?{_COUNT}\+?\s*'?\s*{_UNIT}(?:\s*(?:,|and|und|et|y|e|en|и)?\s*[0-9]{{1,4}}\s*{_UNIT})*"
    rf"(?:\s+({'|'.join(BEHIND)}))?"
)
_BARE = re.compile(r"([0-9]{1,3})\s*(s|min|mins|h|hr|hrs|d|w|wk|mo|y|yr)\.?")
_CJK = re.compile(
    rf"([0-9]{{1,6}}|半|[{''.join(CJK_COUNTS)}十]{{1,3}})\s*"
    rf"({'|'.join(sorted(CJK_UNITS, key=len, reverse=True))})(?:多|半)?\s*(?:之前|以前|前|전)"
)
_DAY = re.compile("(?:on )?(" + "|".join(map(re.escape, sorted(DAYS_BACK, key=len, reverse=True))) + r")(?![^\W\d_])")
_REMARK = re.compile(r"\s*[·•|(\[].*|\s[\u2013\u2014-]\s.*", re.DOTALL)
"""What may stand behind an age, such as ` · 5 min read`; where it does, the age itself must say `ago`."""

_LENGTHS: dict[Precision, timedelta] = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}


def aged(text: str, now: datetime) -> Moment | None:
    """The moment `text` (NFKC, lower case) counts back to from `now`; None for what tells no age.

    Raises ValueError and OverflowError for ages beyond the calendar.
    """
    said = _ABOUT.sub("", text).strip(" .")
    text = _REMARK.sub("", said)
    plain = " ".join(map(plain_letters, text.split()))
    if text in NOW or plain in NOW:
        return Moment(at=now, first=now - timedelta(minutes=5), last=now, precision="minute")
    if (named := _DAY.match(text) or _DAY.match(plain)) is not None:
        day = now.date() - timedelta(days=DAYS_BACK[named[1]])
        return timed(day, (text if named.re.match(text) else plain)[named.end() :])
    if (unit := LAST.get(text) or LAST.get(plain)) is not None:
        return _last(unit, now.date())
    found = _counted(plain, short=text == said) or _counted_cjk(text)
    return None if found is None else _back(*found, now)


def _last(unit: Precision, today: date) -> Moment:
    """The calendar's week, month or year before the one `today` is in; weeks begin on a Sunday or a Monday."""
    if unit == "week":
        monday = today - timedelta(days=today.weekday())
        return whole(midnight(monday - timedelta(days=8)), midnight(monday), "week")
    month = today.replace(day=1) - timedelta(days=1)
    return of_year(today.year - 1) if unit == "year" else of_month(month.year, month.month)


def _counted(text: str, *, short: bool) -> tuple[float, Precision] | None:
    """Count and unit of an age in words with spaces: it must say `ago` or, with `short`, may be as short as `3h`."""
    found = _SPELLED.fullmatch(text)
    if found is None or not (found[1] or found[5]):
        found = _BARE.fullmatch(text) if short else None
        return (float(found[1]), UNITS[found[2]]) if found else None
    unit = UNITS.get(found[3])
    count = float(found[2].replace(",", ".")) if found[2][0].isdigit() else COUNTS.get(found[2])
    return None if unit is None or count is None else (count, unit)


def _counted_cjk(text: str) -> tuple[float, Precision] | None:
    found = _CJK.fullmatch(text)
    return (_figure(found[1]), CJK_UNITS[found[2]]) if found else None


def _figure(text: str) -> float:
    """A number in figures, or in signs up to 99."""
    if text == "半":
        return 0.5
    if text.isdigit():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return CJK_COUNTS[text] if len(text) == 1 else int("".join(str(CJK_COUNTS[sign]) for sign in text))
    return (CJK_COUNTS.get(tens, 1) if tens else 1) * 10 + CJK_COUNTS.get(ones, 0)


def _back(count: float, unit: Precision, now: datetime) -> Moment:
    """`count` units before `now`: anything from that long ago to nearly one unit longer."""
    if unit in ("second", "minute", "hour"):
        at = now - count * _LENGTHS[unit]
        return Moment(at=at, first=at - _LENGTHS[unit], last=at, precision=unit)
    day = _days_back(now.date(), count, unit)
    first = _days_back(day, 1, unit) + timedelta(days=1)
    return Moment(
        at=midnight(day),
        first=midnight(first),
        last=midnight(day + timedelta(days=1)) - TICK,
        precision=unit,
        floating=True,
    )


def _days_back(day: date, count: float, unit: Precision) -> date:
    if unit in _LENGTHS:
        return day - count * _LENGTHS[unit]
    months = round(count * (12 if unit == "year" else 1))
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(
        year, month + 1, min(day.day, (date(year + month // 11, (month + 1) % 12 + 1, 1) - timedelta(days=1)).day)
    )
