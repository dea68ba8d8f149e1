"""Numbers in words, in Roman, Chinese and Korean numerals, as digits."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    "percent": "%",
    "mn": "million",
    "bn": "billion",
    "tn": "trillion",
}
_PART = re.compile(r"\b(part|chapter|volume|vol|season|episode|book|act|phase|step|level|war)\.? (i|v|x)\b")
_PART_VALUES = {"i": "1", "v": "5", "x": "10"}

_HAN = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2}
_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_NUMBER = f"[{''.join([*_HAN, *_SCALES])}]+"
_COUNTED = (
    "年月日号期季集章节回部卷篇届岁条款项大個个名位种步天周週时時点分秒人口家只头隻匹件冊册本枚台辆座间軒轮輪场場次遍趟倍割代歳才つヶヵ箇"
    "万萬亿億兆円圆元块米公里度"
)
_ORDINAL = re.compile(f"(?<=第){_HAN_NUMBER}|{_HAN_NUMBER}(?=[{_COUNTED}])|(?<=[はをで巡る])十(?=の)")

_NATIVE = {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
_NATIVE |= {f"열{unit}": 10 + value for unit, value in _NATIVE.items() if value < 10} | {"첫": 1, "스무": 20}
_SINO = {char: value for value, char in enumerate("영일이삼사오육칠팔구")}
_SINO_SCALES = {"십": 10, "백": 100, "천": 1000}
_NATIVE_COUNT = re.compile(
    rf"(?<![가-힣])({'|'.join(sorted(_NATIVE, key=len, reverse=True))}) ?"
    "(?=번째|가지|개월|개(?![가-힣])|명|마리|권|곳|대(?![가-힣])|살|시간|달|골목|차례|사람|편|장(?![가-힣])|그루|잔|배|나라|도시)"
)
_SINO_COUNT = re.compile(
    r"(?<![가-힣])([일이삼사오육칠팔구십백천]*[십백천][일이삼사오육칠팔구]?) ?(?=만|억|조|원|년|명|개)"
)

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
    text = _NATIVE_COUNT.sub(lambda found: str(_NATIVE[found[1]]), text)
    text = _SINO_COUNT.sub(lambda found: str(_placed(found[1], _SINO, _SINO_SCALES)), text)
    return _ORDINAL.sub(lambda found: str(_value(found[0])), text)


def _value(numeral: str) -> int | str:
    """The value of a Chinese numeral, in places (二十一) or digit by digit (二〇二四)."""
    if not _SCALES.keys() & set(numeral):
        return "".join(str(_HAN[char]) for char in numeral)
    return _placed(numeral, _HAN, _SCALES)


def _placed(numeral: str, digits: Mapping[str, int], scales: Mapping[str, int]) -> int:
    """The value of a numeral written in places."""
    total, digit = 0, 0
    for char in numeral:
        if char in scales:
            total += (digit or 1) * scales[char]
            digit = 0
        else:
            digit = digits[char]
    return total + digit
