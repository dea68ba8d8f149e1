"""The canonical key of a URL: equal for two spellings of one page. Never shown, never fetched.

RFC 3986 (6.2, comparison), url.spec.whatwg.org. Scheme, `www.`, a slash at the end, tracking parameters and plain
fragments are not identity; letter case of the path, unknown parameters and `#!` and `#/` routes are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import blake2b
from urllib.parse import quote, unquote

from fanseek.text.hosts import bare, canonical, split_port
from fanseek.text.tracking import is_tracking

_CLEAN = re.compile(
    r"https?://(?:www\.(?=[^/]*\.))*+((?:[a-z0-9-]{1,63}\.)*+[a-z][a-z0-9-]{0,62})"
    r"((?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*+)*+)/?"
)
_PARTS = re.compile(r"(?:(https?):)?//([^/?#\\]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.IGNORECASE | re.DOTALL)
_DEFAULT_PORTS = {"http": "80", "https": "443", "": ""}
_ROOTS = frozenset({"!", "/", "!/"})
_TEXT_DIRECTIVE = ":~:"
_ESCAPED_AND = re.compile(r"(\A|&)(?:amp;)+", re.IGNORECASE)
"""A separator copied out of HTML as it stood there; no parameter is named so."""

_SESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")

_FREE = r"A-Za-z0-9._~!'()*,:@$\-"
"""Characters that mean the same raw and percent-encoded everywhere behind the host; they are kept raw."""

_ODD_QUERY = re.compile(rf"[^{_FREE}/?=&[\]]")

_EDGES = "".join(map(chr, range(0x21))) + "\ufeff\u200b\u2060\xa0\u3000"
_INNER = {ord(char): None for char in "\t\n\r"}


class _Spelling:
    """How one part of a URL is spelled: free characters raw, those of `kept` as they came, all else as UTF-8 in %XX."""

    def __init__(self, free: str, kept: str) -> None:
        self._odd = re.compile(rf"((?:%[0-9A-Fa-f]{{2}})+)|[^{free}{kept}%]+|%")
        codes = (f"%{point:02X}" for point in range(0x80) if re.match(f"[{free}]", chr(point)))
        self._needless = re.compile("|".join(codes))

    def __call__(self, text: str) -> str:
        return self._odd.sub(self._spelled, text)

    def _spelled(self, odd: re.Match[str]) -> str:
        if not odd[1]:
            return quote(odd[0], safe="")
        return self._needless.sub(lambda code: chr(int(code[0][1:], 16)), odd[1].upper())


_path = _Spelling(_FREE, "/;=&+")
_name = _Spelling(_FREE + r"/?[\]", ";")
_value = _Spelling(_FREE + r"/?=[\]", ";")
_fragment = _Spelling(_FREE + r"/?[\]", ";=&+")


@lru_cache(maxsize=4096)
def key(url: str) -> str:
    """The canonical key of `url`; of what is no http(s) URL, the trimmed text. Idempotent, never raises."""
    if (clean := _CLEAN.fullmatch(url)) is not None and len(url) < 2048:
        return f"//{clean[1]}{clean[2] or '/'}"
    text = trimmed(url)
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return text
    scheme, authority, path, query, fragment = parts.groups(default="")
    return f"//{_place(scheme.lower(), authority)}{_resource(path)}{_query(query) if query else ''}{_route(fragment)}"


def source_id(canonical_key: str) -> str:
    """Eight characters that name a result: the same on every machine, in every run (X24)."""
    from base64 import b32encode

    return b32encode(blake2b(canonical_key.encode("utf-8", "surrogatepass"), digest_size=5).digest()).decode().lower()


def host_of(canonical_key: str) -> str:
    """The host in a canonical key, without port and `www.`; empty when it is not the key of a URL."""
    parts = _PARTS.fullmatch(canonical_key)
    return split_port(parts[2])[0] if parts else ""


def has_tracking(url: str) -> bool:
    """Whether the query of `url` holds a parameter that only tracks."""
    query = url.partition("#")[0].partition("?")[2]
    return any(_tracks(field) for field in re.split("[&;]", query))


def unescaped(query: str) -> str:
    """`query` with its separators as they are outside of HTML."""
    return _ESCAPED_AND.sub(r"\1", query) if ";" in query else query


def trimmed(url: str) -> str:
    """`url` as it was meant: no controls or spaces of any kind around it, no tabs or line ends in it."""
    if _SURROGATE.search(url):
        url = url.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")
    url = url.strip(_EDGES)
    return url if url.isprintable() else url.translate(_INNER)


def _place(scheme: str, authority: str) -> str:
    host, port = split_port(authority)
    known = canonical(host)
    name = quote(unquote(host).lower(), safe="") if known is None else bare(known)
    port = port.lstrip("0") or port[:1]
    return f"{name}:{port}" if port and port != _DEFAULT_PORTS[scheme] else name


def _resource(path: str) -> str:
    path = _path(path.replace("\\", "/"))
    if ";" in path:
        path = _SESSION.sub("", path)
    if "/." in path:
        path = _undotted(path)
    return path.rstrip("/") or "/"


def _undotted(path: str) -> str:
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/" + "/".join(kept)


def _query(query: str) -> str:
    query = unescaped(query)
    read = _field if _ODD_QUERY.search(query) else _plain_field
    fields = [field for piece in query.split("&") if piece and (field := read(piece))]
    fields.sort(key=_name_of)
    return "?" + "&".join(map("".join, fields)) if fields else ""


def _plain_field(piece: str) -> tuple[str, str] | None:
    name, equals, value = piece.partition("=")
    return None if is_tracking(name) else (name, equals + value)


def _field(piece: str) -> tuple[str, str] | None:
    """Name and `=value` of one parameter in their one spelling, or None when it only tracks."""
    if ";" in piece:
        piece = ";".join(part for part in piece.split(";") if "=" not in part or not _tracks(part))
    name, equals, value = piece.replace("+", "%20").partition("=")
    name = _name(name)
    return None if not piece or is_tracking(name) else (name, equals + _value(value))


def _name_of(field: tuple[str, str]) -> str:
    return field[0]


def _tracks(field: str) -> bool:
    return is_tracking(unquote(field.partition("=")[0]))


def _route(fragment: str) -> str:
    """`#` and the route of a page that has its routes in the fragment; empty for an anchor or a root."""
    route = _fragment(fragment).partition(_TEXT_DIRECTIVE)[0]
    return "#" + route if route.startswith(("!", "/")) and route not in _ROOTS else ""
