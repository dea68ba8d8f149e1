"""Days, months and years as calendars write them: `2026-02-28`, `Feb 28, 2026`, `28. Februar 2026`, `2026年2月28日`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from fanseek.text.daytimes import timed
from fanseek.text.moments import Moment, midnight, of_month, of_year, whole
from fanseek.text.month_names import month_of

_WORD = r"[^\W\d_]+"
_OF = r"(?:(?:of|de|del|di)\b)?"
_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "民國": 1911, "民国": 1911}

_ERA = re.compile(rf"({'|'.join(_ERAS)})\s*([0-9]{{1,3}}|元)\s*年")
_CJK_DAY = re.compile(r"([0-9]{4})\s*[年년]\s*(?:([0-9]{1,2})\s*[月월]\s*(?:([0-9]{1,2})\s*[日号號일])?)?")
_CJK_TIME = re.compile(r"([0-9]{1,2})\s*[時时點点시]\s*(?:([0-9]{1,2})\s*[分분]\s*(?:([0-9]{1,2})\s*[秒초])?)?")
_CJK_WEEKDAY = re.compile(
    r"\(?(?:(?:星期|周|週|禮拜|礼拜)[一二三四五六日天]|[月火水木金土日]曜日?|[월화수목금토일]요일)\)?|\([月火水木金土日월화수목금토일]\)"
)

_ISO = re.compile(r"([0-9]{4})\s*([-/.])\s*([0-9]{1,2})(?:\s*\2\s*([0-9]{1,2})(?![0-9]))?\.?(?![0-9])")
_WEEK = re.compile(r"([0-9]{4})-?w([0-9]{2})(?:-?([1-7]))?(?![0-9])")
_SOLID = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?=t|\s|$|[0-9]{4}(?:[0-9]{2})?$)")
_SLASHED = re.compile(r"([0-9]{1,2})\s*([-/.])\s*([0-9]{1,2})\s*\2\s*([0-9]{4})(?![0-9])")
_DAY_FIRST = re.compile(
    rf"([0-9]{{1,2}})(?:st|nd|rd|th|er|º|ª|\.)?[\s-]*{_OF}[\s-]*({_WORD})\.?[\s,-]*{_OF}\s*([0-9]{{4}}|[0-9]{{2}}(?=\s+[0-9]{{1,2}}:))(?![0-9:])"
    r"(?:\s*(?:\u0433|года)(?![^\W\d_])\.?)?"
)
_MONTH_FIRST = re.compile(rf"({_WORD})\.?\s*([0-9]{{1,2}})(?:st|nd|rd|th)?(?:\s*,\s*|\s+)([0-9]{{4}})(?![0-9:])")
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})[\s,-]*({_WORD})\.?[\s-]*([0-9]{{1,2}})(?![0-9:])")
_CTIME = re.compile(rf"({_WORD})\s+([0-9]{{1,2}})\s+([0-9:]{{8}})\s+((?:[a-z]+\s+)?)([0-9]{{4}})")
_MONTH_ONLY = re.compile(rf"({_WORD})\.?[\s,-]*{_OF}\s*([0-9]{{4}})")
_YEAR = re.compile(r"([0-9]{4})")
_LEADING = re.compile(
    rf"(?:({_WORD})\.?\s*,|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?)\s+(?=\S)"
)
_LABEL = re.compile(
    r"(?:(?:last\s+|first\s+)?(?:published|posted|updated|modified|edited|created|added|date)(?:\s+(?:on|at))?|发布(?:于|时间|日期)?|發布(?:於|時間|日期)?|发表于"
    r"|更新(?:于|時間|时间|日期|日)?|公開日?|投稿日?|時間|时间|日期|입력|등록일?)\s*[::]?\s*"
)


def unlabelled(text: str) -> str:
    """`text` without the word before a date that says what happened then: `updated`, `发布于`."""
    return _LABEL.sub("", text, count=1) if _LABEL.match(text) else text


def on_calendar(text: str) -> Moment | None:
    """The moment `text` (NFKC, lower case) names by its calendar date; None for what names none, or several.

    Raises ValueError and OverflowError for days that are none.
    """
    text = _latin(text)
    if (lead := _LEADING.match(text)) and not month_of(lead[1] or ""):
        text = text[lead.end() :]
    return next((moment for read in _FORMS if (moment := read(text)) is not None), None)


def _latin(text: str) -> str:
    """`text` with dates and times of Chinese, Japanese and Korean in figures, and without their days of the week."""
    if text.isascii():
        return text
    text = _ERA.sub(lambda era: f"{_ERAS[era[1]] + (1 if era[2] == '元' else int(era[2]))}年", text)
    text = _CJK_DAY.sub(lambda day: "-".join(part for part in day.groups() if part) + " ", text)
    text = _CJK_TIME.sub(lambda at: ":".join(f"{int(part or 0):02}" for part in at.groups()[: 3 if at[3] else 2]), text)
    return _CJK_WEEKDAY.sub(" ", text).strip()


def _iso(text: str) -> Moment | None:
    found = _ISO.match(text)
    if found is None:
        return None
    year, _, month, day = found.groups()
    if day is None:
        return of_month(int(year), int(month)) if not text[found.end() :].strip() else None
    return timed(date(int(year), int(month), int(day)), text[found.end() :])


def _week(text: str) -> Moment | None:
    found = _WEEK.match(text)
    if found is None:
        return None
    day = date.fromisocalendar(int(found[1]), int(found[2]), int(found[3] or 1))
    if found[3]:
        return timed(day, text[found.end() :])
    return whole(midnight(day), midnight(day + timedelta(weeks=1)), "week")


def _solid(text: str) -> Moment | None:
    found = _SOLID.match(text)
    return timed(date(*map(int, found.groups())), text[found.end() :]) if found else None


def _slashed(text: str) -> Moment | None:
    """Day and month before a year, where only one order is possible or both are the same."""
    found = _SLASHED.match(text)
    if found is None:
        return None
    one, other, year = int(found[1]), int(found[3]), int(found[4])
    if one <= 12 and other <= 12 and one != other:
        return None
    day, month = (one, other) if other <= 12 else (other, one)
    return timed(date(year, month, day), text[found.end() :])


def _named(form: re.Pattern[str], year: int, month: int, day: int) -> Callable[[str], Moment | None]:
    """A reader of dates with the month's name; `year`, `month` and `day` say where they stand in `form`."""

    def read(text: str) -> Moment | None:
        found = form.match(text)
        number = month_of(found[month]) if found else None
        if found is None or number is None:
            return None
        return timed(date(_full(found[year]), number, int(found[day])), text[found.end() :])

    return read


