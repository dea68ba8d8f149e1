"""Domains as people write them, read into hosts: URLs, lists with commas, wildcards, any case, other scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import msgspec

from fanseek.contract.locale import COUNTRIES
from fanseek.errors import UsageError
from fanseek.text.hosts import bare, canonical, split_port

LONGEST = 100
"""Characters a domain may have."""

ENDINGS = frozenset(
    re.findall(
        r"\w+", "com org net edu gov mil int info biz name pro aero coop jobs mobi museum asia cat app dev uk eu arpa"
    )
)
"""Endings that may be named without `*.`, beside those of countries; a single other word is a slip."""

_SCHEME = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_SHOWN = 60


class Listed(msgspec.Struct, frozen=True):
    """The hosts of one list, in canonical form, each once; `widened` are those whose path was left out."""

    hosts: tuple[str, ...] = ()
    widened: tuple[str, ...] = ()


def listed(name: str, given: object) -> Listed:
    """The hosts that the list `given` names; blanks name none. Raises UsageError, with what can't be a domain."""
    if given is None:
        return Listed()
    if isinstance(given, str | bytes) or not isinstance(given, Sequence | set | frozenset):
        raise UsageError(f"{name} must be a list of domains")
    items = sorted(given, key=str) if isinstance(given, set | frozenset) else given
    hosts: dict[str, bool] = {}
    for item in items:
        for piece in _pieces(name, item):
            host, has_path = one(name, piece)
            hosts[host] = hosts.get(host, False) or has_path
    return Listed(tuple(hosts), tuple(host for host, has_path in hosts.items() if has_path))


def _pieces(name: str, item: object) -> Iterable[str]:
    if not isinstance(item, str):
        raise UsageError(f"{name} takes domains such as example.org, not {type(item).__name__}")
    return [piece for piece in re.split(r"[\s,;\u3001\uff0c\uff1b]+", item) if piece]


def one(name: str, piece: str) -> tuple[str, bool]:
    """The host that `piece` names, and whether a path was left out. Raises UsageError."""
    scheme = _SCHEME.match(piece)
    authority, slash, path = piece[scheme.end() if scheme else 0 :].partition("/")
    host = _host(authority.partition("?")[0].partition("#")[0])
    if host is None:
        shown = piece if len(piece) <= _SHOWN and piece.isprintable() else f"{ascii(piece[:_SHOWN])[1:-1]}…"
        raise UsageError(f"{name}: {shown!r} is no domain; give domains such as example.org, or endings such as *.gov")
    return host, bool(slash and path)


def _host(authority: str) -> str | None:
    """The canonical host of an authority, `www.` and a wildcard at its front left out."""
    place = split_port(authority)[0]
    stem = re.sub(r"\A(?:\*\.|\.)+", "", place)
    if not stem or re.search(r"[*\\\"'()<>|@:]", stem.strip("[]") if stem.startswith("[") else stem):
        return _ipv6(stem)
    host = canonical(stem)
    if host is None or len(host) > LONGEST:
        return None
    if "." not in host and not host.startswith("[") and stem == place and not is_ending(host):
        return None
    return bare(host)


def _ipv6(stem: str) -> str | None:
    return canonical(stem) if re.fullmatch(r"\[[0-9a-fA-F:.]+\]", stem) else None


def is_ending(label: str) -> bool:
    """Whether registrants share `label` as the last one of their names, such as `gov` or `cn`."""
    return label in ENDINGS or label.upper() in COUNTRIES
