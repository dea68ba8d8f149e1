"""The breaker's state machine as pure functions: closed, open, half open, and what moves between them."""

from __future__ import annotations

import math
from typing import Literal

import msgspec

from fanseek.errors import POLICIES, FailureKind

State = Literal["closed", "open", "half_open"]

LONGEST_WISH_S = 3600.0
"""The longest Retry-After that is obeyed, in seconds."""

FORGOTTEN_S = 86_400.0
"""After so many seconds without a failure, earlier ones no longer count."""

SKEW_S = 1.0
"""How far ahead of the clock a row may be, in seconds; beyond it the clock was set back."""


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """When a circuit opens: after `threshold` failures in a row, for `cooldown_s` seconds; 0 seconds is never."""

    threshold: int = 3
    cooldown_s: float = 60.0


class Circuit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is remembered of one key. Times are Unix seconds."""

    failures: int = 0
    """Failures in a row, counted by episode: calls in flight together fail together."""
    counted_at: float = 0.0
    """When the last of them was recorded."""
    opened_at: float = 0.0
    until: float = 0.0
    """End of the cool-down; 0 when the circuit was not opened."""
    reason: str = ""
    """The kind of the failure that opened it."""
    fingerprint: str = ""
    """A salted hash of the settings under which this was seen."""


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """A failure to be recorded. `began` and `now` are Unix seconds.

    `counts` is False for one of an episode that this process has already counted.
    """

    kind: FailureKind
    began: float
    now: float
    retry_after: float | None = None
    counts: bool = True
    fingerprint: str = ""


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A success to be recorded, of a call that began at `began`."""

    began: float
    now: float


CLOSED = Circuit()


def state_of(circuit: Circuit, now: float) -> State:
    """Where `circuit` stands; half open is entered by time alone, so nothing can be left in it."""
    circuit = sane(circuit, now)
    if not circuit.until:
        return "closed"
    return "open" if now < circuit.until else "half_open"


def rest_of(circuit: Circuit, now: float) -> float:
    """Seconds until the cool-down ends; 0 when it has."""
    return circuit.until - now if state_of(circuit, now) == "open" else 0.0


def sane(circuit: Circuit, now: float) -> Circuit:
    """`circuit`, or a closed one where its times make no sense: not numbers, or ahead of a clock set back."""
    times = (circuit.counted_at, circuit.opened_at, circuit.until)
    if not all(map(math.isfinite, times)) or circuit.failures < 0:
        return CLOSED
    if max(circuit.counted_at, circuit.opened_at) > now + SKEW_S:
        return CLOSED
    return circuit


def forgotten(circuit: Circuit, now: float) -> bool:
    """Whether nothing of `circuit` matters any more."""
    circuit = sane(circuit, now)
    return circuit == CLOSED or max(circuit.counted_at, circuit.until) < now - FORGOTTEN_S


def own_rest(kind: FailureKind, retry_after: float | None) -> float:
    """How long this failure alone asks to be left alone, in seconds; 0 leaves it to the count."""
    if retry_after is not None and retry_after >= 0:
        return min(max(retry_after, 1.0), LONGEST_WISH_S)
    return POLICIES[kind].cooldown_s


def after(circuit: Circuit, event: Failed | Answered, rules: Rules) -> Circuit:
    """`circuit` with `event` recorded. A bad request says nothing about the backend and changes nothing."""
    if not math.isfinite(event.now):
        return circuit
    circuit = CLOSED if forgotten(circuit, event.now) else circuit
    if isinstance(event, Answered):
        return circuit if circuit.until and event.began < circuit.opened_at else CLOSED
    return circuit if event.kind == "bad-request" else _failed(circuit, event, rules)


def _failed(circuit: Circuit, event: Failed, rules: Rules) -> Circuit:
    counts = event.counts and event.began >= circuit.counted_at
    failures = circuit.failures + counts
    rest = own_rest(event.kind, event.retry_after) if rules.cooldown_s else 0.0
    if not rest and counts and (circuit.until or failures >= rules.threshold):
        rest = rules.cooldown_s
    counted = msgspec.structs.replace(
        circuit,
        failures=failures,
        counted_at=event.now if counts else circuit.counted_at,
        fingerprint=event.fingerprint,
    )
    if not rest or event.now + rest <= circuit.until:
        return counted
    return msgspec.structs.replace(counted, opened_at=event.now, until=event.now + rest, reason=event.kind)
