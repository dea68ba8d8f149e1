"""The words of a title in any script, for telling whether two titles say the same.

Folded away are case, width, decomposition, invisible characters, accents where they are decoration, the script of
Chinese, and digits of other scripts (Unicode Standard 3.13, 23; UAX 15). A sign of a script without spaces is a unit
of its own, and a number is one, also where it is glued to a word.
"""

from __future__ import annotations

import re
import unicodedata

from fanseek.text.cjk import bigrams
from fanseek.text.han import SIMPLIFIED
from fanseek.text.numerals import counted, spelled

_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035"
    "\u3041-\u30ff\u3105-\u318e\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U0003fffd"
)
"""Scripts written without spaces between words, and Hangul, where spaces are a matter of taste."""

_MONEY = "$\u00a2-\u00a5\u20a0-\u20cf"
_UNIT = re.compile(
    rf"\d+(?:\.\d+)+|\d+|[{_UNSPACED}]|[^\s!-@\[-`{{-~{_MONEY}{_UNSPACED}]+"
    rf"|(?<=[^\W_])[+#]+|%|[{_MONEY}]|(?<![^\s(])-(?=\d)"
)
_ALONE = re.compile(f"[{_UNSPACED}]")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_SPACED = re.compile(r"(?<![\d.])\d{1,3}(?: \d{3})+(?![\d.])")
_INITIALS = re.compile(r"(?<![\w.])(?:[a-z]\.){2,}(?:[a-z](?![a-z]))?")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_TONED = re.compile("[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]")
"""Letters of Vietnamese alone, whose accents are not decoration."""

_SAME = {
    "\u0451": "\u0435",  # Cyrillic io
    "\u0623": "\u0627", "\u0625": "\u0627", "\u0622": "\u0627", "\u0671": "\u0627",  # Arabic alef
    "\u0649": "\u064a", "\u0629": "\u0647", "\u06cc": "\u064a", "\u06a9": "\u0643",  # yeh, teh marbuta, kaf
    "\u00f8": "o", "\u0111": "d", "\u0142": "l", "\u00e6": "ae", "\u0153": "oe", "\u0131": "i", "\u00fe": "th",
    "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u2032": "'", "`": "'",
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "&": " and ",
    "\u119e": " ", "\u318d": " ",  # a Korean letter of old that stands for a middle dot
}  # fmt: skip


class _Folds(dict[int, str | None]):
    """What becomes of each code point, worked out on first sight. `toned` keeps the accents of Latin letters."""

    def __init__(self, *, toned: bool) -> None:
        self._toned = toned

    def __missing__(self, point: int) -> str | None:
        fold = _fold(chr(point), toned=self._toned)
        if len(self) < 20_000:
            self[point] = fold
        return fold


def _fold(char: str, *, toned: bool) -> str | None:
    """`char` as it counts: None for nothing, a space for what only separates."""
    if (same := _SAME.get(char) or SIMPLIFIED.get(ord(char))) is not None:
        return same
    category = unicodedata.category(char)
    if category == "Nd":
        return str(unicodedata.decimal(char))
    if category == "Cf" or (category == "Mn" and _is_decoration(char)):
        return None
    if category[0] in "LMN" or category == "Sc" or char.isascii():
        return char if toned or category[0] != "L" else _bare(char)
    return " "


def _is_decoration(mark: str) -> bool:
    """Whether a mark that stands by itself is left out in everyday writing: accents, points of Arabic and Hebrew."""
    return "\u0300" <= mark <= "\u036f" or "\u0591" <= mark <= "\u05c7" or "\u064b" <= mark <= "\u0670"


def _bare(letter: str) -> str:
    """A Latin or Greek letter without its accents; any other as it is."""
    whole = unicodedata.normalize("NFD", letter)
    return whole[0] if len(whole) > 1 and unicodedata.name(letter, "?").startswith(("LATIN", "GREEK")) else letter


_FOLDS, _FOLDS_TONED = _Folds(toned=False), _Folds(toned=True)


def units(text: str) -> tuple[str, ...]:
    """The words and numbers of `text` in order, and each sign of a script without spaces; folded."""
    text = text.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
        text = text.translate(_FOLDS_TONED if _TONED.search(text) else _FOLDS)
    else:
        text = text.replace("`", "'").replace("&", " and ")
    text = _INITIALS.sub(lambda found: found[0].replace(".", ""), _SPACED.sub(_joined, _GROUPED.sub("", text)))
    return tuple(map(spelled, _UNIT.findall(counted(_APOSTROPHE.sub("", text)))))


def _joined(number: re.Match[str]) -> str:
    return number[0].replace(" ", "")


def tokens(found: tuple[str, ...]) -> frozenset[str]:
    """The set of words in units, runs of unspaced signs as pairs of neighbours."""
    kept: set[str] = set()
    run = ""
    for unit in (*found, ""):
        if len(unit) == 1 and _ALONE.match(unit):
            run += unit
            continue
        if run:
            kept.update(bigrams(run))
            run = ""
        kept.add(unit)
    kept.discard("")
    return frozenset(kept)


def is_sign(unit: str) -> bool:
    """Whether `unit` is one sign of a script without spaces."""
    return len(unit) == 1 and _ALONE.match(unit) is not None
