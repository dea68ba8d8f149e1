"""HTML in short texts: tags and character references (html.spec.whatwg.org, 13.2.5 and 13.5)."""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

_REFERENCE = re.compile(r"&(?:#[0-9]{1,12}|#[xX][0-9a-fA-F]{1,10}|[A-Za-z][A-Za-z0-9]{1,31});")
_HIDDEN = re.compile(
    r"<!--(?:.{0,4000}?-->|[^>]*>?)|<(script|style|template|noscript)\b[^>]*>.{0,8000}?</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_TAG = re.compile(
    r"</?[A-Za-z](?:[^<>\"']++|\"[^\"]{0,1000}+\"|'[^']{0,1000}+'){0,100}+>"  # a quoted value may hold < and >
    r"|<[A-Za-z/!?][^<>]*>"
)
_CUT_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9:-]*(?:\s[^<>]*=[^<>]*)?\Z")
_BREAK = re.compile(
    r"\A</?(?:br|p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|h[1-6]|hr|section|article|header|footer|blockquote|pre|option)"
    r"(?![A-Za-z0-9:-])",
    re.IGNORECASE,
)


def untagged(text: str) -> str:
    """`text` without its tags, comments, scripts and styles; block elements and line breaks become a line's end."""
    if "<" not in text:
        return text
    return _CUT_TAG.sub("", _TAG.sub(_parted, _HIDDEN.sub(" ", text)))


def _parted(tag: re.Match[str]) -> str:
    return "\n" if _BREAK.match(tag[0]) else ""


def resolved(text: str) -> str:
    """`text` with each character reference that ends in a semicolon resolved, once; anything else stays."""
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(reference: re.Match[str]) -> str:
    whole = reference[0]
    if whole[1] != "#":
        return html5.get(whole[1:], whole)
    point = int(whole[3:-1], 16) if whole[2] in "xX" else int(whole[2:-1])
    # a spelled-out control has to be seen as one by who removes them
    return chr(point) if point < 0x20 else unescape(whole)
