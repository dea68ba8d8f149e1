"""Chinese, Japanese and Korean text: telling it, tokens for scripts without spaces, width forms folded."""

from __future__ import annotations

import re
import unicodedata

_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3041-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\uff66-\uff9d"
    "\U0001aff0-\U0001b16f\U00020000-\U0003fffd"
)
_LETTER = re.compile(f"[{_CJK}]")
_TOKEN = re.compile(f"([{_CJK}]+)|[^\\W_{_CJK}]+(?:['\u2019][^\\W_{_CJK}]+)*")
_WIDTH = re.compile("[\u3000\uff01-\uffee]+")


def is_cjk(char: str) -> bool:
    """Whether `char` is a Han, kana, bopomofo or Hangul letter."""
    return _LETTER.match(char) is not None


def mostly_cjk(text: str) -> bool:
    """Whether more than half of the letters and digits of `text` are CJK."""
    if text.isascii():
        return False
    found = len(_LETTER.findall(text))
    return 2 * found > sum(map(str.isalnum, text))


def bigrams(run: str) -> list[str]:
    """The overlapping pairs of a run of CJK letters; a single letter is itself."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def tokens(text: str) -> list[str]:
    """Words in lower case, CJK runs as bigrams, width forms folded, in order."""
    found: list[str] = []
    for token in _TOKEN.finditer(folded(text).lower()):
        found.extend(bigrams(token[1]) if token[1] else [token[0]])
    return found


def folded(text: str) -> str:
    """`text` with fullwidth Latin and halfwidth kana and Hangul in their ordinary width, all else as it was."""
    if text.isascii():
        return text
    return _WIDTH.sub(lambda forms: unicodedata.normalize("NFKC", forms[0]), text)
