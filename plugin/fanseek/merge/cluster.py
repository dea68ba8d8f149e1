"""All copies of one page that the backends brought, and the one source made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fanseek.contract import Hit
from fanseek.merge.fusion import Sighting
from fanseek.text.canonical import has_tracking, host_of, key, source_id
from fanseek.text.cut import ELLIPSIS
from fanseek.text.urls import domain, readable
from fanseek.types import Found, Source


class Cluster:
    """The copies of one page. What is made of them does not depend on the order they came in."""

    def __init__(self, page: str) -> None:
        self.key = page
        self._copies: list[tuple[list[Sighting], Hit]] = []

    @property
    def host(self) -> str:
        """The canonical host, without `www.`."""
        return host_of(self.key)

    @property
    def folded(self) -> int:
        """How many copies there are beyond the first."""
        return len(self._copies) - 1

    def add(self, sightings: list[Sighting], hit: Hit) -> None:
        """One more copy: a hit, sighted once in each of its families."""
        self._copies.append((sightings, hit))

    def sightings(self) -> Iterator[Sighting]:
        """Every time the page was seen."""
        for sightings, _ in self._copies:
            yield from sightings

    def source(self, points: float) -> Source:
        """The page as one result: each field from the best-ranked copy that has it."""
        hits = [hit for _, hit in sorted(self._copies, key=_copy_order)]
        url = min(hits, key=_url_faults).url
        return Source(
            id=source_id(self.key),
            url=url,
            title=_title(hits, self.key) or readable(url),
            snippet=next((hit.snippet for hit in hits if hit.snippet), ""),
            domain=domain(url),
            published=next((hit.published for hit in hits if hit.published), None),
            score=points,
            found_by=self._found_by(),
        )

    def _found_by(self) -> tuple[Found, ...]:
        """Each backend, family and variant once, at its best rank, by priority of the backends."""
        found: dict[tuple[int, str, str, int], Found] = {}
        for sighting in sorted(self.sightings(), key=lambda sighting: sighting.order):
            voice = (sighting.priority, sighting.backend, sighting.family, sighting.variant)
            found.setdefault(voice, sighting.found)
        return tuple(found[voice] for voice in sorted(found))


def _copy_order(copy: tuple[list[Sighting], Hit]) -> tuple[object, ...]:
    sightings, hit = copy
    return (*min(sighting.order for sighting in sightings), hit.url, hit.title or "", hit.snippet or "")


def _url_faults(hit: Hit) -> tuple[bool, bool]:
    return (not hit.url.lower().startswith("https:"), has_tracking(hit.url))


def _title(hits: Iterable[Hit], page: str) -> str:
    """The best-ranked title that says more than the address; in full, where another copy has what it lacks."""
    given = [hit.title for hit in hits if hit.title]
    titles = [title for title in given if not _is_address(title, page)] or given
    if not titles or not titles[0].endswith((ELLIPSIS, "...")):
        return titles[0] if titles else ""
    stem = titles[0].rstrip(ELLIPSIS + ". ")
    return next((title for title in titles if len(title) > len(titles[0]) and title.startswith(stem)), titles[0])


def _is_address(title: str, page: str) -> bool:
    """Whether `title` is nothing but the URL or the host of `page`."""
    if " " in title:
        return False
    place = key("//" + title.rpartition("://")[2])
    return place in {page, f"//{host_of(page)}/"}
