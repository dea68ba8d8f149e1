"""Whether two titles on two pages are of one text: a copy on another site, and not merely something alike.

Two titles are of one text when the Jaccard index of their words is at least 0.9 (pairs of neighbours in scripts
without spaces) and nothing that carries the matter differs: the same words, numbers and negations in the same order,
but for articles, auxiliaries and the like; a long title of a script without spaces may lack a particle. A title that
was cut at its end is of one text with a longer one that begins so, where what is left says enough. Names of sites
beside a title are no part of it. A title of little matter, or of none that can be read, can't tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

from fanseek.merge.commonplace import WORDS, is_commonplace, recurs
from fanseek.merge.headline import Reading, readings
from fanseek.merge.press import is_publisher
from fanseek.merge.publishers import Place
from fanseek.merge.vocabulary import LIGHT, TURNING
from fanseek.text.words import is_sign, tokens, units

LIKE = 0.9
"""The least Jaccard index of two titles of one text."""

LONG = 0.95
"""From this on an ordinary word may have been added; it takes nineteen words in common."""

ARTICLES = frozenset({"a", "an", "the"})

ENOUGH = 8
"""Signs of a script without spaces a title must have for each particle that it may lack."""

LEFT = 0.5
"""The least Jaccard index of a title that was cut, and the whole of it."""

LEAST, LEAST_LOOSE, LEAST_MIRRORED, LEAST_CUT = 4.0, 6.0, 1.0, 9.0
"""The matter a title must have to tell one text from others: as it stands; without what only may be a name of a site;
where the addresses speak for copies; and where it was cut."""


class Phrase:
    """One reading of a title in words: `content` is what carries its matter."""

    __slots__ = ("content", "matter", "reading", "tokens", "units")

    def __init__(self, reading: Reading, host: str) -> None:
        found = units(reading.text)
        self.reading = reading
        self.units = found
        self.tokens = tokens(found) - ARTICLES
        self.content = tuple(unit for unit in found if unit not in LIGHT) or found
        self.matter = 0.0 if is_commonplace(found) or is_publisher(reading.text, host) else _matter(self.content)

    def agrees(self, other: Phrase, near: Nearness) -> bool:
        """Whether both say the same and enough to tell one text from others."""
        mine, yours = self.reading, other.reading
        if self.content != other.content or not _is_like(self, other):
            return False
        least = near.least
        if mine.loose or yours.loose:
            if (mine.loose and yours.loose) or (near.one_house and (mine.headless or yours.headless)):
                return False
            least = max(least, LEAST_LOOSE) if near.least > LEAST_MIRRORED else least
        return min(self.matter, other.matter) >= least


class Nearness(NamedTuple):
    """What two addresses say about copies: whether one house has both pages, and what matter their title must have."""

    one_house: bool = False
    least: float = LEAST


class Wording:
    """What a title says, ready to be compared."""

    __slots__ = ("cut", "phrases", "recurs")

    def __init__(self, title: str, host: str = "") -> None:
        found, self.cut = readings(title, host)
        self.phrases = [Phrase(one, host) for one in found]
        self.recurs = recurs(title)

    @property
    def core(self) -> Phrase:
        """The surest reading."""
        return self.phrases[0]

    def same(self, other: Wording, near: Nearness) -> bool:
        """Whether both are of one text, by their words alone."""
        if any(mine.agrees(yours, near) for mine in self.phrases for yours in other.phrases):
            return True
        return self._continues(other) or other._continues(self) or _is_added(self.core, other.core)

    def _continues(self, other: Wording) -> bool:
        """Whether this is the whole of a title that `other` has only the most of."""
        return other.cut and any(_is_most(cut, whole) for cut in other.phrases for whole in self.phrases)


class Page:
    """A page as it is compared: what its title says, and where it stands."""

    __slots__ = ("place", "wording")

    def __init__(self, title: str, url: str) -> None:
        self.place = Place(url)
        self.wording = Wording(title, self.place.host)

    def same(self, other: Page) -> bool:
        """Whether both are copies of one text."""
        near = self.near(other)
        return near is not None and self.wording.same(other.wording, near)

    def near(self, other: Page) -> Nearness | None:
        """What the addresses say; None where one title on both can't mean one text."""
        mine, yours = self.place, other.place
        if mine.clashes(yours):
            return None
        one_house = bool(mine.publisher) and mine.publisher == yours.publisher
        if mine.mirrors(yours):
            return Nearness(one_house, LEAST_MIRRORED)
        if one_house and (self.wording.recurs or other.wording.recurs):
            return None
        return Nearness(one_house, LEAST_LOOSE if one_house else LEAST)


def same_story(a: tuple[str, str], b: tuple[str, str]) -> bool:
    """Whether two pages, each as (title, address), are copies of one text; an address may be empty."""
    return Page(*a).same(Page(*b))


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Common of all members; 0 where a set is empty."""
    if not a or not b:
        return 0.0
    common = len(a & b)
    return common / (len(a) + len(b) - common)


def _matter(content: tuple[str, ...]) -> float:
    """How much a title says: a word 1.5, a sign of a script without spaces 1, a number or a word of any title 0.5."""
    return sum(map(_weight, dict.fromkeys(content)))


@lru_cache(maxsize=8192)
def _weight(unit: str) -> float:
    if is_sign(unit):
        return 1.0
    return 0.5 if unit in WORDS or not unit.isalpha() else 1.5


def _is_like(a: Phrase, b: Phrase) -> bool:
    """Whether two titles of one content have almost the same words.

    A particle, one sign that stands in two pairs of neighbours, may be missing from a long one.
    """
    if jaccard(a.tokens, b.tokens) >= LIKE:
        return True
    short, long = sorted((a.units, b.units), key=len)
    lacking = len(long) - len(short)
    if not 1 <= lacking <= len(long) // ENOUGH or LCSseq.similarity(short, long) < len(short):
        return False
    return all(map(is_sign, _beyond(short, long)))


def _is_most(cut: Phrase, whole: Phrase) -> bool:
    """Whether `cut` is the beginning of `whole`, and no number is in the rest; its last word may itself be cut."""
    kept, rest = whole.content[: len(cut.content)], whole.content[len(cut.content) :]
    if (
        len(kept) < len(cut.content)
        or kept[:-1] != cut.content[:-1]
        or not kept[-1:]
        or not kept[-1].startswith(cut.content[-1])
    ):
        return False
    if cut.matter < LEAST_LOOSE or not all(map(str.isalpha, rest)):
        return False
    return jaccard(cut.tokens, whole.tokens) >= (LEFT if cut.matter >= LEAST_CUT else LIKE)


def _is_added(a: Phrase, b: Phrase) -> bool:
    """Whether one is the other, a long one, with ordinary words added: no number, no sign, none that turns it."""
    if min(a.matter, b.matter) < LEAST_LOOSE or jaccard(a.tokens, b.tokens) < LONG:
        return False
    short, long = sorted((a.content, b.content), key=len)
    return LCSseq.similarity(short, long) == len(short) and all(map(_is_ordinary, _beyond(short, long)))


def _beyond(short: tuple[str, ...], long: tuple[str, ...]) -> Iterator[str]:
    """The units of `long` that `short`, which is contained in it in order, lacks."""
    left = iter(short)
    wanted = next(left, None)
    for unit in long:
        if unit == wanted:
            wanted = next(left, None)
        else:
            yield unit


def _is_ordinary(unit: str) -> bool:
    return len(unit) > 2 and unit.isalpha() and unit not in TURNING
