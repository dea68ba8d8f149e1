"""A query taken apart: words, quoted phrases, operators, and what is joined by OR. Put together again it is the same.

Operators as search engines have them: `site:x`, `-x`, `+x`, `"a b"`, `a OR b`, `(a OR b)`, `10..20`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

import msgspec

Kind = Literal["word", "phrase", "field", "group", "operator"]
"""`field` is `name:value` with a name no engine is known for; `group` joins plain words by OR, AND or NOT."""

QUOTES = {
    '"': '"',
    "“": "”",
    "„": "\u201c\u201d",
    "«": "»",
    "\u2039": "\u203a",
    "「": "」",
    "『": "』",
    "〝": "〞〟",
    "\uff02": "\uff02",
    "《": "》",
    "'": "'",
    "\u2018": "\u2019",
}
"""Opening marks with what may close them. The last two are apostrophes too: they open at a word's start only."""

APOSTROPHES = "'\u2018"
JOINTS = frozenset({"OR", "AND", "|", "||"})
NOT = "NOT"
REMEMBERED = 2000

_NAMES = (
    "after|ali?links?|all(?:in)?(?:title|url|text|anchor)|author|before|body|cache|contains|date|daterange|domain|ext|"
    "feed|filetype|format|hasfeed|host|hostname|in(?:anchor|body|page|text|title|url)|ip|lang|language|link|loc|"
    "location|mime|numrange|prefer|region|related|site|source|text|title|url"
)
_OPERATOR = re.compile(
    rf"[-+]?(?:{_NAMES})[:\uff1a][^\s:/\\\uff1a].*|[-+](?=[^\W_]).*|[$€£¥]?\d+\.\.[$€£¥]?\d+", re.IGNORECASE | re.DOTALL
)
_FIELD = re.compile(r"[-+]?[A-Za-z][A-Za-z_]{1,30}[:\uff1a](?![:/\\\uff1a]).+", re.DOTALL)
_LEAD = re.compile(r"[-+]?(?:[A-Za-z][A-Za-z_]{1,30}[:\uff1a])?")
_EMBEDDED = re.compile(r"(?<=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?=-?(?:site|filetype|in(?:title|url)):)")
_BLANK = re.compile(r"\s+")
_BRACKET = re.compile(r"-?\(|\)")
_ENDS = {mark: re.compile(f"[{ends}]" + r"(?!\w)" * (mark in APOSTROPHES)) for mark, ends in QUOTES.items()}


class Piece(msgspec.Struct, frozen=True):
    """A part of a query that is kept or left out as a whole; a plain word may be shortened where it is CJK."""

    text: str
    kind: Kind = "word"
    glued: bool = False
    """Whether it stands right behind the piece before it, without a blank."""
    parts: tuple[str, ...] = ()
    """The alternatives of a chain `a OR b OR c`."""


def pieces(query: str) -> tuple[Piece, ...]:
    """The pieces of `query`, in order."""
    return _remembered(query) if len(query) <= REMEMBERED else _pieces(query)


def _pieces(query: str) -> tuple[Piece, ...]:
    return tuple(_chained(_grouped(list(_Scan(query)))))


_remembered = lru_cache(maxsize=64)(_pieces)
"""One search asks for the pieces of one query many times."""


def together(parts: Sequence[Piece]) -> str:
    """The pieces as one query, single blanks between them."""
    return "".join(f"{'' if piece.glued or not at else ' '}{piece.text}" for at, piece in enumerate(parts))


def folded(query: str) -> str:
    """`query` with single blanks, but for those inside quotes."""
    return together(pieces(query))


