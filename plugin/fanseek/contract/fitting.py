"""A query cut to the length a backend takes: operators first, quoted phrases whole, then as many words as fit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

from fanseek.contract.joints import sound
from fanseek.contract.query import APOSTROPHES, QUOTES, Piece, pieces, together

MOST = 1 << 30
SITE = re.compile(r"\(?site[:\uff1a]", re.IGNORECASE)
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003fffd]")
_STRAY = str.maketrans("", "", "".join(mark + ends for mark, ends in QUOTES.items() if mark not in APOSTROPHES))


class QueryLimit(msgspec.Struct, frozen=True, kw_only=True):
    """How long a query may be, operators included, in Unicode characters, words between blanks, UTF-8 bytes; 0: any."""

    characters: int = 0
    words: int = 0
    bytes: int = 0

    def __str__(self) -> str:
        counts = {"characters": self.characters, "words": self.words, "bytes": self.bytes}
        return " and ".join(f"{count} {unit}" for unit, count in counts.items() if count)

    def takes(self, text: str) -> bool:
        """Whether `text` is short enough."""
        return _Room(self).takes(text, blank=False)


class Wording(msgspec.Struct, frozen=True, kw_only=True):
    """A query as one backend gets it."""

    text: str
    cut: bool = False
    """Whether something of the caller's own query is missing."""
    left_out: tuple[str, ...] = ()
    """Domains asked for that found no room as operators."""


def fitted(query: str, limit: QueryLimit) -> str:
    """`query` with single blanks, within `limit`."""
    return worded(query, limit).text


def worded(
    query: str, limit: QueryLimit, *, include: Sequence[str] = (), exclude: Sequence[str] = (), more: Iterable[str] = ()
) -> Wording:
    """`query` within `limit`, with `site:` operators for domains, and `more` operators, as far as these fit.

    Those for wished domains may cost the query words, down to half the limit; the others never do.
    """
    parts = pieces(query)
    room = _reserved(parts, limit)
    include, exclude = _unsaid(parts, "site:", include), _unsaid(parts, "-site:", exclude)
    kept = list(include)
    while kept and not room.takes(sites(kept)):
        kept.pop()
    ours = [sites(kept)] if kept else []
    text = _within(parts, limit, ours)
    room = _Room(limit)
    for said in (text, *ours):
        room.take(said)
    for operator in (*more, *(f"-site:{domain}" for domain in exclude)):
        if room.takes(operator):
            room.take(operator)
            ours.append(operator)
    return Wording(
        text=" ".join(filter(None, (text, *ours))), cut=text != together(parts), left_out=tuple(include[len(kept) :])
    )


def _unsaid(parts: Sequence[Piece], operator: str, domains: Sequence[str]) -> list[str]:
    """The domains that no `operator` of the query itself names."""
    texts = [text for piece in parts if piece.kind == "operator" for text in piece.parts or (piece.text.strip("()"),)]
    said = {re.sub(r"[/?#].*", "", text.lower()) for text in texts}
    return [domain for domain in domains if operator + domain not in said]


def _reserved(parts: Sequence[Piece], limit: QueryLimit) -> _Room:
    """What is left of `limit` beside the operators of a query and half a limit's worth of its other pieces."""
    room, half = _Room(limit), _Room(limit, 2)
    for piece in sorted(parts, key=_rank):
        if piece.kind != "operator" and not half.takes(piece.text):
            break
        if piece.kind != "operator":
            half.take(piece.text)
        room.take(piece.text)
    return room


def sites(domains: Sequence[str]) -> str:
    """The operator for any of `domains`."""
    joined = " OR ".join(f"site:{domain}" for domain in domains)
    return f"({joined})" if len(domains) > 1 else joined


