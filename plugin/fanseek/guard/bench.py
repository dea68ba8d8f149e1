"""How long a key rests after a failure that was its own, and whose turn it is, as pure functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from fanseek.errors import FailureKind
from fanseek.guard.circuit import LONGEST_WISH_S, SKEW_S

LADDERS: dict[FailureKind, tuple[float, ...]] = {
    "auth": (3_600, 21_600, 86_400),
    "quota": (1_800, 21_600, 86_400),
    "rate-limit": (60, 300, 900),
}
"""Seconds on the bench after the first, second and any further failure of one kind in a row. No other kind is the
key's fault. No bench is for ever: what a key may do is changed at the service, without our being told."""

FORGOTTEN_S = 7 * 86_400.0
"""So long after its end a bench, and with it the strikes, is forgotten."""


class Bench(msgspec.Struct, frozen=True, kw_only=True):
    """Why and until when one key rests. Times are Unix seconds."""

    kind: FailureKind
    strikes: int
    at: float
    until: float


class Ring(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is remembered of one backend's keys: how many turns were taken, and the benches by fingerprint."""

    turns: int = 0
    benches: Mapping[str, Bench] = {}


def sane(ring: Ring, now: float) -> Ring:
    """`ring` without benches of long ago, and without those that a clock set back or a broken row has left."""
    kept = {
        name: bench
        for name, bench in ring.benches.items()
        if math.isfinite(bench.at)
        and math.isfinite(bench.until)
        and bench.kind in LADDERS
        and bench.strikes > 0
        and bench.at <= now + SKEW_S
        and now < bench.until + FORGOTTEN_S
    }
    return msgspec.structs.replace(ring, benches=kept, turns=max(0, ring.turns))


def rest(ring: Ring, name: str, now: float) -> float:
    """Seconds until the key with fingerprint `name` may be used; 0 when it may be now."""
    bench = ring.benches.get(name)
    return max(0.0, bench.until - now) if bench else 0.0


def ready(ring: Ring, names: Sequence[str], now: float) -> list[int]:
    """The indices of the keys that may be used, in the order in which they are to be tried."""
    healthy = [index for index, name in enumerate(names) if not rest(ring, name, now)]
    start = ring.turns % len(healthy) if healthy else 0
    return healthy[start:] + healthy[:start]


def struck(ring: Ring, name: str, kind: FailureKind, *, began: float, now: float, wish_s: float | None) -> Ring:
    """`ring` after a failure that is the key's. Calls in flight together strike together, once.

    A rate limit rests for as long as the service wishes, where it says so.
    """
    before = ring.benches.get(name)
    if before is not None and before.kind == kind and began < before.at:
        return ring
    strikes = before.strikes + 1 if before is not None and before.kind == kind else 1
    ladder = LADDERS[kind]
    length = ladder[min(strikes, len(ladder)) - 1]
    if kind == "rate-limit" and wish_s is not None and wish_s >= 0:
        length = min(max(wish_s, 1.0), LONGEST_WISH_S)
    until = max(now + length, before.until if before is not None else 0.0)
    bench = Bench(kind=kind, strikes=strikes, at=now, until=until)
    return msgspec.structs.replace(ring, benches={**ring.benches, name: bench})


def cleared(ring: Ring, name: str, began: float) -> Ring:
    """`ring` after a success of a call that began at `began`: strikes are forgotten, unless newer than the call."""
    bench = ring.benches.get(name)
    if bench is None or began < bench.at:
        return ring
    return msgspec.structs.replace(ring, benches={key: one for key, one in ring.benches.items() if key != name})
