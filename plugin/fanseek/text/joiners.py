"""Characters that show nothing themselves and are lawful only beside certain others: joiners, selectors, tags.

UTS 51 (emoji sequences), UTS 37 (ideographic variants), Unicode Standard 23.2 (joiners) and 9.2, 12.1 (scripts).
"""

from __future__ import annotations

import re

_PICTURE = (
    "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_IDEOGRAPH = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
_VIRAMA = (
    "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u1039\u103a\u17d2\U00011046\U000110b9"
)
_JOINING = (
    "\u0600-\u07ff\u0840-\u085f\u0860-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\u1b00-\u1bbf\ua840-\ua87f"
    "\ua8e0-\ua8ff\ufb50-\ufdff\ufe70-\ufefc\U00010a00-\U00010aff\U00011000-\U000116cf\U0001e900-\U0001e95f"
)
_TAGS = "\U000e0000-\U000e007f"

_SPECIAL = re.compile("[\u180b-\u180d\u180f\u200c\u200d\ufe00-\ufe0f\U000e0000-\U000e0fff]")
_FLAG = "\U0001f3f4(?:{})\U000e007f".format(
    "|".join("".join(chr(0xE0000 + ord(letter)) for letter in region) for region in ("gbeng", "gbsct", "gbwls"))
)
_TAG = re.compile(f"({_FLAG})|[{_TAGS}]+")
_SELECTOR = re.compile(
    f"(?<=[{_PICTURE}])([\ufe0e\ufe0f])"
    "|(?<=[#*0-9])(\ufe0f)(?=\u20e3)"
    f"|(?<=[{_IDEOGRAPH}])([\ufe00-\ufe02\U000e0100-\U000e01ef])"
    "|(?<=[\u2200-\u22ff\u2a00-\u2aff])(\ufe00)"
    "|(?<=[\u1800-\u18af])([\u180b-\u180d\u180f])"
    "|[\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0080-\U000e0fff]"
)
_JOINER = re.compile(
    f"(?<=[{_PICTURE}\ufe0f\U000e007f])(\u200d)\u200d*(?=[{_PICTURE}])"
    f"|(?<=[{_VIRAMA}])([\u200c\u200d])[\u200c\u200d]*"
    f"|(?<=[{_JOINING}])([\u200c\u200d])[\u200c\u200d]*(?=[{_JOINING}])"
    "|[\u200c\u200d]+"
)


def in_context(text: str) -> str:
    """`text` keeping of these characters only those that change what is seen, one at a place.

    Joiners stay in emoji and in joined scripts, selectors behind what they select a form of, tags in the three
    flags that are made of them.
    """
    if not _SPECIAL.search(text):
        return text
    return _JOINER.sub(_kept, _SELECTOR.sub(_kept, _TAG.sub(_kept, text)))


def _kept(found: re.Match[str]) -> str:
    return found[found.lastindex] if found.lastindex else ""
