"""The merge: what the backends of one search found, as one ranked list. The same list in whatever order they came."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from fanseek.contract import Hit
from fanseek.merge.cluster import Cluster
from fanseek.merge.domains import Domains
from fanseek.merge.fusion import K, Sighting
from fanseek.merge.group import Group, gathered
from fanseek.merge.mirrors import document
from fanseek.merge.ranking import ranking
from fanseek.merge.releases import releases_of
from fanseek.merge.timeliness import Timeliness
from fanseek.text.canonical import key
from fanseek.types import Dedup, Source

ANY_TIME = Timeliness()


class Contribution(msgspec.Struct, frozen=True, kw_only=True):
    """What one backend found for one query variant, best first."""

    backend: str
    family: str
    """The index behind the backend, for hits that name none."""
    hits: Sequence[Hit] = ()
    weight: float = 1.0
    priority: int = 100
    """Ties go to the lower one."""
    variant: int = 0
    vouches: bool = False
    """Whether the backend keeps to the wished-for time by itself."""

    def sightings(self, hit: Hit, rank: int) -> list[Sighting]:
        """`hit` at `rank` (from 1), as seen in each family that found it."""
        return [
            Sighting(
                backend=self.backend,
                family=family,
                rank=rank,
                variant=self.variant,
                weight=self.weight,
                priority=self.priority,
            )
            for family in dict.fromkeys(hit.families or (self.family,))
        ]


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """The ranked list, cut last. Before the cut it had `total - deduped` results."""

    sources: tuple[Source, ...] = ()
    total: int = 0
    """Hits of all backends and variants, without those of pages left out."""
    deduped: int = 0
    """Of these, hits that were folded into another one."""
    filtered: int = 0
    """Pages left out because of their domain; their hits are in no other count."""
    outdated: int = 0
    """Pages left out because of their date; their hits are in no other count."""

    @property
    def truncated(self) -> bool:
        """Whether the cut left out anything."""
        return self.total - self.deduped > len(self.sources)


def merge(
    found: Iterable[Contribution],
    *,
    k: int = K,
    limit: int | None = None,
    include_domains: Sequence[str] = (),
    exclude_domains: Sequence[str] = (),
    query: str = "",
    dedup: Dedup = "url",
    rerank: bool = False,
    timeliness: Timeliness = ANY_TIME,
) -> Merged:
    """One list of everything in `found`: clustered by page, filtered by domain and date, folded, ranked, then cut.

    `query` keeps releases apart that it names; with `rerank` its words come before the ranks.
    """
    clusters = _clusters(found)
    domains = Domains(include_domains, exclude_domains)
    there = [cluster for cluster in clusters if domains.admit(cluster.host)]
    admitted = [cluster for cluster in there if timeliness.admits(cluster)]
    groups = ranking([Group(cluster) for cluster in admitted], k)
    folded = _folded([group for _, group in groups], query, dedup)
    if len(folded) < len(groups):
        groups = ranking(folded, k)
    if rerank:
        from fanseek.merge.relevance import by_query

        sources = by_query([group.source(points, timeliness) for points, group in groups], query)[:limit]
    else:
        sources = [group.source(points, timeliness) for points, group in groups[:limit]]
    total = sum(map(len, folded))
    return Merged(
        sources=tuple(sources),
        total=total,
        deduped=total - len(folded),
        filtered=len(clusters) - len(there),
        outdated=len(there) - len(admitted),
    )


def _folded(groups: list[Group], query: str, dedup: Dedup) -> list[Group]:
    """`groups` (best first) with other forms, other releases and, where wished for, copies of a page as one with it."""
    groups = releases_of(gathered(groups, lambda group: document(group.key), "mirror"), query)
    if dedup == "url":
        return groups
    from fanseek.merge.copies import copies_of

    return copies_of(groups)


def _clusters(found: Iterable[Contribution]) -> list[Cluster]:
    clusters: dict[str, Cluster] = {}
    for contribution in found:
        for rank, hit in enumerate(contribution.hits, 1):
            page = key(hit.url)
            cluster = clusters.get(page)
            if cluster is None:
                cluster = clusters[page] = Cluster(page)
            cluster.add(contribution.sightings(hit, rank), hit, vouched=contribution.vouches)
    return list(clusters.values())
