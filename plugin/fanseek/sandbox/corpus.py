"""Synthetic results: derived from the query alone, with an overlap between backends that is chosen, not left to chance.

Of each backend's N results, round(N x overlap) are documents every backend has; the rest is its own. How a shared
document is told by the backends goes round in a fixed order: the same address everywhere, twice; with tracking
parameters; in other spellings of scheme and `www.`; and mirrored under another host with the same title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal
from urllib.parse import quote

import msgspec

from fanseek.contract import Row
from fanseek.sandbox.vocabulary import Draw, language, language_of

Form = Literal["own", "same", "tracked", "spelled", "mirror"]

FORMS: tuple[Form, ...] = ("same", "tracked", "same", "spelled", "mirror")

TRACKING = (
    "utm_source=newsletter",
    "utm_source=feed&utm_medium=referral",
    "utm_campaign=spring-{number}",
    "gclid=Cj0K{number}QjwB",
    "fbclid=IwAR{number}xT4",
    "msclkid={number}ab{number}",
)
PATHS = (
    "/{year}/{month:02}/{slug}",
    "/wiki/{slug}_{number}",
    "/t/{number}?page={month}",
    "/docs/{slug}/{number}.html",
    "/{slug}-{number}/",
    "/article.php?id={number}&lang=en",
    "/papers/{slug}.{number}.pdf",
)
TLDS = ("example", "test", "example", "test", "example.com", "example.org", "example.net")
SIGNS = "\"'`<>()[]{}!?,;:~+-\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
OPERATOR = re.compile(r"(site|lang|language|after|before|filetype|intitle|inurl|category):|(OR|AND|NOT)$")
LAST_DAY = date(2026, 11, 1)


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """One row at one backend, and what is known about it: two rows of one `document` and `mirror` are one page."""

    row: Row
    document: str
    form: Form
    mirror: bool = False


class Corpus(msgspec.Struct, frozen=True, kw_only=True):
    """Every result the sandbox can give. `families` are the indexes a metasearch backend's rows come from."""

    backends: tuple[str, ...]
    families: tuple[str, ...]
    results: int = 10
    overlap: float = 0.5
    seed: int = 1
    cjk: bool = False

    def rows(self, backend: str, query: str, wanted: int = 0) -> tuple[Row, ...]:
        """What `backend` finds: `results` rows, or `wanted` if that is fewer and not 0."""
        return tuple(placed.row for placed in self.placed(backend, query, wanted))

    def placed(self, backend: str, query: str, wanted: int = 0) -> list[Placed]:
        """The rows of `backend` in its own order, each with what is known about it."""
        topic = topic_of(query)
        count = min(self.results, wanted) if wanted > 0 else self.results
        shared = round(count * self.overlap)
        position = self.backends.index(backend)
        found = [self._shared(topic, number, position) for number in range(shared)]
        found += [self._own(topic, number, backend) for number in range(count - shared)]
        order = Draw(f"{self.seed}|order|{backend}|{topic.casefold()}")
        for last in range(len(found) - 1, 0, -1):
            other = order.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found

    def distinct(self, query: str, backends: Sequence[str], wanted: int = 0) -> int:
        """How many pages `backends` find together, mirrors counted as pages of their own."""
        return len({(p.document, p.mirror) for backend in backends for p in self.placed(backend, query, wanted)})

    def _own(self, topic: str, number: int, backend: str) -> Placed:
        page = _page(self, topic, f"{backend}/{number}")
        return Placed(row=page.row(page.address("own", 0)), document=f"{backend}/{number}", form="own")

    def _shared(self, topic: str, number: int, position: int) -> Placed:
        form = FORMS[number % len(FORMS)]
        page = _known_page(self, topic, str(number))
        row = page.row(page.address(form, position))
        return Placed(row=row, document=str(number), form=form, mirror=form == "mirror" and position % 2 == 1)


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One document, before a backend tells of it."""

    host: str
    path: str
    title: str
    snippet: str
    published: str
    family: str

    def row(self, url: str) -> Row:
        """The document as the row of a backend that gives it as `url`."""
        return Row(url=url, title=self.title, snippet=self.snippet, published=self.published, family=self.family)

    def address(self, form: Form, position: int) -> str:
        """The document's address as the backend at `position` gives it."""
        url = f"https://{self.host}{self.path}"
        if form == "spelled":
            secure, www = position % 2 == 0, position % 4 >= 2
            return f"http{'s' * secure}://{'www.' * www}{self.host}{self.path}"
        if form == "mirror" and position % 2 == 1:
            return f"https://mirror-{self.host}{self.path}"
        if form == "tracked" and position > 0:
            tag = TRACKING[(position - 1) % len(TRACKING)].format(number=position * 7919)
            return f"{url}{'&' if '?' in self.path else '?'}{tag}"
        return url


def _page(corpus: Corpus, topic: str, key: str) -> Page:
    draw = Draw(f"{corpus.seed}|{key}|{topic.casefold()}")
    tongue = language_of(topic)
    told = "".join(sign for sign in topic if sign.isprintable())[:60].strip() or "this"
    if corpus.cjk and tongue == "en":
        tongue = draw.of(("zh", "zh", "ja", "ko"))
    said = language(tongue)
    sentences = [draw.fill(draw.of(said.sentences), told, said.words) for _ in range(3)]
    days = draw.below(1600) - 400
    return Page(
        host=_host(draw),
        path=_path(draw, draw.of(said.words["noun"])),
        title=draw.fill(draw.of(said.titles), told, said.words),
        snippet=(" " if said.spaced else "").join(sentences),
        published=_day(days) if days >= 0 else "",
        family=draw.of(corpus.families) if corpus.families else "",
    )


_known_page = lru_cache(maxsize=4096)(_page)
"""Shared documents are asked for once by each backend."""


@lru_cache(maxsize=2048)
def _day(days: int) -> str:
    return (LAST_DAY - timedelta(days=days)).isoformat()


@lru_cache(maxsize=256)
def topic_of(query: str) -> str:
    """What a query is about, however a backend had to rewrite it: its words without operators and quotes."""
    bare = "".join(sign if sign.isprintable() else " " for sign in query).split()
    kept = [word for word in (one.strip(SIGNS) for one in bare) if word and not OPERATOR.match(word)]
    return " ".join(kept) or query.strip()


def _host(draw: Draw) -> str:
    words = language("en").words
    return f"{draw.of(words['adjective'])}-{draw.of(words['noun'])}.{draw.of(TLDS)}"


def _path(draw: Draw, subject: str) -> str:
    return draw.of(PATHS).format(
        slug=_slug(subject), number=draw.below(90_000) + 1000, year=2015 + draw.below(12), month=draw.below(12) + 1
    )


@lru_cache(maxsize=1024)
def _slug(subject: str) -> str:
    return quote(subject.replace(" ", "-"), safe="-")
