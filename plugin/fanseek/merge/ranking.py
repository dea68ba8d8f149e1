"""The order of pages by what their sightings are worth; the same in whatever order they came.

With one query: score, best rank, backend priority, canonical key. With several variants of it, each has its own list
in that order, and the lists are fused again by their ranks, each weighing the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from fanseek.merge.fusion import Sighting, fused, score


class Seen(Protocol):
    """What can be ranked: something with a key of its own that was sighted."""

    @property
    def key(self) -> str:
        """What no other one has; the last tie-breaker."""
        ...

    def sightings(self) -> Iterable[Sighting]:
        """Every time it was seen; at least once."""
        ...


Page = TypeVar("Page", bound=Seen)


def ranking(pages: Sequence[Page], k: int) -> list[tuple[float, Page]]:
    """`pages` with their scores, best first."""
    seen = {page.key: list(page.sightings()) for page in pages}
    variants = {sighting.variant for sightings in seen.values() for sighting in sightings}
    if len(variants) < 2:
        scores = {page: score(sightings, k) for page, sightings in seen.items()}
    else:
        scores = fused((_variant(seen, variant, k) for variant in sorted(variants)), k)
    by_key = {page.key: page for page in pages}
    return [
        (scores[page], by_key[page])
        for page in sorted(seen, key=lambda page: (-scores[page], *_best(seen[page]), page))
    ]


def _variant(seen: Mapping[str, Sequence[Sighting]], variant: int, k: int) -> list[str]:
    """The keys of what one variant of the query found, best first."""
    ranked = []
    for page, sightings in seen.items():
        own = [sighting for sighting in sightings if sighting.variant == variant]
        if own:
            ranked.append((-score(own, k), *_best(own), page))
    return [page for *_, page in sorted(ranked)]


def _best(sightings: Iterable[Sighting]) -> tuple[int, int]:
    """The best rank, and the priority of the backend that gave it."""
    return min(sighting.order[:2] for sighting in sightings)
