"""The same page of a manual in another release: on one site, alike but for the version in its address and title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fanseek.merge.editions import Edition, edition
from fanseek.merge.group import Group, gathered
from fanseek.merge.lists import lines, words
from fanseek.text.canonical import host_of

_NEWS_TITLE = re.compile("|".join(map(re.escape, lines("release_news_titles"))))
_COUNTED = words("counted") | {"第"}
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_ASKED = re.compile(r"(?<![\w.])v?\d+(?:\.(?:\d+|x))+|(?<![\w.])v\d+(?![\w.])")


def releases_of(groups: Sequence[Group], query: str) -> list[Group]:
    """`groups` (best first) with the releases of one page as one, but for those of which `query` names one."""
    works: dict[str, list[tuple[Group, Edition]]] = {}
    for group in groups:
        found = edition(group.key)
        works.setdefault(found.work, []).append((group, found))
    marks: dict[int, object] = {}
    for name, work in works.items():
        if len(work) > 1 and any(found.versions for _, found in work) and not _is_named(query, work):
            marks |= {number: (name, said) for number, said in _marked(work).items()}
    return gathered(groups, lambda group: marks.get(id(group), id(group)), "release") if marks else list(groups)


def _is_named(query: str, work: Sequence[tuple[Group, Edition]]) -> bool:
    """Whether `query` names a version at all, or one of these by a number or a name."""
    from fanseek.text.words import units

    return bool(_ASKED.search(query.casefold())) or not _names(work).isdisjoint(units(query))


def _names(work: Iterable[tuple[Group, Edition]]) -> frozenset[str]:
    """What of a query would name one of the versions: itself or how it begins."""
    parts = (version.split(".") for _, found in work for version in found.versions)
    return frozenset(".".join(part[:length]) for part in parts for length in range(1, len(part) + 1))


def _marked(work: Sequence[tuple[Group, Edition]]) -> dict[int, tuple[str, ...]]:
    """What the title of each page says beside its version. A page without a title is like the others if they agree."""
    said = {
        id(group): _unversioned_title(group.head.title, host_of(group.key), found.versions)
        for group, found in work
        if group.head.titled and not _NEWS_TITLE.search(group.head.title.casefold())
    }
    titles = set(said.values())
    if len(titles) < 2:
        said |= {id(group): next(iter(titles), ()) for group, _ in work if not group.head.titled}
    return said


def _unversioned_title(title: str, host: str, versions: tuple[str, ...]) -> tuple[str, ...]:
    """The units of a title without the numbers that can be of a version its address names, and count nothing else."""
    from fanseek.merge.headline import core
    from fanseek.text.words import units

    found = units(core(title, host))
    if any(version[0].isdigit() for version in versions):
        released = {unit for unit in found if any(_is_of(unit, version) for version in versions)}
    else:
        released = set(filter(_NUMBER.fullmatch, found))
    return tuple(
        unit for before, unit in zip(("", *found), found, strict=False) if unit not in released or before in _COUNTED
    )


def _is_of(unit: str, version: str) -> bool:
    """Whether a number in a title is `version`, or the same more or less exactly."""
    return _NUMBER.fullmatch(unit) is not None and (
        f"{unit}.".startswith(f"{version}.") or f"{version}.".startswith(f"{unit}.")
    )
