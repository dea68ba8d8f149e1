"""Which wishes of a request its backends could not honour, said once per wish."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from fanseek.select.plan import Ask
from fanseek.select.tailoring import HONOURED, time_wish
from fanseek.types import Note, SearchRequest

SPOKEN = {"recency": "freshness", "date_range": "time range", "safe_search": "safe search"}
"""Wishes as callers know them."""


def not_applied(request: SearchRequest, asked: Sequence[Ask]) -> tuple[Note, ...]:
    """One note for each wish that some of those asked can't honour, naming them, with their reasons where they have."""
    notes: list[Note] = []
    for wish, value in _wished(request):
        deaf = [ask for ask in asked if not honours(ask, wish)]
        if deaf:
            named = ", ".join(_named(ask, wish) for ask in deaf)
            message = f"{SPOKEN.get(wish, wish)} {value} was not applied by {named}"
            notes.append(
                Note(kind="not_applied", message=message, backend=deaf[0].backend.name if len(deaf) == 1 else "")
            )
    return tuple(notes)


def _named(ask: Ask, wish: str) -> str:
    reason = _unmet(ask).get(wish, "")
    return f"{ask.backend.name} ({reason})" if reason else ask.backend.name


def _wished(request: SearchRequest) -> Iterable[tuple[str, str]]:
    if wish := time_wish(request):
        yield wish, f"{request.since}..{request.until}" if request.since else request.recency
    if request.language:
        yield "language", request.language
    if request.region:
        yield "region", request.region
    if request.safe_search != SearchRequest(query="").safe_search:
        yield "safe_search", request.safe_search


def honours(ask: Ask, wish: str) -> bool:
    """Whether the backend keeps to a wish of this one request by itself. Domains are filtered here in any case."""
    return getattr(ask.operation.filters, wish) in HONOURED and wish not in _unmet(ask)


def _unmet(ask: Ask) -> Mapping[str, str]:
    with suppress(Exception):  # a backend that raises or gives no reasons costs its own, never the search
        return dict(ask.operation.unmet(ask.request)) if ask.operation.unmet else {}
    return {}


def vouches(ask: Ask, request: SearchRequest) -> bool:
    """Whether what this backend finds is of the time that `request` wishes."""
    wish = time_wish(request)
    return not wish or honours(ask, wish)
