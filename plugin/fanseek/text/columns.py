"""Text laid out in the columns of a terminal, where CJK characters take two."""

# ruff: noqa: RUF001 - CJK punctuation is meant

from __future__ import annotations

import re
import unicodedata

_WIDE = "\u1100-\u115f\u2e80-\u303e\u3041-\u4dbf\u4e00-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\uffe0-\uffe6"
_CLOSING = "，。、；：！？）」』》〉】〕”’…)"
_OPENING = "（「『《〈【〔“‘("
_PIECE = re.compile(rf"\s+|[{_OPENING}]*[^\s{_WIDE}]+[{_CLOSING}]*|[{_OPENING}]*[{_WIDE}][{_CLOSING}]*")


def width(text: str) -> int:
    """How many columns `text` takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fitted(text: str, columns: int) -> str:
    """The beginning of `text` that fits into `columns`."""
    taken = 0
    for at, character in enumerate(text):
        taken += _columns(character)
        if taken > columns:
            return text[:at]
    return text


def padded(text: str, columns: int) -> str:
    """`text` with spaces behind it up to `columns`."""
    return text + " " * (columns - width(text))


def wrapped(text: str, columns: int, *, hang: int = 0) -> list[str]:
    """`text` in lines of at most `columns`, all but the first indented by `hang`.

    Lines break at spaces and between CJK characters, never before a closing mark; what has no such place stays whole.
    """
    lines, line = [], ""
    for piece in _PIECE.findall(text):
        if line.strip() and width(line) + width(piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = " " * hang + piece.lstrip()
        else:
            line += piece
    return [*lines, line.rstrip()]
