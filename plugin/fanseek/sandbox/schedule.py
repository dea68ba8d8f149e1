"""Which fault plays on which request: armed per backend, counted, drawn from the seed."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from statistics import NormalDist
from typing import Any

import msgspec

from fanseek.errors import UsageError
from fanseek.sandbox.faults import Fault, Latency
from fanseek.sandbox.naming import EVERY, fault
from fanseek.sandbox.vocabulary import Draw

NORMAL = NormalDist()


class Turn(msgspec.Struct, frozen=True):
    """What befalls one request: a delay in seconds, then a fault or nothing."""

    delay_s: float = 0.0
    fault: Fault | None = None


NOTHING = Turn()


class Armed:
    """A fault in place, and how many requests it has seen."""

    def __init__(self, fault: Fault, key: str) -> None:
        self.fault = fault
        self._key = key
        self._seen = 0

    def draw(self) -> Draw | None:
        """Count one request; when it is hit, the draw that belongs to it."""
        self._seen += 1
        number = self._seen - self.fault.after
        if number <= 0 or (self.fault.times and number > self.fault.times):
            return None
        draw = Draw(f"{self._key}|{self.fault.name}|{self._seen}")
        return draw if self.fault.share >= 1 or draw.fraction() < self.fault.share else None


class Faults:
    """The faults of a running sandbox. May be changed at any time, from any thread."""

    def __init__(self, known: Mapping[str, Collection[str]], seed: int) -> None:
        self._known = known
        self._seed = seed
        self._armed: dict[str, tuple[Armed, ...]] = {}

    def set(self, backend: str, *faults: Fault | str, **options: Any) -> None:
        """Replace what is armed for `backend`, or for every one with `*`; nothing given disarms.

        `options` are the parameters of a fault given by name. Raises UsageError.
        """
        names = self._names(backend)
        for name in names:
            self._armed[name] = tuple(self._arm(name, one, options) for one in faults)

    def add(self, backend: str, one: Fault | str, **options: Any) -> None:
        """Arm one more. The first that hits is played, latencies add up. Raises UsageError."""
        for name in self._names(backend):
            self._armed[name] = (*self._armed.get(name, ()), self._arm(name, one, options))

    def clear(self) -> None:
        """Disarm everything."""
        self._armed.clear()

    def armed(self) -> dict[str, list[Fault]]:
        """What is armed, by backend."""
        return {name: [one.fault for one in armed] for name, armed in self._armed.items() if armed}

    def any(self, backend: str) -> bool:
        """Whether anything is armed for `backend`."""
        return bool(self._armed.get(backend))

    def turn(self, backend: str, *, is_call: bool) -> Turn:
        """What befalls the next request to `backend`."""
        delay, hit = 0.0, None
        for armed in self._armed.get(backend, ()):
            if (armed.fault.calls_only and not is_call) or (hit and not isinstance(armed.fault, Latency)):
                continue
            draw = armed.draw()
            if draw is None:
                continue
            if isinstance(armed.fault, Latency):
                delay += seconds(armed.fault, draw)
            else:
                hit = armed.fault
        return Turn(delay, hit)

    def _names(self, backend: str) -> list[str]:
        if backend == EVERY:
            return list(self._known)
        if backend not in self._known:
            raise UsageError(f"no backend is named {backend!r}; there are {', '.join(sorted(self._known))}")
        return [backend]

    def _arm(self, backend: str, one: Fault | str, options: Mapping[str, Any]) -> Armed:
        kind = fault(one, self._known[backend], **options) if isinstance(one, str) else one
        return Armed(kind, f"{self._seed}|{backend}")


def seconds(latency: Latency, draw: Draw) -> float:
    """One delay of a latency's distribution, in seconds."""
    if latency.stragglers and draw.fraction() < latency.stragglers:
        return latency.straggler_ms / 1000
    at = latency.ms
    if latency.shape == "uniform":
        at += (latency.high_ms - latency.ms) * draw.fraction()
    elif latency.shape == "lognormal":
        at *= math.exp(latency.sigma * NORMAL.inv_cdf(draw.fraction() * 0.999_998 + 0.000_001))
    return at / 1000
