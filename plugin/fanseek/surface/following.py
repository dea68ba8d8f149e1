"""Events of an engine told to those whose searches they are of."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from fanseek.telemetry import Event, Listener, SearchEnded, SearchStarted


class Following:
    """A listener of the whole engine. Inside of `told` only the caller's own searches are heard."""

    def __init__(self) -> None:
        self._listening: ContextVar[Listener | None] = ContextVar("fanseek following", default=None)
        self._of: dict[int, Listener] = {}

    def __call__(self, event: Event) -> None:
        """Pass `event` on to whoever made the search."""
        number = getattr(event, "search", None)
        if number is None:
            return
        if isinstance(event, SearchStarted) and (listener := self._listening.get()):
            self._of[number] = listener
        if listener := self._of.get(number):
            listener(event)
        if isinstance(event, SearchEnded):
            self._of.pop(number, None)

    @contextmanager
    def told(self, listener: Listener | None) -> Iterator[None]:
        """Tell `listener` of the searches that are begun in this block, until it ends; None is told nothing."""
        before = self._listening.set(listener)
        try:
            yield
        finally:
            self._listening.reset(before)
            self._of = {number: one for number, one in self._of.items() if one is not listener}
