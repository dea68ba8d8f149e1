"""Text cut to a length where a reader would cut it. For clean text: clean first, then cut."""

# ruff: noqa: RUF001 - CJK punctuation is meant

from __future__ import annotations

import re
import unicodedata
from itertools import takewhile

from fanseek.text.cjk import is_cjk, mostly_cjk

EXCERPT, EXCERPT_CJK = 600, 300
"""The most characters an excerpt has; CJK text says as much in half."""

ELLIPSIS = "…"

_WHOLE = re.compile(
    r"!?\[[^\[\]\n]{0,500}\]\([^()\s]{0,2000}(?:\([^()\s]{0,500}\)[^()\s]{0,2000})?(?:\s+\"[^\"\n]{0,300}\")?\)"
    r"|&(?:#[0-9]{1,12}|#[xX][0-9a-fA-F]{1,10}|[A-Za-z][A-Za-z0-9]{1,31});"
    r"|(?:https?://|www\.)[^\s<>\"“”（）「」《》，。；]+"
    r"|</?[A-Za-z][^<>]{0,500}>"
)
_SENTENCE = re.compile(r"(?:[.!?…]+[\"'”’)\]]*(?=\s)|[。！？｡]+[”’」』）]*|\n)")
_CLOSING = frozenset("，。、；：！？）」』》〉】〕”’…·ー,.;:!?)]}")
_OPENING = frozenset("（「『《〈【〔“‘([{")


def excerpt(text: str) -> str:
    """`text` cut to what one result may show of itself."""
    return cut(text, EXCERPT_CJK if mostly_cjk(text[: 2 * EXCERPT]) else EXCERPT)


def cut(text: str, limit: int) -> str:
    """`text` in at most `limit` characters, ending in an ellipsis where something was left out.

    Cut at a sentence's end if one is near, else at a word's; never inside a character as people see it, a
    character reference, a tag, a Markdown link or a URL.
    """
    if len(text) <= limit:
        return text
    if limit < 1:
        return ""
    wholes = _wholes(text, limit - 1)
    end = next((start for start, stop in wholes if start < limit - 1 < stop), limit - 1)
    if (at := _sentence_end(text, end, wholes)) is not None:
        kept = text[:at].rstrip()
        return f"{kept} {ELLIPSIS}" if kept[-1].isascii() and len(kept) + 2 <= limit else kept + ELLIPSIS
    return text[: _word_end(text, end, wholes)].rstrip().rstrip(ELLIPSIS) + ELLIPSIS


def _wholes(text: str, before: int) -> list[tuple[int, int]]:
    """Start and end of each link, reference or tag that begins before `before`."""
    return [whole.span() for whole in takewhile(lambda whole: whole.start() < before, _WHOLE.finditer(text))]


def _sentence_end(text: str, end: int, wholes: list[tuple[int, int]]) -> int | None:
    """The last end of a sentence in the last third before `end`, outside of `wholes`."""
    stops = [stop.end() for stop in _SENTENCE.finditer(text, 2 * end // 3, end + 1) if stop.end() <= end]
    return next((at for at in reversed(stops) if text[:at].strip() and not _inside(at, wholes)), None)


def _word_end(text: str, end: int, wholes: list[tuple[int, int]]) -> int:
    """The last end of a word at or before `end`; inside a word of more than half that, between two characters."""
    for at in range(end, end // 2, -1):
        if _parts(text, at) and not _inside(at, wholes):
            return at
    at = end
    while at > 0 and not _between_characters(text, at):
        at -= 1
    return at


def _inside(at: int, wholes: list[tuple[int, int]]) -> bool:
    return any(start < at < stop for start, stop in wholes)


def _parts(text: str, at: int) -> bool:
    """Whether a word ends at `at`: before a space, or between CJK characters where a line may break."""
    before, after = text[at - 1], text[at]
    if before.isspace():
        return False
    if after.isspace():
        return True
    if after in _CLOSING or before in _OPENING or not _between_characters(text, at):
        return False
    return is_cjk(before) or is_cjk(after)


def _between_characters(text: str, at: int) -> bool:
    """Whether `at` is a border of grapheme clusters (UAX 29, with what Python knows of it)."""
    before, after = text[at - 1], text[at]
    if _extends(after) or before == "\u200d" or (before == "\r" and after == "\n"):
        return False
    if unicodedata.combining(before) == 9 and unicodedata.category(after) == "Lo":
        return False
    if "\u1100" <= after <= "\u11ff" and "\u1100" <= before <= "\ud7a3" and is_cjk(before):
        return False
    if "\U0001f1e6" <= after <= "\U0001f1ff":
        run = 0
        while run < at and "\U0001f1e6" <= text[at - 1 - run] <= "\U0001f1ff":
            run += 1
        return run % 2 == 0
    return True


def _extends(char: str) -> bool:
    return (
        char in "\u200c\u200d"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or unicodedata.category(char) in {"Mn", "Me", "Mc"}
    )
