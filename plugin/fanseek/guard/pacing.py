"""Calls to one backend spaced out to its own limit (GCRA), over all searches and processes that share a store."""

from __future__ import annotations

import math

import msgspec

from fanseek.contract import Pace
from fanseek.guard.circuit import SKEW_S
from fanseek.state.store import Store
from fanseek.types import Clock

PREFIX = "pace/"


class Arrival(msgspec.Struct, frozen=True):
    """When the next call would arrive if all kept exactly to the pace, and when that was written; Unix seconds."""

    due: float = 0.0
    written: float = 0.0


class Turn(msgspec.Struct, frozen=True):
    """Leave to call after `wait_s` seconds; not `granted` when that is longer than could be waited."""

    wait_s: float
    granted: bool


def turn(arrival: Arrival, pace: Pace, now: float, patience_s: float) -> tuple[Arrival, Turn]:
    """The next turn at `pace`, and the arrival time to keep. What is not granted takes no turn."""
    due = arrival.due
    if not math.isfinite(due) or arrival.written > now + SKEW_S:
        due = now
    due = max(due, now)
    wait = max(0.0, due - now - pace.interval_s * (max(1, pace.burst) - 1))
    if wait > patience_s:
        return arrival, Turn(wait, granted=False)
    return Arrival(due + pace.interval_s, now), Turn(wait, granted=True)


class Pacer:
    """Turns by backend, kept in `store`."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def turn(self, key: str, pace: Pace, patience_s: float) -> Turn:
        """The next turn of `key`; the caller waits it out. An unpaced key never touches the store."""
        if pace.interval_s <= 0:
            return Turn(0.0, granted=True)
        now = self._clock()
        got = Turn(0.0, granted=True)

        def change(row: bytes | None) -> bytes:
            nonlocal got
            arrival, got = turn(_decoded(row), pace, now, patience_s)
            return msgspec.json.encode(arrival)

        await self._store.transact(PREFIX + key, {PREFIX + key: change})
        return got


def _decoded(row: bytes | None) -> Arrival:
    try:
        return msgspec.json.decode(row, type=Arrival) if row else Arrival()
    except msgspec.DecodeError:
        return Arrival()
