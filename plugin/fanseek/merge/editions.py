"""Which release of which page an address names: a version in the path, the host or the query of a manual's page.

What is said about a release (notes, news, downloads), and numbered chapters and issues, is no page in a release.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from fanseek.merge.lists import words
from fanseek.merge.mirrors import document

_PRE = r"(?:[-.]?(?:rc|alpha|beta|a|b|dev|snapshot|final|lts|ga|m|pre|post)(?:[-.]?\d+)?)*"
_DOTTED = re.compile(
    rf"(?:(?P<name>[a-z][a-z0-9_.]*?)[-_@])?[vr]?(?P<version>\d+(?:\.\d+)+(?:\.x)?|\d+\.x){_PRE}", re.ASCII
)
_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}", re.ASCII)
_DATE = re.compile(r"(?:19|20)\d\d\.(?:0[1-9]|1[0-2])(?:\.(?:0[1-9]|[12]\d|3[01]))?", re.ASCII)
"""A month or a day as some write it; a release only in a manual."""

_LONGEST = 64
"""Characters of a segment that can name a version."""
_PLAIN = re.compile(r"v(?P<version>\d{1,3})(?:(?:alpha|beta|rc)\d*)?")
_LABEL = re.compile(r"v(?P<version>\d{1,3}(?:-\d{1,3})*)")
_NAMED, _MANUALS = words("release_names"), words("manuals")
_HOSTED = ("readthedocs.io", "rtfd.io", "gitbook.io", "docs.rs", "hexdocs.pm")
_ANNOUNCES = frozenset({"v", "version", "versions"})
"""Segments that only say that a version follows."""
_LANGUAGE = re.compile(r"[a-z]{2}(?:-[a-z]{2,4})?")

_NEWS, _COUNTED = words("release_news"), words("counted")
_QUERY = re.compile(r"(?:^|(?<=[?&]))(view|version|ver|v|release)=([a-z-]*)(\d+(?:\.\d+)+)(?=&|$)")


class Edition(NamedTuple):
    """What a page has in common with its like in other releases, and the versions its address names."""

    work: str
    versions: tuple[str, ...] = ()


def edition(page: str) -> Edition:
    """The edition at a canonical key."""
    bare = document(page)
    place, mark, query = bare.partition("?")
    host, _, path = place.removeprefix("//").partition("/")
    segments = path.split("/")
    named = {segment.casefold() for segment in segments}
    if not named.isdisjoint(_NEWS):
        return Edition(bare)
    versions = [asked[3] for asked in _QUERY.finditer(query)]
    if versions:
        query = _QUERY.sub(r"\1=", query)
    site, own = _site(host)
    kept = _unversioned(segments, versions, manual=_is_manual(host, named))
    return Edition(f"//{site}/{'/'.join(kept)}{mark}{query}", (*own, *versions))


def _site(host: str) -> tuple[str, tuple[str, ...]]:
    """The site of `host` and the version its first label names: `v15.a.org` is `a.org`."""
    first, _, domain = host.partition(".")
    if "." in domain and (label := _LABEL.fullmatch(first)):
        return domain, (label["version"].replace("-", "."),)
    return host, ()


def _is_manual(host: str, named: AbstractSet[str]) -> bool:
    return host.partition(".")[0] in _MANUALS or host.endswith(_HOSTED) or not _MANUALS.isdisjoint(named)


def _unversioned(segments: Sequence[str], versions: list[str], *, manual: bool) -> list[str]:
    """The segments of a path without those that name a version, which is added to `versions`."""
    kept: list[str] = []
    for segment in segments:
        word = segment.casefold()
        before = kept[-1].casefold() if kept else ""
        if before in _COUNTED or not (version := _version(word, before, manual=manual)):
            kept.append(segment)
            continue
        versions.append(version)
        if (named := _DOTTED.fullmatch(word)) and named["name"]:
            kept.append(named["name"])
        elif before in _ANNOUNCES:
            kept.pop()
    return kept


def _version(word: str, before: str, *, manual: bool) -> str:
    """The version that a segment of a path names; empty when none."""
    if len(word) > _LONGEST:
        return ""
    if found := _DOTTED.fullmatch(word) or _PLAIN.fullmatch(word):
        version = found["version"].removesuffix(".x")
        return version if manual or not (_ADDRESS.fullmatch(version) or _DATE.fullmatch(version)) else ""
    if manual and word in _NAMED:
        return word
    if (
        manual
        and word.isdigit()
        and len(word) < 4
        and (not before or before in _MANUALS or _LANGUAGE.fullmatch(before))
    ):
        return word
    return ""
