"""The same page of a manual in another release: on one site, alike but for the version in its address and title.

What is said about a release (notes, news, downloads), and numbered chapters and issues, is no page in a release.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from fanseek.merge.group import Group, gathered
from fanseek.merge.lists import lines, words
from fanseek.merge.mirrors import document
from fanseek.text.canonical import host_of
from fanseek.text.words import units

_PRE = r"(?:[-.]?(?:rc|alpha|beta|a|b|dev|snapshot|final|lts|ga|m|pre|post)(?:[-.]?\d+)?)*"
_DOTTED = re.compile(
    rf"(?:(?P<name>[a-z][a-z0-9_.]*?)[-_@])?[vr]?(?P<version>\d+(?:\.\d+)+(?:\.x)?|\d+\.x){_PRE}", re.ASCII
)
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
_NEWS_TITLE = re.compile("|".join(map(re.escape, lines("release_news_titles"))))
_QUERY = re.compile(r"(?:^|(?<=[?&]))(view|version|ver|v|release)=([a-z-]*)(\d+(?:\.\d+)+)(?=&|$)")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_ASKED = re.compile(r"(?<![\w.])v?\d+(?:\.(?:\d+|x))+|(?<![\w.])v\d+(?![\w.])")


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


def releases_of(groups: Sequence[Group], query: str) -> list[Group]:
    """`groups` (best first) with the releases of one page as one, but for those of which `query` names one."""
    if _ASKED.search(query.casefold()):
        return list(groups)
    asked = frozenset(units(query))
    editions = {id(group): edition(group.key) for group in groups}
    works: dict[str, list[Group]] = {}
    for group in groups:
        works.setdefault(editions[id(group)].work, []).append(group)
    marks: dict[int, tuple[str, ...]] = {}
    for work in works.values():
        versions = {version for group in work for version in editions[id(group)].versions}
        if len(work) > 1 and versions and not asked & _names(versions):
            marks |= _marked(work, editions)
    return gathered(groups, lambda group: (editions[id(group)].work, marks.get(id(group), id(group))), "release")


def _marked(work: Sequence[Group], editions: Mapping[int, Edition]) -> dict[int, tuple[str, ...]]:
    """What the title of each page says beside its version. A page without a title is like the others if they agree."""
    said = {
        id(group): _unversioned_title(group.head.title, host_of(group.key), editions[id(group)].versions)
        for group in work
        if group.head.titled and not _NEWS_TITLE.search(group.head.title.casefold())
    }
    if len(set(said.values())) == 1:
        (one,) = set(said.values())
        said |= {id(group): one for group in work if not group.head.titled}
    return said


def _unversioned_title(title: str, host: str, versions: tuple[str, ...]) -> tuple[str, ...]:
    """The units of a title without the numbers that can be of a version its address names."""
    from fanseek.merge.headline import core

    found = units(core(title, host))
    if not any(version[0].isdigit() for version in versions):
        return tuple(unit for unit in found if not _NUMBER.fullmatch(unit))
    return tuple(unit for unit in found if not any(_is_of(unit, version) for version in versions))


def _is_of(unit: str, version: str) -> bool:
    """Whether a number in a title is `version`, or the same more or less exactly."""
    return _NUMBER.fullmatch(unit) is not None and (
        f"{unit}.".startswith(f"{version}.") or f"{version}.".startswith(f"{unit}.")
    )


def _names(versions: Iterable[str]) -> frozenset[str]:
    """What of a query would name one of `versions`: itself or how it begins."""
    parts = (version.split(".") for version in versions)
    return frozenset(".".join(part[:length]) for part in parts for length in range(1, len(part) + 1))


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
        return found["version"].removesuffix(".x")
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
