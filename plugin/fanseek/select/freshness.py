"""The time that results are wished of: a recency or a range of days, given, implied by the query, or set (X4)."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import get_args

import msgspec

from fanseek.errors import UsageError
from fanseek.select.time_words import implied
from fanseek.text.spans import Span, between, latest
from fanseek.types import Note, Recency

LONGEST_RANGE = 40
_RANGE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})\.\.([0-9]{4}-[0-9]{2}-[0-9]{2})")
_FORM = "YYYY-MM-DD..YYYY-MM-DD, such as 2026-02-20..2026-02-28"


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """The time wished. A range stands in for a recency."""

    recency: Recency = "any"
    since: date | None = None
    until: date | None = None
    inferred: bool = False
    """Whether the query's own words ask for it."""
    notes: tuple[Note, ...] = ()

    def span(self, now: datetime | None) -> Span | None:
        """The moments in it, seen from `now`; None where any will do, or nothing is known of now."""
        if now is None:
            return None
        if self.since is not None and self.until is not None:
            return between(self.since, self.until, now)
        return latest(self.recency, now) if self.recency != "any" else None


def timing(query: str, freshness: object, time_range: object, default: Recency, now: datetime | None) -> Timing:
    """The time wished: a range before a recency, what was given before what the query implies and what is set.

    Raises UsageError.
    """
    given, days = _recency(freshness), _days(time_range)
    if days is not None:
        since, until = days
        return Timing(since=since, until=until, notes=_of_range(since, until, given, now))
    if given is not None:
        return Timing(recency=given)
    meant = implied(query, now.year if now else None)
    if meant is None:
        return Timing(recency=default)
    message = (
        f'freshness {meant.recency} was taken from the query\'s words "{meant.words}"; freshness any turns that off'
    )
    return Timing(recency=meant.recency, inferred=True, notes=(Note(kind="freshness_inferred", message=message),))


def _recency(given: object) -> Recency | None:
    if given is None or given == "":
        return None
    known = get_args(Recency)
    word = given.strip().lower() if isinstance(given, str) else given
    if word not in known:
        raise UsageError(f"freshness must be one of {', '.join(known)}")
    return next(recency for recency in known if recency == word)


def _days(given: object) -> tuple[date, date] | None:
    if given is None or given == "":
        return None
    if not isinstance(given, str) or len(given) > LONGEST_RANGE:
        raise UsageError(f"time_range must be {_FORM}, of at most {LONGEST_RANGE} characters")
    written = _RANGE.fullmatch(given.strip())
    if written is None:
        raise UsageError(f"time_range must be {_FORM}")
    try:
        since, until = map(date.fromisoformat, written.groups())
    except ValueError:
        raise UsageError(f"time_range names a day that is in no calendar; it must be {_FORM}") from None
    if since > until:
        raise UsageError(f"time_range ends before it begins; it must be {_FORM}, the earlier day first")
    return since, until


def _of_range(since: date, until: date, given: Recency | None, now: datetime | None) -> tuple[Note, ...]:
    notes = []
    if given not in (None, "any"):
        message = f"time_range {since}..{until} was used; freshness {given} was not"
        notes.append(Note(kind="time_range_wins", message=message))
    if now is not None and since > now.date():
        message = f"time_range begins after today ({now.date()}), so nothing can have been published in it yet"
        notes.append(Note(kind="time_range_ahead", message=message))
    return tuple(notes)
