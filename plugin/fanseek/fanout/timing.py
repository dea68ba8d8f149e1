"""What a result says of the time that was wished for: who kept to it, what was left out, what could not be checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fanseek.fanout.call import Answered
from fanseek.merge import Merged
from fanseek.select.plan import Plan
from fanseek.select.tailoring import time_wish
from fanseek.select.wishes import vouches
from fanseek.types import HEARD, Note, SearchRequest


def vouching(request: SearchRequest, plan: Plan) -> frozenset[str]:
    """The names of backends that keep to the wished-for time by themselves; none where none was wished."""
    if not time_wish(request):
        return frozenset()
    return frozenset(ask.backend.name for ask in plan.asked if vouches(ask, request))


def fields(request: SearchRequest, vouching: frozenset[str], answers: Sequence[Answered]) -> dict[str, Any]:
    """The fields of a result on its time; none where none was wished (G6, G7)."""
    if not time_wish(request):
        return {}
    applied = any(each.outcome.backend in vouching and each.outcome.status in HEARD for each in answers)
    if not request.since:
        return {"freshness": request.recency, "freshness_applied": applied}
    echoed = {"time_range": f"{request.since}..{request.until}"} if applied else {}
    return {"freshness_applied": applied, **echoed}


def notes(request: SearchRequest, merged: Merged) -> Iterable[Note]:
    """What was left out by its date, and what was kept without one (BC-128)."""
    wished = f"{request.since}..{request.until}" if request.since else f"the last {request.recency}"
    if merged.outdated:
        said = f"{_results(merged.outdated)} dated outside {wished} {_was(merged.outdated)} left out"
        yield Note(kind="freshness_filtered", message=said)
    if undated := sum(source.undated for source in merged.sources):
        said = f"{_results(undated)} {_was(undated)} kept without a date, so nobody knows whether of {wished}"
        yield Note(kind="freshness_unchecked", message=said)


def _results(count: int) -> str:
    return f"{count} result{'s' * (count != 1)}"


def _was(count: int) -> str:
    return "was" if count == 1 else "were"
