"""Copies of one text on other pages, told by title (`titles`), among many pages at a cost near to their number.

Best ranked first, a page joins the best group all of whose pages it agrees with, so what A and C deny, B can't join.
Who it may agree with is looked up and not tried out: groups that have the same words, then, for a title that was cut
or is long, those that share its beginning or one of its rarest words. Of what many share, only the best ranked are
looked at. A title that one house gives to several pages in a series tells nothing, on any site.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil

from fanseek.merge.group import Group
from fanseek.merge.titles import LEAST_LOOSE, LEFT, LONG, Page, Phrase

MOST_TRIED = 8
"""Texts a page is compared with, and pages of one text, at most."""

SHORT = 4
"""Words of a cut title that are too few to know the whole by."""


def copies_of(groups: Sequence[Group]) -> list[Group]:
    """`groups` (best first) with those of one text folded into the best of them."""
    pages = [Page(group.head.title if group.head.titled else "", group.head.url) for group in groups]
    serial = _serial(pages)
    rarity = Counter(token for page in pages if _is_long(page.wording.core) for token in page.wording.core.tokens)
    shelf = _Shelf(rarity, {len(page.wording.core.content) for page in pages if page.wording.cut} - set(range(SHORT)))
    kept: list[Group] = []
    for group, page in zip(groups, pages, strict=True):
        if not page.wording.core.content or page.wording.core.content in serial:
            kept.append(group)
        elif (text := shelf.find(page)) is not None:
            text.group.take(group, "copy")
            text.add(page)
            shelf.put(page, text)
        else:
            kept.append(group)
            shelf.put(page, _Text(len(kept), group, page))
    return kept


def _serial(pages: Iterable[Page]) -> frozenset[tuple[str, ...]]:
    """What titles say that one house has on several pages whose addresses differ in numbers alone."""
    seen: dict[tuple[tuple[str, ...], str, str], str] = {}
    found: set[tuple[str, ...]] = set()
    for page in pages:
        content, place = page.wording.core.content, page.place
        if seen.setdefault((content, place.publisher, place.shape), place.page) != place.page:
            found.add(content)
    return frozenset(found)


class _Text:
    """One text to be: its group, and of its pages those that another one has to agree with."""

    def __init__(self, rank: int, group: Group, page: Page) -> None:
        self.rank = rank
        self.group = group
        self._said: dict[object, Page] = {}
        self._houses: dict[str, list[Page]] = {}
        self._subject = False
        self.add(page)

    def add(self, page: Page) -> None:
        """One more page of the text."""
        self._said.setdefault(_saying(page), page)
        self._houses.setdefault(page.place.publisher, []).append(page)
        self._subject = self._subject or page.place.subject

    def admits(self, page: Page) -> bool:
        """Whether `page` agrees with all of the text; of those that say the same, one speaks for other houses."""
        own = self._houses.get(page.place.publisher, [])
        if len(self._houses) > bool(own) and (page.place.subject or self._subject):
            return False
        said = self._said if _saying(page) not in self._said else {None: self._said[_saying(page)]}
        if len(said) > MOST_TRIED or len(own) > MOST_TRIED:
            return False
        return all(map(page.same, said.values())) and all(map(page.same, own))


def _saying(page: Page) -> object:
    """What is alike for pages that agree with the same others; a title of little matter is alike for none."""
    wording = page.wording
    if wording.core.matter < LEAST_LOOSE:
        return id(page)
    return (wording.core.tokens, wording.cut, *((phrase.content, phrase.reading[1:]) for phrase in wording.phrases))


class _Shelf:
    """Texts by what a page that belongs to them would share."""

    def __init__(self, rarity: Counter[str], cuts: set[int]) -> None:
        self._rarity = rarity
        self._cuts = cuts
        self._texts: dict[object, dict[_Text, None]] = {}

    def put(self, page: Page, text: _Text) -> None:
        for mark in self._marks(page):
            shared = self._texts.setdefault(mark, {})
            if len(shared) < MOST_TRIED:
                shared[text] = None

    def find(self, page: Page) -> _Text | None:
        """The best ranked text that `page` is of."""
        tried = {text for mark in self._marks(page) for text in self._texts.get(mark, ())}
        return next((text for text in sorted(tried, key=lambda text: text.rank) if text.admits(page)), None)

    def _marks(self, page: Page) -> Iterator[object]:
        for phrase in page.wording.phrases:
            if phrase.matter:
                yield phrase.content
        if self._cuts:
            yield from self._beginnings(page)
        if _is_long(page.wording.core):
            yield from self._rarest(page.wording.core)

    def _beginnings(self, page: Page) -> Iterator[object]:
        """What a title begins with, at each length a cut one here has, but for a word that may be cut."""
        for phrase in page.wording.phrases:
            content = phrase.content
            for length in self._cuts:
                if LEFT * len(content) - 1 <= length <= len(content):
                    yield ("begins", content[: length - 1])

    def _rarest(self, phrase: Phrase) -> Iterator[object]:
        """The rarest words of a long title: two titles alike to `LONG` share one of these (prefix filter)."""
        ordered = sorted(phrase.tokens, key=lambda token: (self._rarity[token], token))
        for token in ordered[: len(ordered) - ceil(LONG * len(ordered)) + 1]:
            yield ("rare", token)


def _is_long(phrase: Phrase) -> bool:
    """Whether a title has so many words that one more makes no other title of it."""
    return len(phrase.tokens) * (1 - LONG) >= LONG
