"""Text of others made safe to show: no controls, escape sequences, bidi overrides or hidden characters; NFC.

Unicode Standard 23 (special areas), UTS 51 (emoji), UAX 9 (bidi), ECMA-48 (escape sequences).
"""

from __future__ import annotations

import re
import unicodedata

from fanseek.text.entities import resolved, untagged
from fanseek.text.joiners import in_context

_STRING = r"[^\x07\x1b\x90\x98\x9c-\x9f]{0,4096}"
ESCAPES = re.compile(
    rf"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]){_STRING}(?:\x07|\x1b\\|\x9c)"  # OSC, DCS, SOS, PM, APC
    r"|(?:\x1b\[|\x9b)[0-?]{0,256}[ -/]{0,16}[@-~]"  # CSI
    r"|\x1b[ -/]{1,16}[0-~]|\x1b[0-~]"  # character sets, single letters
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]")
"""Letters and marks that show nothing and, unlike the format characters, are not told by their category."""

_BREAKS = frozenset("\n\x85\u2028\u2029")
_SPACES = frozenset("\t\x0b\x0c")
_VISIBLE_FORMATS = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
"""Number and abbreviation signs that are format characters by category and yet are seen."""

_GROWING = ((0x1F000, 0x1FAFF), (0x20000, 0x3FFFD))
"""Where Unicode still adds emoji and ideographs: unassigned here may only mean newer than this Python."""


class _Fates(dict[int, int | str | None]):
    """What becomes of each code point, worked out on first sight: None drops it."""

    def __missing__(self, point: int) -> int | str | None:
        fate = _fate(point)
        if len(self) < 20_000:
            self[point] = fate
        return fate


def _fate(point: int) -> int | str | None:
    char = chr(point)
    category = unicodedata.category(char)
    if char in _BREAKS:
        return "\n"
    if category == "Zs" or char in _SPACES:
        return " "
    if category == "Cf":
        # joiners, selectors and tags are judged by what stands beside them
        return point if char in _VISIBLE_FORMATS or char in "\u200c\u200d" or 0xE0000 <= point <= 0xE007F else None
    if category == "Cn":
        return point if any(low <= point <= high for low, high in _GROWING) and point & 0xFFFE != 0xFFFE else None
    return None if category in {"Cc", "Co"} or _BLANK.match(char) else point


_FATES = _Fates()


def plain(text: str, *, html: bool = False, lines: bool = False) -> str:
    """`text` as one line that is safe to show; with `lines` its line ends stay, single ones.

    With `html` tags go first, then character references are resolved once; without, markup is data and stays.
    """
    if html:
        text = resolved(untagged(text))
    if not (text.isascii() and text.isprintable()):
        text = _visible(text)
    if not lines:
        return " ".join(text.split())
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.split("\n"))))


def _visible(text: str) -> str:
    if not text.replace("\n", " ").isprintable() or _BLANK.search(text):
        if _SURROGATE.search(text):
            text = text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")
        text = ESCAPES.sub("", text).replace("\r\n", "\n").translate(_FATES)
    return unicodedata.normalize("NFC", in_context(text))
