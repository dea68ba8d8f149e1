"""Pages that are one result: the best ranked, which is shown, and what was folded into it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

from fanseek.merge.cluster import Cluster, voices
from fanseek.merge.fusion import Sighting
from fanseek.merge.timeliness import Timeliness
from fanseek.text.canonical import source_id
from fanseek.text.urls import domain
from fanseek.types import Fold, Member, Source

ALIKE: frozenset[Fold] = frozenset({"mirror", "copy"})
"""Folds of one text, so that what one page lacks may be filled in from another."""


class Group:
    """One result to be: a page, and others that were folded into it."""

    def __init__(self, head: Cluster) -> None:
        self.head = head
        self.others: list[tuple[Cluster, Fold]] = []

    @property
    def key(self) -> str:
        """The canonical key of the page shown."""
        return self.head.key

    def __len__(self) -> int:
        return len(self.head) + sum(len(cluster) for cluster, _ in self.others)

    def take(self, other: Group, why: Fold) -> None:
        """Fold `other`, which ranks below, into this one."""
        self.others.append((other.head, why))
        self.others.extend(other.others)

    def sightings(self) -> Iterator[Sighting]:
        """Every time one of the pages was seen."""
        yield from self.head.sightings()
        for cluster, _ in self.others:
            yield from cluster.sightings()

    def source(self, points: float, timeliness: Timeliness) -> Source:
        """The result: each field from the best-ranked copy that has it, and every other address with who gave it."""
        head = self.head
        hits = [*head.hits, *(hit for cluster, why in self.others if why in ALIKE for hit in cluster.hits)]
        title = head.title
        if not head.titled:
            title = next((cluster.title for cluster, why in self.others if why in ALIKE and cluster.titled), title)
        return Source(
            id=source_id(head.key),
            url=head.url,
            title=title,
            snippet=next((hit.snippet for hit in hits if hit.snippet), ""),
            domain=domain(head.url),
            score=points,
            found_by=voices(self.sightings()),
            also=tuple(self._members()),
            **timeliness.fields(hits, vouched=head.vouched),
        )

    def _members(self) -> Iterator[Member]:
        for url, found_by in self.head.spellings():
            if url != self.head.url:
                yield Member(url=url, title=self.head.title, fold="spelling", found_by=found_by)
        for cluster, why in self.others:
            for url, found_by in cluster.spellings():
                yield Member(url=url, title=cluster.title, fold=why, found_by=found_by)


def gathered(groups: Sequence[Group], mark: Callable[[Group], Hashable], why: Fold) -> list[Group]:
    """`groups` (best first) with those of one mark folded into the best of them."""
    first: dict[Hashable, Group] = {}
    for group in groups:
        best = first.setdefault(mark(group), group)
        if best is not group:
            best.take(group, why)
    return list(first.values())