class _Room:
    """What is left of a limit."""

    def __init__(self, limit: QueryLimit, part: int = 1) -> None:
        self.characters = (limit.characters or MOST) // part
        self.words = (limit.words or MOST) // part
        self.bytes = (limit.bytes or MOST) // part
        self._begun = False

    def takes(self, text: str, *, blank: bool | None = None) -> bool:
        """Whether `text` fits, and a blank before it unless it is the first."""
        more = self._begun if blank is None else blank
        return (
            len(text) + more <= self.characters
            and len(text.split()) <= self.words
            and len(text.encode(errors="surrogatepass")) + more <= self.bytes
        )

    def take(self, text: str) -> None:
        """Use up the room that `text` needs."""
        if not text:
            return
        self.characters -= len(text) + self._begun
        self.words -= len(text.split())
        self.bytes -= len(text.encode(errors="surrogatepass")) + self._begun
        self._begun = True


def _within(parts: Sequence[Piece], limit: QueryLimit, ours: Sequence[str]) -> str:
    """The pieces that fit beside `ours`, in their order."""
    room = _Room(limit)
    for operator in ours:
        room.take(operator)
    whole = together(parts)
    if room.takes(whole):
        return whole
    kept = _chosen([_even(piece) for piece in parts], room)
    if not kept:
        return sound(_unquoted(parts, room))
    return sound(" ".join(text for _, text in sorted(kept.items())))


def _chosen(parts: Sequence[Piece], room: _Room) -> dict[int, str]:
    """The texts that are kept, by the place of their piece; what matters most is chosen first."""
    kept: dict[int, str] = {}
    for at in sorted(range(len(parts)), key=lambda at: (_rank(parts[at]), at)):
        piece = parts[at]
        if not piece.text:
            continue
        if room.takes(piece.text):
            text = piece.text
        elif piece.kind == "word":
            text = _shortened(piece.text, room)
        else:
            text = _fewer(piece, room)
        if text:
            room.take(text)
            kept[at] = text
        if piece.kind == "word" and text != piece.text and any(parts[other].kind != "operator" for other in kept):
            break
    return kept


def _rank(piece: Piece) -> int:
    if piece.kind == "operator":
        return 0 if SITE.match(piece.text) else 2 if piece.text.startswith("-") else 1
    return {"group": 3, "field": 3, "phrase": 4, "word": 5}[piece.kind]


def _even(piece: Piece) -> Piece:
    """`piece` with no quote left open."""
    if piece.kind == "word":
        return msgspec.structs.replace(piece, text=piece.text.translate(_STRAY))
    if piece.text.count('"') % 2:
        return msgspec.structs.replace(piece, text=piece.text.replace('"', ""), parts=())
    return piece


def _fewer(piece: Piece, room: _Room) -> str:
    """The first alternatives of a chain, as many as fit; empty where it is none."""
    opening, closing = ("(", ")") if piece.text.startswith("(") else ("", "")
    for count in range(min(len(piece.parts), 64) - 1, 0, -1):
        alternatives = " OR ".join(piece.parts[:count])
        text = f"{opening}{alternatives}{closing}" if count > 1 else alternatives
        if text.count('"') % 2 == 0 and room.takes(text):
            return text
    return ""


def _shortened(word: str, room: _Room) -> str:
    """The beginning of a CJK run that fits, no letter or word in it torn; empty where `word` is no such run."""
    if not _CJK.search(word):
        return ""
    low = _fits(word, room)
    while 0 < low < len(word) and _joined(word[low - 1], word[low]):
        low -= 1
    return word[:low]


def _fits(word: str, room: _Room) -> int:
    """How many characters of `word` fit."""
    low, high = 0, min(len(word), max(0, room.characters))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if room.takes(word[:middle]) else (low, middle - 1)
    return low


def _joined(before: str, after: str) -> bool:
    """Whether a cut between the two would tear a letter, or a word that is not CJK."""
    if unicodedata.category(after).startswith("M") or "\u200d" in (before, after):
        return True
    return not (_CJK.match(before) or _CJK.match(after)) and before.isalnum() and after.isalnum()


def _unquoted(parts: Sequence[Piece], room: _Room) -> str:
    """What fits of the first piece without its quotes: words, or where not even one fits, its beginning."""
    words = next((words for piece in parts if (words := piece.text.translate(_STRAY).split())), [])
    kept: list[str] = []
    for word in words:
        if not room.takes(word):
            break
        room.take(word)
        kept.append(word)
    return " ".join(kept) or "".join(word[: _fits(word, room)] for word in words[:1])
