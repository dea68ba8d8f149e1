"""What the limits of backends took from a search: words of its query, and results beyond what one call brings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from fanseek.contract import Wording
from fanseek.select.plan import Ask
from fanseek.types import Note, SearchRequest


def limited(request: SearchRequest, asked: Sequence[Ask]) -> tuple[Note, ...]:
    """One note for each backend whose query was cut, and one on those that can't give as many results as wished."""
    return (*_cut(asked), *_clamped(request.limit, asked))


def _cut(asked: Sequence[Ask]) -> Iterable[Note]:
    for ask in asked:
        wording, limit = _wording(ask), ask.operation.limit
        if wording.cut:
            message = f"the query is longer than the {limit} it takes; asked for {wording.text[:120]!r}"
            yield Note(kind="query_cut", message=message, backend=ask.backend.name)
        if wording.left_out:
            message = f"no room for {', '.join(wording.left_out)} in the query's {limit}; results are filtered here"
            yield Note(kind="query_cut", message=message, backend=ask.backend.name)


def _wording(ask: Ask) -> Wording:
    wording = Wording(text=ask.request.query)
    with suppress(Exception):  # a backend that raises or gives no wording costs its own note, never the search
        given: object = ask.operation.wording(ask.request) if ask.operation.wording else wording
        wording = given if isinstance(given, Wording) else wording
    return wording


def _clamped(wanted: int, asked: Sequence[Ask]) -> Iterable[Note]:
    most: dict[int, list[str]] = {}
    for ask in asked:
        if 0 < ask.operation.most_results < wanted:
            most.setdefault(ask.operation.most_results, []).append(ask.backend.name)
    if most:
        each = "; ".join(f"{count} by {', '.join(names)}" for count, names in sorted(most.items()))
        message = f"{wanted} results were wanted; at most so many are given in one call: {each}"
        names = [name for names in most.values() for name in names]
        yield Note(kind="results_clamped", message=message, backend=names[0] if len(names) == 1 else "")
