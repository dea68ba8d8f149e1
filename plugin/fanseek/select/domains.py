"""Domains a caller includes or excludes: checked, compared in one form, applied to hits where a backend can't."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from fanseek.contract import Hit
from fanseek.errors import UsageError
from fanseek.types import SearchRequest


def domain(name: str, given: object) -> str:
    """`given` as a bare lower-case domain. Raises UsageError, naming the argument, for what is none."""
    if isinstance(given, str):
        bare = given.strip().lower().removeprefix("*.").strip(".")
        if bare and len(bare) <= 253 and not re.search(r"[\s/:@?#\\\"'()<>|,]", bare) and bare.isprintable():
            return bare
    raise UsageError(f"{name} takes domains such as example.org, without scheme or path")


def allowed(hits: Iterable[Hit], request: SearchRequest) -> tuple[Hit, ...]:
    """The hits under an included domain, or all when none is named, and under no excluded one."""
    if not request.include_domains and not request.exclude_domains:
        return tuple(hits)
    wanted = [_ascii(name) for name in request.include_domains]
    barred = [_ascii(name) for name in request.exclude_domains]
    return tuple(
        hit
        for hit in hits
        if (host := _host(hit.url)) is not None
        and (not wanted or any(_under(host, name) for name in wanted))
        and not any(_under(host, name) for name in barred)
    )


def _under(host: str, name: str) -> bool:
    return host == name or host.endswith("." + name)


def _host(url: str) -> str | None:
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return _ascii(host.rstrip(".")) if host else None


def _ascii(host: str) -> str:
    """`host` as it goes over the wire; itself where it has no such form."""
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return host.lower()
