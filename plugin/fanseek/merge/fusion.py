"""Weighted reciprocal rank fusion (Cormack, Clarke, Büttcher 2009): over index families, then over query variants.

A family counts once, by its best sighting, however many backends brought it: two front-ends of one index are one
voice. So adding a sighting never lowers a score, and a second family always outweighs a second front-end. A list that
lacks an item gives it nothing; ranks start at 1.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import fsum
from typing import TypeVar

import msgspec

from fanseek.types import Found

K = 60
"""How slowly a rank loses worth; the paper's value."""

Item = TypeVar("Item", bound=Hashable)


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


def fused(lists: Iterable[Iterable[Item]], k: int = K) -> dict[Item, float]:
    """What each item of several ranked lists is worth, all lists weighing the same: the sum of its 1 / (k + rank)."""
    worth: dict[Item, list[float]] = {}
    for ranked in lists:
        for rank, item in enumerate(dict.fromkeys(ranked), 1):
            worth.setdefault(item, []).append(1 / (k + rank))
    return {item: fsum(shares) for item, shares in worth.items()}
