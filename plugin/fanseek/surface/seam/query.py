"""The wishes in a query: nothing else crosses the seam (HF1).

`site:`, `-site:` and quotes are the engine's own; the dates of `after:` and `before:` are taken out here and become its
time range, since few backends know these operators.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

import msgspec

from fanseek.contract import pieces, together
from fanseek.errors import UsageError

EARLIEST = date(1970, 1, 1)
"""Where a time without a beginning begins."""

_DATED = re.compile(
    r"(after|before)[:\uff1a]\"?([0-9]{4})(?:[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2}))?)?\"?", re.IGNORECASE
)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A query as the engine takes it."""

    query: str
    time_range: str | None = None

    @property
    def wishes(self) -> dict[str, Any]:
        """The arguments of `Engine.search` beside the query."""
        return {"time_range": self.time_range} if self.time_range else {}


class _Dated(msgspec.Struct, frozen=True):
    """One date operator: the first day it admits, or the last one."""

    text: str
    since: date | None = None
    until: date | None = None


def asked(query: object, today: date) -> Asked:
    """`query` and the days it names; without an end they reach to `today`.

    `after:` includes its day, `before:` does not; a year or month alone is its first day. What is quoted, negated,
    joined by OR or in no calendar stays in the query as it is. Raises UsageError where no day is left.
    """
    if not isinstance(query, str):
        raise UsageError(f"query must be a string, not {type(query).__name__}")
    if ":" not in query and "\uff1a" not in query:
        return Asked(query=query)
    whole = pieces(query)
    dated = {at: found for at, piece in enumerate(whole) if (found := _read(piece.text))}
    rest = together([piece for at, piece in enumerate(whole) if at not in dated])
    if not dated or not rest.strip():
        return Asked(query=query)
    return Asked(query=rest, time_range=_range(dated.values(), today))


def _read(text: str) -> _Dated | None:
    """The date operator that `text` is; None where it is none, or names no day."""
    found = _DATED.fullmatch(text)
    if found is None:
        return None
    name, year, month, day = found.groups()
    try:
        first = date(int(year), int(month or 1), int(day or 1))
        return _Dated(text, since=first) if name.lower() == "after" else _Dated(text, until=first - timedelta(days=1))
    except (ValueError, OverflowError):
        return None


def _range(dated: Iterable[_Dated], today: date) -> str:
    every = list(dated)
    since = max((one.since for one in every if one.since), default=EARLIEST)
    until = min((one.until for one in every if one.until), default=max(today, since))
    if since > until:
        raise UsageError(f"{' '.join(one.text for one in every)} leaves no day: the first one must be the earlier one")
    return f"{since}..{until}"
