"""The URL a backend gave, made safe to hand out and otherwise byte for byte as it came."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, unquote

from fanseek.text.canonical import trimmed
from fanseek.text.clean import plain
from fanseek.text.hosts import bare, canonical, shown, split_port

LONGEST = 8192
"""Characters a URL may have; longer ones are no addresses of pages."""

_PARTS = re.compile(r"(https?:)?//([^/?#]*)(.*)", re.IGNORECASE | re.DOTALL)
_UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffd"


def result_url(raw: object, base: str | None = None) -> str | None:
    """`raw` as a URL that may be shown and fetched, or None when it is not one.

    http and https only; userinfo is removed; what can't be seen in it is percent-encoded; `//host/…` takes the
    scheme of an https `base`.
    """
    if not isinstance(raw, str) or len(raw) > LONGEST:
        return None
    parts = _PARTS.fullmatch(trimmed(raw))
    if parts is None:
        return None
    scheme, authority, rest = parts.groups()
    if not scheme:
        if not (base or "").lower().startswith("https://"):
            return None
        scheme = "https:"
    place = authority.rpartition("@")[2]
    if "\\" in authority or not _is_place(place):
        return None
    url = f"{scheme}//{place}{_seen(rest)}"
    return url if len(url) <= LONGEST else None


def domain(url: str) -> str:
    """The host of `url` as shown to people, without `www.` (E14); empty when it has none."""
    parts = _PARTS.fullmatch(trimmed(url))
    host = canonical(split_port(parts[2])[0]) if parts else None
    return shown(bare(host)) if host else ""


def readable(url: str) -> str:
    """Host and path of `url` as words, for a result that came without a title."""
    path = _PARTS.fullmatch(trimmed(url))
    rest = re.split("[?#]", path[3])[0].rstrip("/") if path else ""
    return plain(domain(url) + unquote(rest)) or plain(url)


def _is_place(place: str) -> bool:
    """Whether `place` is a host and perhaps a port, hiding nothing."""
    host, port = split_port(place)
    if len(port) > 5 or int(port or 0) > 65535:
        return False
    text = unquote(host)
    return canonical(host) is not None and plain(text) == unicodedata.normalize("NFC", text)


def _seen(rest: str) -> str:
    if rest.isascii() and rest.isprintable() and " " not in rest:
        return rest
    return "".join(quote(char) if _is_unseen(char) else char for char in rest)


def _is_unseen(char: str) -> bool:
    return char == " " or not char.isprintable() or char in _UNSEEN
