"""Who publishes a page, by its host, and whether two addresses of one publisher name one article.

A publisher is a registrable domain (publicsuffix.org), or several where they are known to be one house. Below domains
that hold the sites of strangers, each sub-domain is a publisher of its own.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from fanseek.merge.lists import lines, words
from fanseek.text.canonical import host_of, key

if TYPE_CHECKING:
    from publicsuffixlist import PublicSuffixList

_HOUSE = {domain: line.split()[0] for line in lines("houses") for domain in line.split()}
_ENCYCLOPEDIA = {domain: line.split()[0] for line in lines("encyclopedias") for domain in line.split()}
_SHARED = words("shared")
_SUBJECTS = words("subjects")
_SUBJECT_HOSTS = ("baike.", "dict.", "dic.", "wiki.", "shopping.", "shop.")
_WRITTEN = frozenset({"article", "articles", "blog", "news", "note", "review", "stories", "story", "topic", "wordplay"})
"""Parts of a path below which a site of subjects has texts that somebody has written."""

_SHORT = 4
_LANGUAGE = 2
_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|\[.*\]")
_VIEW = re.compile(r"(?:^|(?<=/))(?:amp|mobile|m|wap|print)(?:/|$)|\.amp(?=$|\.)|\.(?:[sx]?html?|md|php|aspx?)(?=$|\?)")


class Place:
    """Where a page stands: its publisher, and how its address is told from those of its neighbours."""

    __slots__ = ("article", "encyclopedia", "host", "page", "publisher", "shape", "subject")

    def __init__(self, url: str) -> None:
        canonical = key(url)
        self.host = host_of(canonical)
        self.publisher = publisher(self.host)
        path = canonical.removeprefix("//").partition("/")[2].casefold()
        named = self.publisher in _SUBJECTS or self.host.startswith(_SUBJECT_HOSTS)
        self.subject = named and _WRITTEN.isdisjoint(path.split("/")[:-1])
        self.page = _VIEW.sub("", path).strip("/")
        self.encyclopedia = _ENCYCLOPEDIA.get(self.publisher, "")
        self.article = (_language(self.host, self.page), self.page.rpartition("/")[2]) if self.encyclopedia else None
        self.shape = re.sub(r"\d+", "0", self.page)

    def clashes(self, other: Place) -> bool:
        """Whether one title on both pages can't mean one text.

        So it is for one house's pages in a series, whose addresses differ in numbers alone, and for what different
        houses say of one subject.
        """
        if not self.publisher or not other.publisher or self.is_same_article(other):
            return False
        if self.publisher != other.publisher:
            return self.subject or other.subject
        return self.page != other.page and self.shape == other.shape

    def is_same_article(self, other: Place) -> bool:
        """Whether two sites show one article of one encyclopedia here."""
        alike = bool(self.encyclopedia) and self.encyclopedia == other.encyclopedia and self.article == other.article
        return alike and self.publisher != other.publisher

    def mirrors(self, other: Place) -> bool:
        """Whether the addresses alone make copies likely: same path, on hosts of one name, or of one encyclopedia."""
        if self.is_same_article(other):
            return True
        if not self.page or self.page != other.page:
            return False
        return (
            self.publisher == other.publisher
            or _name(self.publisher) in other.host
            or _name(other.publisher) in self.host
        )


def _language(host: str, page: str) -> str:
    """The language of an encyclopedia's page: the first label of its host, or the first part of its path."""
    first = host.partition(".")[0]
    return first if len(first) == _LANGUAGE else page.partition("/")[0][:_LANGUAGE]


def _name(publisher: str) -> str:
    """What a publisher's domain begins with; where that is too short to tell, the whole domain."""
    label = publisher.partition(".")[0]
    return label if len(label) > _SHORT else publisher


@lru_cache(maxsize=4096)
def publisher(host: str) -> str:
    """The name of the house behind a canonical `host`; empty where there is no host."""
    if not host or _ADDRESS.fullmatch(host):
        return host
    domain = _domains().privatesuffix(host) or host
    labels = host.split(".")
    above = ".".join(labels[-2:])
    if domain in _SHARED or above in _SHARED:
        domain = ".".join(labels[-3:])
    return _HOUSE.get(domain, domain)


@lru_cache(maxsize=1)
def _domains() -> PublicSuffixList:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList()
