"""URLs as they are shown: the address is the backend's own, what would break a rendered list is percent-encoded."""

from __future__ import annotations

import re
from urllib.parse import quote

_BREAKING = frozenset('()<>[]{}"`\\|')
"""Delimiters of Markdown, HTML and tables that would end a link early."""

_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")


def shown(url: str) -> str:
    """`url` with spaces, delimiters, control, bidi and invisible characters percent-encoded.

    It leads to the same place: before the query a backslash is what browsers read it as, a slash.
    """
    path, mark, rest = _before_query(url)
    url = path.replace("\\", "/") + mark + rest
    found = _AUTHORITY.match(url)
    host = found[0] if found else ""
    return "".join(one if one in "[]" else _encoded(one) for one in host) + "".join(map(_encoded, url[len(host) :]))


def _before_query(url: str) -> tuple[str, str, str]:
    at = next((at for at, character in enumerate(url) if character in "?#"), len(url))
    return url[:at], url[at : at + 1], url[at + 1 :]


def _encoded(character: str) -> str:
    if character in _BREAKING or not character.isprintable() or character.isspace():
        return quote(character, safe="", errors="replace")
    return character
