"""A query without what nobody typed: control characters, terminal escapes, invisible marks, odd and doubled blanks."""

from __future__ import annotations

import re

from fanseek.contract import folded
from fanseek.text.clean import ESCAPES

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]"
)
"""Controls that are no blanks, and characters that show nothing. Joiners stay: they change letters."""

_BLANKS = re.compile(r"[\s\x1c-\x1f]")


def spelled(query: str) -> str:
    """`query` in characters that can be sent, with ordinary blanks: single ones, but inside quotes as many as given."""
    whole = query.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")
    if whole.isascii() and whole.isprintable() and "  " not in whole:
        return whole.strip()
    return folded(_INVISIBLE.sub("", _BLANKS.sub(" ", ESCAPES.sub("", whole)))).strip()
