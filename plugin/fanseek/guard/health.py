"""How each backend is doing, from what is remembered here; no network."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

from fanseek.errors import policy_of
from fanseek.guard.breaker import Breaker
from fanseek.text.instants import instant
from fanseek.types import HEARD, Clock, Outcome, Status

Condition = Literal["untested", "healthy", "degraded", "cooling"]


class BackendStatus(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """One backend's condition. `enabled` says whether a search would consider it by itself.

    In JSON: `status`, `lastCode`, `consecutiveFailures`, `lastOkAt`, `lastFailAt` and `cooldownUntil` (ISO 8601).
    """

    name: str
    enabled: bool
    state: Condition = msgspec.field(name="status")
    last_status: Status | None = None
    """How its last call in this engine ended."""
    last_code: str | None = None
    """The code of its last failure; None once it works again."""
    failures: int = msgspec.field(default=0, name="consecutiveFailures")
    """Failures in a row, by episode."""
    reason: str = ""
    """The kind of failure it is left alone for."""
    last_ok_at: datetime | None = None
    last_fail_at: datetime | None = None
    """In this engine; of a failure that still counts, also in another process."""
    cooling_until: datetime | None = msgspec.field(default=None, name="cooldownUntil")
    last_ms: float | None = None
    """How long its last call in this engine took, in milliseconds."""
    last_message: str = ""
    """What its last failure in this engine said; empty once it works again."""
    key_name: str = ""
    """The name its key is looked up under; empty where it takes none."""
    key_found: bool = False
    needs_key: bool = False
    """Whether it can't be asked because its key is missing."""


class _Seen(msgspec.Struct):
    """What this engine has seen of one backend. Times are Unix seconds."""

    last: Outcome | None = None
    ok_at: float | None = None
    fail_at: float | None = None


class Health:
    """The endings of each backend's calls, beside what the breaker knows."""

    def __init__(self, breaker: Breaker, clock: Clock) -> None:
        self._breaker = breaker
        self._clock = clock
        self._seen: dict[str, _Seen] = {}

    def note(self, outcome: Outcome) -> None:
        """A call ended so; endings of our own making say nothing."""
        if outcome.status in ("late", "cancelled", "skipped"):
            return
        seen = self._seen.setdefault(outcome.backend, _Seen())
        seen.last = outcome
        if outcome.status in HEARD:
            seen.ok_at = self._clock()
        else:
            seen.fail_at = self._clock()

    def of(self, backend: str, *, enabled: bool, keys_rest_s: float = 0.0, keys_reason: str = "") -> BackendStatus:
        """The condition of `backend` now; `keys_rest_s` is for how long none of its keys can be used."""
        circuit = self._breaker.circuit(backend)
        seen = self._seen.get(backend, _Seen())
        rest = self._breaker.rest(backend)
        reason = circuit.reason
        if keys_rest_s > rest:
            rest, reason = keys_rest_s, keys_reason
        failed_at = seen.fail_at if seen.fail_at is not None else circuit.counted_at or None
        state = "cooling" if rest else self._awake(backend, seen.last)
        return BackendStatus(
            name=backend,
            enabled=enabled,
            state=state,
            last_status=seen.last.status if seen.last else None,
            last_code=_code(seen.last, reason),
            failures=circuit.failures,
            reason=reason,
            last_ok_at=_at(seen.ok_at),
            last_fail_at=_at(failed_at),
            cooling_until=_at(self._clock() + rest if rest else None),
            last_ms=seen.last.ms if seen.last else None,
            last_message=seen.last.message if seen.last and seen.last.status not in HEARD else "",
        )

    def _awake(self, backend: str, last: Outcome | None) -> Condition:
        """The condition of a backend that would be asked."""
        troubled = self._breaker.state(backend) == "half_open" or self._breaker.circuit(backend).failures
        if troubled or (last and last.status not in HEARD):
            return "degraded"
        return "healthy" if last else "untested"


def _code(last: Outcome | None, reason: str) -> str | None:
    """The last call's code where it failed; what another process has seen where this one has not asked."""
    if last is not None:
        return last.code or None
    policy = policy_of(reason)
    return policy.code if policy else None


def _at(unix_s: float | None) -> datetime | None:
    return None if unix_s is None else instant(unix_s)
