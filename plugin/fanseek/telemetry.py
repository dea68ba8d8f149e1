"""One stream of events: log, metrics, progress and tests listen to the same one."""

from __future__ import annotations

import logging
from collections.abc import Callable

import msgspec

from fanseek.types import Outcome, SearchRequest, SearchResult

log = logging.getLogger("fanseek")


class SearchStarted(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A search begins; `backends` will be asked."""

    search: int
    request: SearchRequest
    backends: tuple[str, ...]
    deadline_s: float
    variants: tuple[str, ...] = ()
    """Parts of the query that are asked beside it."""


class CallStarted(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One backend is being asked."""

    search: int
    backend: str
    variant: int = 0
    """0 is the query itself, others count its parts."""


class CallEnded(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """One backend has answered, failed or been cut."""

    search: int
    outcome: Outcome
    variant: int = 0


class BreakerOpened(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A backend is left alone for `cooldown_s` seconds because of `reason`."""

    backend: str
    reason: str
    cooldown_s: float


class BreakerClosed(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A backend that was left alone works again."""

    backend: str


class SearchEnded(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """A search is over. `outcomes` are the result's; for one of the cache, those of the search that made it."""

    search: int
    result: SearchResult
    outcomes: tuple[Outcome, ...] = ()
    probe: bool = False
    """Whether it was only made to see how a backend answers."""


Event = SearchStarted | CallStarted | CallEnded | BreakerOpened | BreakerClosed | SearchEnded
Listener = Callable[[Event], None]


class Telemetry:
    """Hands every event to every listener; one that raises is logged and costs no search."""

    def __init__(self, *listeners: Listener) -> None:
        self._listeners = list(listeners)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Add `listener`; the return value takes it away again."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def emit(self, event: Event) -> None:
        """Tell everyone."""
        for listener in tuple(self._listeners):
            try:
                listener(event)
            except Exception:
                log.warning("a telemetry listener raised on %s", type(event).__name__, exc_info=True)