class _Scan:
    """The atoms of a query: phrases, words, brackets at a word's edge. Takes time linear in its length."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._dead: set[str] = set()

    def __iter__(self) -> _Scan:
        self._at = 0
        return self

    def __next__(self) -> Piece:
        blank = _BLANK.match(self._query, self._at)
        start = self._at = blank.end() if blank else self._at
        if start >= len(self._query):
            raise StopIteration
        kind = self._phrase(start) or self._bracket(start) or self._word(start)
        text = self._query[start : self._at]
        if kind == "word":
            kind = "operator" if _OPERATOR.fullmatch(text) else "field" if _FIELD.fullmatch(text) else "word"
        return Piece(text, kind, glued=blank is None and start > 0)

    def _phrase(self, start: int) -> Kind | None:
        lead = _LEAD.match(self._query, start)
        opens = lead.end() if lead else start
        end = self._closed(opens)
        if not end:
            return None
        self._at = end
        if opens == start:
            return "phrase"
        whole = self._query[start:opens]
        return "operator" if whole in "-+" or _OPERATOR.fullmatch(whole + "x") else "field"

    def _closed(self, opens: int) -> int:
        """Where the quote that `opens` ends; 0 when none does."""
        mark = self._query[opens : opens + 1]
        if mark not in QUOTES or mark in self._dead:
            return 0
        if mark in APOSTROPHES and opens and self._query[opens - 1].isalnum():
            return 0
        found = _ENDS[mark].search(self._query, opens + 1)
        if found is None:
            self._dead.add(mark)
            return 0
        return found.end() if found.start() > opens + 1 or mark not in APOSTROPHES else 0

    def _bracket(self, start: int) -> Kind | None:
        bracket = _BRACKET.match(self._query, start)
        if bracket:
            self._at = bracket.end()
        return "word" if bracket else None

    def _word(self, start: int) -> Kind:
        at = start
        while at < len(self._query) and not self._query[at].isspace():
            mark = self._query[at]
            if at > start and mark in QUOTES and mark not in APOSTROPHES and self._closed(at):
                break
            if at > start and _EMBEDDED.match(self._query, at):
                break
            at += 1
        text = self._query[start:at]
        while text.endswith(")") and text.count(")") > text.count("("):
            text = text[:-1]
        self._at = start + len(text)
        return "word"


def _grouped(atoms: list[Piece]) -> list[Piece]:
    """Balanced brackets that hold operators or alternatives, or are one, each as one piece."""
    closes: dict[int, int] = {}
    stack: list[int] = []
    for at, atom in enumerate(atoms):
        if atom.text in ("(", "-("):
            stack.append(at)
        elif atom.text == ")" and stack:
            closes[stack.pop()] = at
    found: list[Piece] = []
    at = 0
    while at < len(atoms):
        end = closes.get(at, 0)
        seen = atoms[max(0, at - 1) : end + 2] if end else []
        if atoms[at].text == "-(" or any(_joins(atom) or atom.kind == "operator" for atom in seen):
            found.append(_group(atoms[at : end + 1]) if end else atoms[at])
            at = max(at, end)
        else:
            found.append(atoms[at])
        at += 1
    return found


def _joins(atom: Piece) -> bool:
    return atom.text in JOINTS or atom.text == NOT


def _group(atoms: list[Piece]) -> Piece:
    inner = _chained(atoms[1:-1])
    whole = atoms[0].text != "(" or all(piece.kind == "operator" for piece in inner)
    parts = inner[0].parts if len(inner) == 1 and atoms[0].text == "(" else ()
    return Piece(together(atoms), "operator" if whole else "group", glued=atoms[0].glued, parts=parts)


def _chained(atoms: list[Piece]) -> list[Piece]:
    """Alternatives joined by OR, and what a NOT takes away, each as one piece."""
    found: list[Piece] = []
    at = 0
    while at < len(atoms):
        end = _item(atoms, at)
        opens = atoms[at].text not in JOINTS
        while opens and end + 2 < len(atoms) and atoms[end + 1].text in JOINTS and atoms[end + 2].text not in JOINTS:
            end = _item(atoms, end + 2)
        found.append(_chain(atoms[at : end + 1]))
        at = end + 1
    return found


def _item(atoms: list[Piece], at: int) -> int:
    """Where the alternative that begins at `at` ends: behind its NOTs."""
    while atoms[at].text == NOT and at + 1 < len(atoms):
        at += 1
    return at


def _chain(atoms: list[Piece]) -> Piece:
    if len(atoms) == 1:
        return atoms[0]
    items = [atom for atom in atoms if not _joins(atom)]
    joints = {atom.text for atom in atoms if _joins(atom)}
    whole = bool(items) and (joints == {NOT} or all(atom.kind == "operator" for atom in items))
    parts = tuple(atom.text for atom in items) if joints <= {"OR"} else ()
    return Piece(together(atoms), "operator" if whole else "group", glued=atoms[0].glued, parts=parts)
