"""What providers write for a date, in any of its shapes, as one moment. Total: whatever comes, nothing here raises."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, timedelta

from fanseek.text.ages import aged
from fanseek.text.calendar_forms import on_calendar, unlabelled
from fanseek.text.moments import Moment

LONGEST = 200
"""Characters a date may have."""

AHEAD = timedelta(days=2)
"""How far after now something can have been published: zones and clocks differ by no more."""

FIRST_YEAR = 1900
_EPOCH_FROM = datetime(1990, 1, 1, tzinfo=UTC).timestamp()
"""Counts of seconds before the web are counts of something else."""

EPOCH = frozenset((date(1969, 12, 31), date(1970, 1, 1)))
STAND_INS = EPOCH | {date(1900, 1, 1), date(1904, 1, 1), date(1980, 1, 1)}
"""Days that machines write where they know none: their calendars begin there, in one zone or another."""

_NUMBER = re.compile(r"([0-9]{9,19})(?:\.([0-9]{1,9}))?")


def dated(raw: object, now: datetime) -> Moment | None:
    """When `raw` says that something was published, seen at `now` (aware, in the user's zone); None for no idea.

    What names no zone is taken as UTC. Sentinels, and moments that can't have been, are none.
    """
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    try:
        text = raw if isinstance(raw, str) else format(raw, "f") if isinstance(raw, float) else str(raw)
        moment = _read(text, now) if len(text) <= LONGEST else None
        return moment if moment is not None and _is_plausible(moment, now) else None
    except (ValueError, OverflowError):
        return None


def _read(raw: str, now: datetime) -> Moment | None:
    text = " ".join(_in_figures(unicodedata.normalize("NFKC", raw)).casefold().split())
    if (number := _NUMBER.fullmatch(text)) is not None and (counted := _since_epoch(number)) is not None:
        return counted
    text = unlabelled(text)
    return aged(text, now) or on_calendar(text)


def _in_figures(text: str) -> str:
    """`text` with the digits of other scripts as ours."""
    return text if text.isascii() else "".join(str(unicodedata.decimal(sign, sign)) for sign in text)


def _since_epoch(number: re.Match[str]) -> Moment | None:
    """A count of seconds, or of thousandths, millionths or billionths, since 1970."""
    count = int(number[1])
    for unit in (1, 1000, 10**6, 10**9):
        if _EPOCH_FROM <= count / unit < 2**32:
            at = datetime.fromtimestamp(count // unit, UTC)
            return Moment(at=at, first=at, last=at, precision="second")
    return None


def _is_plausible(moment: Moment, now: datetime) -> bool:
    at = moment.at.astimezone(UTC)
    if at.year < FIRST_YEAR or at > now.astimezone(UTC) + AHEAD:
        return False
    stand_ins = EPOCH if moment.precision in ("month", "year") else STAND_INS
    return not stand_ins & {at.date(), moment.at.date()}
