"""How each backend is doing, from what is remembered here; no network."""

from __future__ import annotations

from typing import Literal

import msgspec

from fanseek.guard.breaker import Breaker
from fanseek.types import HEARD, Clock, Status

Condition = Literal["untested", "healthy", "degraded", "cooling"]


class BackendStatus(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One backend's condition. `enabled` says whether a search would consider it by itself."""

    name: str
    enabled: bool
    state: Condition
    last_status: Status | None = None
    """How its last call in this engine ended."""
    failures: int = 0
    """Failures in a row, by episode."""
    reason: str = ""
    cooling_until: float | None = None
    """Unix seconds."""


class Health:
    """The last ending of each backend's calls, beside what the breaker knows."""

    def __init__(self, breaker: Breaker, clock: Clock) -> None:
        self._breaker = breaker
        self._clock = clock
        self._last: dict[str, Status] = {}

    def note(self, backend: str, status: Status) -> None:
        """A call ended so; endings of our own making say nothing."""
        if status not in ("late", "cancelled", "skipped"):
            self._last[backend] = status

    def of(self, backend: str, *, enabled: bool) -> BackendStatus:
        """The condition of `backend` now."""
        circuit = self._breaker.circuit(backend)
        rest = self._breaker.rest(backend)
        return BackendStatus(
            name=backend,
            enabled=enabled,
            state=self._condition(backend),
            last_status=self._last.get(backend),
            failures=circuit.failures,
            reason=circuit.reason,
            cooling_until=self._clock() + rest if rest else None,
        )

    def _condition(self, backend: str) -> Condition:
        state = self._breaker.state(backend)
        if state == "open":
            return "cooling"
        last = self._last.get(backend)
        if state == "half_open" or self._breaker.circuit(backend).failures or (last and last not in HEARD):
            return "degraded"
        return "healthy" if last else "untested"
