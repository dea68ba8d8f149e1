"""A query without what is said around it: greetings, polite phrases and commands at its edges, Chinese and English.

Only whole fillers at the edges go, never a word in between, never a quoted string, an operator or what stands behind
one. Shaping a shaped query changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from fanseek.contract import pieces
from fanseek.select import fillers_chinese as chinese
from fanseek.select import fillers_english as english

TAIL, HEAD = 120, 300
"""Characters in which an ending is looked for, and in which what comes before it is."""

BARE_WORDS = 3
"""Words before an ending that nothing sets off."""

LONGEST_FILLER = 200
LANGUAGES = (chinese, english)
_NOISE = r"[\s,.!?;:~\u2026\u3001\u3002\uff01\uff0c\uff1a\uff1b\uff1f\uff5e]*"


def shaped(query: str) -> str:
    """What of `query` (spelled) is to be searched for; empty when it holds nothing but fillers."""
    start, opens = 0, _opening_words(query)
    if opens == len(query) and _is_lone(query):
        return ""
    while after := _opened(query, start, opens):
        start = after
    left = query[start:]
    closes, end = _closing_words(left), len(left)
    while (before := _ended(left, closes, end, later=start > 0)) >= 0:
        end = before
    rest = left[:end].strip()
    return "" if opens == len(query) and _is_lone(rest) else rest


@cache
def _pattern(text: str) -> re.Pattern[str]:
    """Compiled when first needed: most queries need none."""
    return re.compile(text, re.IGNORECASE)


def _opening_words(query: str) -> int:
    """Where the plain words at the beginning of `query` end."""
    return next((start for start, _ in _held(query)), len(query))


def _closing_words(query: str) -> int:
    """Where the plain words at the end of `query` begin."""
    return max((end for _, end in _held(query)), default=0)


def _held(query: str) -> Iterator[tuple[int, int]]:
    """Where the pieces stand that are no plain words."""
    at = 0
    for number, piece in enumerate(pieces(query)):
        at += bool(number) and not piece.glued
        if piece.kind != "word":
            yield at, at + len(piece.text)
        at += len(piece.text)


def _is_lone(query: str) -> bool:
    """Whether `query` is nothing but fillers and punctuation; empty is."""
    if not query:
        return True
    if len(query) > LONGEST_FILLER or not any(_pattern(language.FIRST).match(query) for language in LANGUAGES):
        return False
    lone = "|".join((*chinese.LONE, *english.LONE))
    return _pattern(rf"(?:(?:{lone})(?![a-z]){_NOISE}){{1,12}}\Z").match(query) is not None


def _opened(query: str, start: int, opens: int) -> int:
    """Where a filler that begins at `start` ends; 0 where none does that leaves something."""
    for language in LANGUAGES:
        if not _pattern(language.FIRST).match(query, start):
            continue
        for text in (language.COMMAND, *language.OPENINGS):
            end = _end(text, query, start, opens)
            if end:
                return end
        end = _end(language.BEFORE_A_COMMAND, query, start, opens)
        if end and _opened(query, end, opens):
            return end
    return 0


def _end(text: str, query: str, start: int, opens: int) -> int:
    found = _pattern(text).match(query, start)
    return found.end() if found and start < found.end() <= opens and found.end() < len(query) else 0


def _ended(query: str, start: int, end: int, *, later: bool) -> int:
    """Where a filler that ends at `end` begins; -1 where none does that leaves something."""
    tail = max(start, end - TAIL)
    for language in LANGUAGES:
        if not _pattern(language.LAST).search(query, tail, end):
            continue
        for text in (*language.ENDINGS, *(language.LATER_ENDINGS if later else ()), *language.BARE_ENDINGS):
            found = _pattern(text).search(query, tail, end)
            if not found or found.start() <= start:
                continue
            head = query[max(start, found.start() - HEAD) : found.start()]
            enough = text not in language.BARE_ENDINGS or len(head.split()) >= BARE_WORDS
            if enough and not _mentions(head):
                return found.start()
    return -1


def _mentions(head: str) -> bool:
    """Whether `head` speaks of words and phrases."""
    return any(_pattern(language.MENTIONS).search(head) for language in LANGUAGES)
