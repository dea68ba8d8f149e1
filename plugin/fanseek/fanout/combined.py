"""How each backend fared when a query was asked in several variants: one outcome, whatever their number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from fanseek.fanout.call import Answered
from fanseek.types import HEARD, Outcome, SearchRequest, Status

SEEN: tuple[Status, ...] = ("partial", "ok", "empty")
LONGEST_PART = 60
"""Characters of a sub-query that a message repeats."""


def combined(answers: Iterable[Answered], requests: Sequence[SearchRequest]) -> list[Outcome]:
    """One outcome for each backend in `answers`. `requests` are the query's variants.

    Hits are summed, the time is that of the slowest. Where some variants failed and others did not, the outcome is
    `partial` and its message says which failed, and how.
    """
    placed = sorted(answers, key=lambda answered: (answered.outcome.backend, answered.variant))
    return [_one(list(own), requests) for _, own in groupby(placed, key=lambda answered: answered.outcome.backend)]


def _one(own: Sequence[Answered], requests: Sequence[SearchRequest]) -> Outcome:
    first = own[0].outcome
    if len(own) == 1:
        return first
    outcomes = [answered.outcome for answered in own]
    statuses = {outcome.status for outcome in outcomes}
    sums = msgspec.structs.replace(
        first,
        hits=sum(outcome.hits for outcome in outcomes),
        ms=max(outcome.ms for outcome in outcomes),
        warnings=tuple(dict.fromkeys(warning for outcome in outcomes for warning in outcome.warnings)),
        attempts=tuple(dict.fromkeys(attempt for outcome in outcomes for attempt in outcome.attempts)),
    )
    if not statuses & HEARD:
        return sums
    if statuses <= HEARD:
        status: Status = next((kind for kind in SEEN if kind in statuses), "empty")
        return msgspec.structs.replace(sums, status=status)
    message = "; ".join(_failure(answered, requests) for answered in own if answered.outcome.status not in HEARD)
    again = max(outcome.retry_after_s or 0 for outcome in outcomes) or None
    return msgspec.structs.replace(
        sums, status="partial", message=message, code="", retryable=False, retry_after_s=again
    )


def _failure(answered: Answered, requests: Sequence[SearchRequest]) -> str:
    outcome = answered.outcome
    part = requests[answered.variant].query[:LONGEST_PART]
    what = f'the part "{part}"' if answered.variant else "the whole query"
    return f"{what} failed ({outcome.status}): {outcome.message}"