def _full(year: str) -> int:
    """A year of four figures; of two, as RFC 5322 (4.3) reads it."""
    return int(year) if len(year) == 4 else int(year) + (2000 if int(year) < 50 else 1900)


def _ctime(text: str) -> Moment | None:
    """`Feb 28 10:00:00 2026`, a zone before the year allowed, as C, Java and Git write it."""
    found = _CTIME.match(text)
    number = month_of(found[1]) if found else None
    if found is None or number is None:
        return None
    rest = text[found.end() :].strip() or found[4].strip()
    return timed(date(int(found[5]), number, int(found[2])), f"{found[3]} {rest}")


def _month_only(text: str) -> Moment | None:
    found = _MONTH_ONLY.fullmatch(text)
    number = month_of(found[1]) if found else None
    return of_month(int(found[2]), number) if found and number else None


def _year(text: str) -> Moment | None:
    found = _YEAR.fullmatch(text)
    return of_year(int(found[1])) if found else None


_FORMS = (
    _iso,
    _week,
    _solid,
    _slashed,
    _ctime,
    _named(_DAY_FIRST, 3, 2, 1),
    _named(_MONTH_FIRST, 3, 1, 2),
    _named(_YEAR_FIRST, 1, 2, 3),
    _month_only,
    _year,
)
