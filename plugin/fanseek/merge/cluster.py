"""All copies of one page that the backends brought, whatever the spelling of its address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from fanseek.contract import Hit
from fanseek.merge.fusion import Sighting
from fanseek.text.canonical import has_tracking, host_of, key, unescaped
from fanseek.text.cut import ELLIPSIS
from fanseek.text.urls import readable
from fanseek.types import Found

Copy = tuple[list[Sighting], Hit]


class Cluster:
    """The copies of one page. What is made of them does not depend on the order they came in."""

    def __init__(self, page: str) -> None:
        self.key = page
        self.vouched = False
        """Whether a backend that keeps to the wished-for time found it."""
        self._copies: list[Copy] = []

    def __len__(self) -> int:
        return len(self._copies)

    @property
    def host(self) -> str:
        """The canonical host, without `www.`."""
        return host_of(self.key)

    def add(self, sightings: list[Sighting], hit: Hit, *, vouched: bool = False) -> None:
        """One more copy: a hit, sighted once in each of its families. Not after anything was read of the page."""
        self._copies.append((sightings, hit))
        self.vouched |= vouched

    def sightings(self) -> Iterator[Sighting]:
        """Every time the page was seen."""
        for sightings, _ in self._copies:
            yield from sightings

    @cached_property
    def hits(self) -> list[Hit]:
        """The copies, best ranked first."""
        return [hit for _, hit in sorted(self._copies, key=_copy_order)]

    @cached_property
    def url(self) -> str:
        """The address to show: exactly as a backend gave it, of several the soundest: with https, without tracking."""
        return min(self.hits, key=_url_faults).url

    @cached_property
    def title(self) -> str:
        """The title to show; never empty."""
        return _whole(self._titles) or next((hit.title for hit in self.hits if hit.title), "") or readable(self.url)

    @property
    def titled(self) -> bool:
        """Whether any backend gave a title that is more than the address."""
        return bool(self._titles)

    @cached_property
    def _titles(self) -> list[str]:
        """The titles that say more than the address, best ranked first."""
        return [hit.title for hit in self.hits if hit.title and not _is_address(hit.title, self.key)]

    def spellings(self) -> Iterator[tuple[str, tuple[Found, ...]]]:
        """Each address the page was given by, best ranked first, and who gave it."""
        given: dict[str, list[Sighting]] = {hit.url: [] for hit in self.hits}
        for sightings, hit in self._copies:
            given[hit.url].extend(sightings)
        for url, sightings in given.items():
            yield url, voices(sightings)


def voices(sightings: Iterable[Sighting]) -> tuple[Found, ...]:
    """Each backend, family and variant once, at its best rank, by priority of the backends."""
    found: dict[tuple[int, str, str, int], Found] = {}
    for sighting in sorted(sightings, key=lambda sighting: sighting.order):
        voice = (sighting.priority, sighting.backend, sighting.family, sighting.variant)
        found.setdefault(voice, sighting.found)
    return tuple(found[voice] for voice in sorted(found))


def _copy_order(copy: Copy) -> tuple[object, ...]:
    sightings, hit = copy
    return (*min(sighting.order for sighting in sightings), hit.url, hit.title or "", hit.snippet or "")


def _url_faults(hit: Hit) -> tuple[bool, bool, bool]:
    escaped = unescaped(hit.url) != hit.url
    return (escaped, not hit.url.lower().startswith("https:"), has_tracking(hit.url))


def _whole(titles: Sequence[str]) -> str:
    """The first of `titles`, in full where another one has what it lacks; empty where there is none."""
    if not titles or not titles[0].endswith((ELLIPSIS, "...")):
        return titles[0] if titles else ""
    stem = titles[0].rstrip(ELLIPSIS + ". ")
    return next((title for title in titles if len(title) > len(titles[0]) and title.startswith(stem)), titles[0])


def _is_address(title: str, page: str) -> bool:
    """Whether `title` is nothing but the URL or the host of `page`."""
    if " " in title or not ("." in title or "/" in title):
        return False
    place = key("//" + title.rpartition("://")[2])
    return place in {page, f"//{host_of(page)}/"}
