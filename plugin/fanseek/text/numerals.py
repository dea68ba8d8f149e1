"""Numbers in words, in Roman and in Chinese numerals, as digits."""

from __future__ import annotations

import re
from functools import lru_cache

_WORDS = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_ROMAN = {
    "ii": 2, "iii": 3, "iv": 4, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "xi": 11, "xii": 12, "xiii": 13, "xiv": 14,
    "xv": 15, "xvi": 16, "xvii": 17, "xviii": 18, "xix": 19,
}  # fmt: skip
_SPELLED = {word: str(value) for word, value in (_WORDS | _ROMAN).items()} | {
    "mn": "million",
    "bn": "billion",
    "tn": "trillion",
}
_PART = re.compile(r"\b(part|chapter|volume|vol|season|episode|book|act|phase|step|level|war)\.? (i|v|x)\b")
_PART_VALUES = {"i": "1", "v": "5", "x": "10"}

_HAN = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_NUMBER = f"[{''.join([*_HAN, *_SCALES])}]+"
_ORDINAL = re.compile(f"(?<=第){_HAN_NUMBER}|{_HAN_NUMBER}(?=[年月日号期季集章节回部卷篇届岁条款项大個个名位种步])")

_ENDINGS = (("isation", "ization"), ("ise", "ize"), ("ising", "izing"), ("ised", "ized"), ("our", "or"), ("tre", "ter"))
_LONG = 6
"""Letters a word must have for its British ending to be told from a short word that only looks so."""


@lru_cache(maxsize=8192)
def spelled(unit: str) -> str:
    """A unit in its one spelling: a number in digits, without leading zeros; an English word the American way."""
    if unit.isdigit():
        return unit.lstrip("0") or "0"
    if unit in _SPELLED:
        return _SPELLED[unit]
    if len(unit) >= _LONG and unit.isascii():
        for british, american in _ENDINGS:
            if unit.endswith(british):
                return unit.removesuffix(british) + american
    return unit


def counted(text: str) -> str:
    """`text` (folded) with Chinese ordinals and counts in digits, and the Roman number of a part."""
    if text.isascii():
        return _PART.sub(lambda found: f"{found[1]} {_PART_VALUES[found[2]]}", text)
    return _ORDINAL.sub(lambda found: str(_value(found[0])), text)


def _value(numeral: str) -> int | str:
    """The value of a Chinese numeral, in places (二十一) or digit by digit (二〇二四)."""
    if not _SCALES.keys() & set(numeral):
        return "".join(str(_HAN[char]) for char in numeral)
    total, digit = 0, 0
    for char in numeral:
        if char in _SCALES:
            total += (digit or 1) * _SCALES[char]
            digit = 0
        else:
            digit = _HAN[char]
    return total + digit
