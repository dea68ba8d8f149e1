"""Which wishes of a request its backends could not honour, said once per wish."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from fanseek.contract import AnyOperation, Support
from fanseek.select.plan import Ask
from fanseek.types import Note, SearchRequest

HONOURED: frozenset[Support] = frozenset({"native", "operator"})
"""How a wish must be supported to hold. Domains are filtered here in any case, so they always hold."""


def not_applied(request: SearchRequest, asked: Sequence[Ask]) -> tuple[Note, ...]:
    """One note for each wish that some of those asked can't honour, naming them, and what each one adds itself."""
    notes: list[Note] = []
    for wish, value in _wished(request):
        deaf = [ask.backend.name for ask in asked if not _honours(ask.operation, wish)]
        if deaf:
            message = f"{wish.replace('_', ' ')} {value} was not applied by {', '.join(deaf)}"
            notes.append(Note(kind="not_applied", message=message, backend=deaf[0] if len(deaf) == 1 else ""))
    for ask in asked:
        said: tuple[str, ...] = ()
        with suppress(Exception):  # a raising backend costs its own remarks, never the search
            said = ask.operation.remarks(ask.request) if ask.operation.remarks else ()
        notes += (
            Note(kind="not_applied", message=f"{ask.backend.name}: {each}", backend=ask.backend.name) for each in said
        )
    return tuple(notes)


def _wished(request: SearchRequest) -> Iterable[tuple[str, str]]:
    if request.recency != "any":
        yield "recency", request.recency
    if request.language:
        yield "language", request.language
    if request.region:
        yield "region", request.region
    if request.safe_search != SearchRequest(query="").safe_search:
        yield "safe_search", request.safe_search


def _honours(operation: AnyOperation, wish: str) -> bool:
    return getattr(operation.filters, wish) in HONOURED
