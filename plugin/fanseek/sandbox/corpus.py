"""Synthetic results: derived from the query alone, with an overlap between backends that is chosen, not left to chance.

Of each backend's N results, round(N x overlap) are documents every backend has; the rest is its own. How a shared
document is told by the backends goes round in a fixed order: the same address everywhere, twice; with tracking
parameters; in other spellings of scheme and `www.`; and mirrored under another host with the same title.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import cache, lru_cache
from hashlib import blake2b
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
    "/{year}/{month:02}/{slug}-{number}",
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
CJK = ("zh", "ja", "zh", "ko")
OUTLINES = 2039
"""Outlines a language has: a prime, so that the documents of one query have different ones."""

BLANK = "\0"
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
        subject = _subject(query, self.seed)
        count = min(self.results, wanted) if wanted > 0 else self.results
        shared = round(count * self.overlap)
        position = self.backends.index(backend)
        found = [self._shared(subject, number, position) for number in range(shared)]
        found += [self._own(subject, number, backend, position) for number in range(count - shared)]
        order = Draw(f"{subject.number}|{backend}")
        for last in range(len(found) - 1, 0, -1):
            other = order.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found

    def distinct(self, query: str, backends: Sequence[str], wanted: int = 0) -> int:
        """How many pages `backends` find together, mirrors counted as pages of their own."""
        return len({(p.document, p.mirror) for backend in backends for p in self.placed(backend, query, wanted)})

    def _shared(self, subject: Subject, number: int, position: int) -> Placed:
        form = FORMS[number % len(FORMS)]
        row = self._row(subject, number * (len(self.backends) + 1), form, position)
        return Placed(row=row, document=str(number), form=form, mirror=form == "mirror" and position % 2 == 1)

    def _own(self, subject: Subject, number: int, backend: str, position: int) -> Placed:
        row = self._row(subject, number * (len(self.backends) + 1) + position + 1, "own", position)
        return Placed(row=row, document=f"{backend}/{number}", form="own")

    def _row(self, subject: Subject, slot: int, form: Form, position: int) -> Row:
        """The document in `slot` of the subject, as the backend at `position` tells it."""
        tongue = CJK[slot % len(CJK)] if self.cjk and subject.tongue == "en" else subject.tongue
        outline = outline_of(tongue, (subject.number + slot * 389) % OUTLINES)
        number = str(1000 + (subject.number + slot * 7919) % 90_000)
        return Row(
            url=told(outline.host, outline.path.replace(BLANK, number), form, position),
            title=outline.title.replace(BLANK, subject.name),
            snippet=outline.snippet.replace(BLANK, subject.name),
            published=outline.published,
            family=self.families[outline.pick % len(self.families)] if self.families else "",
        )


class Subject(msgspec.Struct, frozen=True):
    """What a query is about: as titles name it, the number its documents follow from, its language."""

    name: str
    number: int
    tongue: str


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """A document with a blank in `path` for its number, and blanks in its texts for what they are about."""

    host: str
    path: str
    title: str
    snippet: str
    published: str
    pick: int


@cache
def outline_of(tongue: str, index: int) -> Outline:
    """One of the outlines of a language."""
    draw = Draw(f"{tongue}|{index}")
    said = language(tongue)
    sentences = [draw.fill(draw.of(said.sentences), BLANK, said.words) for _ in range(3)]
    names = language("en").words
    days = draw.below(1600) - 400
    return Outline(
        host=f"{draw.of(names['adjective'])}-{draw.of(names['noun'])}.{draw.of(TLDS)}",
        path=draw.of(PATHS).format(
            slug=quote(draw.of(said.words["noun"]).replace(" ", "-"), safe="-"),
            number=BLANK,
            year=2015 + draw.below(12),
            month=draw.below(12) + 1,
        ),
        title=draw.fill(draw.of(said.titles), BLANK, said.words),
        snippet=(" " if said.spaced else "").join(sentences),
        published=(LAST_DAY - timedelta(days=days)).isoformat() if days >= 0 else "",
        pick=draw.below(1 << 16),
    )


def told(host: str, path: str, form: Form, position: int) -> str:
    """A document's address as the backend at `position` gives it."""
    url = f"https://{host}{path}"
    if form == "spelled":
        secure, www = position % 2 == 0, position % 4 >= 2
        return f"http{'s' * secure}://{'www.' * www}{host}{path}"
    if form == "mirror" and position % 2 == 1:
        return f"https://mirror-{host}{path}"
    if form == "tracked" and position > 0:
        tag = TRACKING[(position - 1) % len(TRACKING)].format(number=position * 7919)
        return f"{url}{'&' if '?' in path else '?'}{tag}"
    return url


@lru_cache(maxsize=1024)
def _subject(query: str, seed: int) -> Subject:
    topic = topic_of(query)
    name = "".join(sign for sign in topic if sign.isprintable())[:60].strip() or "this"
    number = int.from_bytes(blake2b(f"{seed}|{topic.casefold()}".encode("utf-8", "replace"), digest_size=6).digest())
    return Subject(name, number, language_of(topic))


def topic_of(query: str) -> str:
    """What a query is about, however a backend had to rewrite it: its words without operators and quotes."""
    bare = "".join(sign if sign.isprintable() else " " for sign in query).split()
    kept = [word for word in (one.strip(SIGNS) for one in bare) if word and not OPERATOR.match(word)]
    return " ".join(kept) or query.strip()
