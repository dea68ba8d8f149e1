"""Events of a search as a host is told of them while it runs."""

from __future__ import annotations

from typing import Any

from fanseek.telemetry import CallEnded, Event, SearchStarted


def progress(event: Event) -> dict[str, Any] | None:
    """`event` for the wire: who is asked, and how each one has fared; None where it is of no interest."""
    if isinstance(event, SearchStarted):
        return {"type": "started", "backends": list(event.backends)}
    if isinstance(event, CallEnded) and not event.variant:
        outcome = event.outcome
        return {
            "type": "ended",
            "backend": outcome.backend,
            "outcome": outcome.status,
            "results": outcome.hits,
            "ms": round(outcome.ms),
        }
    return None
