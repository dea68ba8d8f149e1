"""Progress notifications: one for each backend that has answered or failed."""

from __future__ import annotations

from typing import Any

from fanseek.surface.stdio.message import is_id
from fanseek.surface.stdio.peer import Call
from fanseek.telemetry import CallEnded, Event, Listener, SearchStarted

TOLD = "notifications/progress"


def teller(call: Call) -> Listener | None:
    """What tells the client of a search's events; None where it has not asked to be told."""
    meta: Any = call.params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    return Progress(call, token) if is_id(token) else None


class Progress:
    """Counts backends; those that are asked for parts of the query count once."""

    def __init__(self, call: Call, token: int | str) -> None:
        self._call = call
        self._token = token
        self._total = self._done = 0

    def __call__(self, event: Event) -> None:
        """Tell of `event`, where it is the end of a call."""
        if isinstance(event, SearchStarted):
            self._total = len(event.backends)
        elif isinstance(event, CallEnded) and not event.variant:
            from fanseek.surface.health import health

            self._done += 1
            whole = {"progressToken": self._token, "progress": self._done, "message": health(event.outcome)}
            self._call.tell(TOLD, {**whole, "total": self._total} if self._total else whole)
