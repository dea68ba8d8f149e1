"""Titles that many sites have, so that they tell no text from another: front pages, log-ins, notices, contents.

In scripts without spaces they are told by the pieces they are made of, else by their words.
"""

from __future__ import annotations

import re
from functools import cache

from fanseek.merge.lists import lines, words
from fanseek.text.words import units

WORDS = words("common_words")
"""Words that stand in any title, folded; they tell little."""

_PARTICLES = frozenset("的了はがをのにへとも은는이가을를의로")
_LONGEST = 40
"""Signs a title may have to be taken for one of these."""

_RECURRING = re.compile(
    "|".join(rf"\b{re.escape(said)}\b" if said.isascii() else re.escape(said) for said in lines("recurring"))
)


def recurs(title: str) -> bool:
    """Whether a site may well give this title to one page after another: what is said of a day or a week."""
    return _RECURRING.search(title.casefold()) is not None


def is_commonplace(found: tuple[str, ...]) -> bool:
    """Whether these units are nothing but words, pieces and numbers that many titles are made of."""
    rest = ""
    for unit in found:
        if not (unit in WORDS or unit.isdigit()):
            rest += unit
            if len(rest) > _LONGEST:
                return False
    return not rest or found in _phrases() or _is_covered(rest)


def _is_covered(text: str) -> bool:
    """Whether `text` can be put together from pieces, particles between them left out."""
    if text.isascii():
        return False
    reached = {0}
    for end in range(1, len(text) + 1):
        if (end - 1 in reached and text[end - 1] in _PARTICLES) or any(text[at:end] in _pieces() for at in reached):
            reached.add(end)
    return len(text) in reached


@cache
def _pieces() -> frozenset[str]:
    return frozenset("".join(units(piece)) for piece in words("common_pieces"))


@cache
def _phrases() -> frozenset[tuple[str, ...]]:
    return frozenset(units(phrase) for phrase in lines("common_phrases"))
