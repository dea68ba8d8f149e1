"""The domains results are wished from, wherever they were said: two lists, `site`, and `site:` in the query itself."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from fanseek.contract import pieces
from fanseek.errors import UsageError
from fanseek.select.hostlist import LONGEST, listed, one
from fanseek.text.hosts import covers
from fanseek.types import Note


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Canonical hosts: only these and what is below them, and none of those. Excluded wins."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


def scope(query: str, site: object, include: object, exclude: object, most: int) -> Scope:
    """What all of them together ask for. Raises UsageError where that leaves no site at all, or a domain is none."""
    notes: list[Note] = []
    wanted = {
        "include_domains": _capped("include_domains", include, most, notes),
        "site": _site(site, notes),
        "site: in the query": typed(query, "site:"),
    }
    unwanted = _capped("exclude_domains", exclude, most, notes)
    unwanted = tuple(dict.fromkeys((*unwanted, *typed(query, "-site:"))))
    hosts, said = _common({name: hosts for name, hosts in wanted.items() if hosts})
    left = tuple(host for host in hosts if not any(covers(out, host) for out in unwanted))
    if hosts and not left:
        raise UsageError(
            f"{', '.join(hosts)} ({said}) is excluded too, so no site is left; take it from one of the two"
        )
    if len(left) < len(hosts):
        out = ", ".join(host for host in hosts if host not in left)
        notes.append(Note(kind="domains_contradict", message=f"{out} is both wished for and excluded; it was excluded"))
    return Scope(include=left, exclude=unwanted, notes=tuple(notes))


def typed(query: str, operator: str) -> tuple[str, ...]:
    """The hosts that `operator` (`site:` or `-site:`) names in `query`, but not as an alternative to other words."""
    found: list[str] = []
    for piece in pieces(query):
        parts = [part.replace("\uff1a", ":") for part in piece.parts or (piece.text.strip("()"),)]
        if piece.kind == "operator" and all(part.lower().startswith(operator) for part in parts):
            found += _hosts(part[len(operator) :] for part in parts)
    return tuple(dict.fromkeys(found))


def _hosts(written: Iterable[str]) -> list[str]:
    """The hosts among `written`; what is none is left to those who know better."""
    hosts = []
    for text in written:
        try:
            hosts.append(one("site", text.strip('"'))[0])
        except UsageError:
            return []
    return hosts


def _site(given: object, notes: list[Note]) -> tuple[str, ...]:
    if given is None:
        return ()
    if not isinstance(given, str) or len(given) > LONGEST:
        raise UsageError(f"site must be one domain of at most {LONGEST} characters, such as example.org")
    found = listed("site", [given])
    if len(found.hosts) > 1:
        raise UsageError("site takes one domain; give several in include_domains")
    notes += _widened("site", found.widened)
    return found.hosts


def _capped(name: str, given: object, most: int, notes: list[Note]) -> tuple[str, ...]:
    """The first `most` hosts of a list; what was dropped or read as less than it said is noted."""
    found = listed(name, given)
    if len(found.hosts) > most:
        dropped = ", ".join(found.hosts[most : most + 5]) + ", …" * (len(found.hosts) > most + 5)
        message = (
            f"{name}: the first {most} of {len(found.hosts)} domains were used (setting maxDomains), not {dropped}"
        )
        notes.append(Note(kind="domains_truncated", message=message))
    notes += _widened(name, [host for host in found.hosts[:most] if host in found.widened])
    return found.hosts[:most]


def _widened(name: str, hosts: Sequence[str]) -> list[Note]:
    """A note on hosts that were given with a path."""
    message = f"{name}: a path can't be asked for, so all of {', '.join(hosts)} is meant"
    return [Note(kind="domains_widened", message=message)] if hosts else []


def _common(wanted: dict[str, tuple[str, ...]]) -> tuple[tuple[str, ...], str]:
    """The hosts that every one of the lists admits, the narrower of two, and the names of the lists."""
    hosts: tuple[str, ...] = ()
    said: list[str] = []
    for name, others in wanted.items():
        both = _narrower(hosts, others) if hosts else others
        if not both:
            asked = f"{name} says {', '.join(others)}, {' and '.join(said)} {', '.join(hosts)}"
            raise UsageError(f"{asked}: no site is both; leave one out")
        hosts = both
        said.append(name)
    return hosts, " and ".join(said)


def _narrower(some: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    found = [
        one if covers(other, one) else other
        for one in some
        for other in others
        if covers(one, other) or covers(other, one)
    ]
    return tuple(dict.fromkeys(found))
