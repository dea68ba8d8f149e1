"""Weighted reciprocal rank fusion over index families (Cormack, Clarke, Büttcher 2009).

A family counts once, by its best sighting, however many backends brought it: two front-ends of one index are one
voice. So adding a sighting never lowers a score, and a second family always outweighs a second front-end.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

import msgspec

from fanseek.types import Found

K = 60
"""How slowly a rank loses worth; the paper's value."""


class Sighting(msgspec.Struct, frozen=True, kw_only=True):
    """One hit seen once: by whom, in which index family, at which rank (from 1), and how much that is worth."""

    backend: str
    family: str
    rank: int
    variant: int
    weight: float
    priority: int

    @property
    def order(self) -> tuple[int, int, str, str, int]:
        """Best rank first, then the backend that ties go to."""
        return (self.rank, self.priority, self.backend, self.family, self.variant)

    @property
    def found(self) -> Found:
        """The sighting as callers see it."""
        return Found(backend=self.backend, family=self.family, rank=self.rank, variant=self.variant)


def score(sightings: Iterable[Sighting], k: int = K) -> float:
    """The sum over families of the best weight / (k + rank); the same in whatever order they come."""
    best: dict[str, float] = {}
    for sighting in sightings:
        worth = max(0.0, sighting.weight) / (k + sighting.rank)
        best[sighting.family] = max(worth, best.get(sighting.family, 0.0))
    return fsum(best.values())
