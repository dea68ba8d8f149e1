"""What a title itself says, without what its publisher put around it: names of sites, sections, marks of urgency."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from fanseek.merge.lists import lines
from fanseek.merge.press import is_publisher, is_section, is_worded, names_host
from fanseek.merge.vocabulary import tells_kind
from fanseek.text.entities import resolved

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
_BETWEEN = re.compile(
    r"\s+(?:[-\u2013\u2014\u2015|·•»«:~/<>]|-{2,}|:{2,})\s+|\s*[|¦丨]\s*|\s+\u2014|-{2,}|\u2014{2,}"
    rf"|(?<=[{_CJK}\d?!。」』”])\s*[_\u2013\u2014-]\s*|\s*[_\u2013\u2014-](?=[{_CJK}])|(?<=[{_CJK}?!)」』])\s*:\s*"
)
_SIGNS = re.compile("[-\u2013\u2014\u2015|¦丨·•»«:~/<>_]")
_BRACKETS = {"[": "]", "(": ")", "【": "】", "\u3014": "\u3015", "<": ">", "《": "》", "「": "」", "〈": "〉"}
_OPENING = {closing: opening for opening, closing in _BRACKETS.items()}
_TAGS = frozenset("[【\u3014")
_MARKS = frozenset(lines("marks"))
_BYLINE = re.compile(r"by [A-Z][\w.\u2019'-]+(?: [A-Z][\w.\u2019'-]+){0,3}")
_NUMBERED = re.compile(r"\d{4}\.\d{4,5}(?:v\d+)?")
"""How arXiv numbers what it keeps (info.arxiv.org/help/arxiv_identifier)."""

_TAGGED = re.compile(r"(?:\s+#(?!\d+(?:\s|$))[^\s#]+)+$")
_ELLIPSIS = re.compile(r"\s*\.{2,}$")
_LONGEST = 400
"""Characters of a title that are read."""

_MOST_CUTS = 6
_WORTH = 2
"""Words (or signs of a script without spaces) that must be left for a cut to be one."""

_LONGEST_NAME, _LONGEST_BEFORE = 48, 12
"""Signs a name may have behind a title, and before one."""


class Reading(NamedTuple):
    """One way to read a title."""

    text: str
    loose: bool = False
    """Whether a part was left out that nothing but its place shows to be a name."""
    headless: bool = False
    """Whether such a part stood before the title, where a site's own pages have marks rather than names."""


def readings(title: str, host: str = "") -> tuple[list[Reading], bool]:
    """What `title` on `host` may say, the surest first, and whether a backend cut it at its end."""
    whole = core(title, host)
    sure = _ELLIPSIS.sub("", whole) or whole
    found = {sure: Reading(sure)}
    for other in _loosely(sure):
        found.setdefault(other.text, other)
    return list(found.values()), sure != whole


def core(title: str, host: str = "") -> str:
    """`title` on `host` without names of publishers and sections at its ends and without marks of urgency."""
    text = " ".join(unicodedata.normalize("NFKC", resolved(title[:_LONGEST])).split()).replace("ーー", " ―― ")
    text = _unmarked(text, host)
    named = False
    for _ in range(_MOST_CUTS):
        cut, is_name = _shorter(text, host, named=named)
        if cut == text:
            break
        text, named = cut, named or is_name
    return _unmarked(_TAGGED.sub("", text), host)


def _shorter(text: str, host: str, *, named: bool) -> tuple[str, bool]:
    """`text` less one part at an end, and whether that part named a publisher; else as it was."""
    joints = _joints(text)
    if joints:
        head, tail = text[: joints[-1].start()], text[joints[-1].end() :]
        if _is_worth(head):
            if is_publisher(tail, host) or (_ELLIPSIS.search(head) and _may_name(tail)):
                return head, True
            if named and (is_section(tail) or _BYLINE.fullmatch(tail)):
                return head, False
        head, tail = text[: joints[0].start()], text[joints[0].end() :]
        speaks = joints[0][0].strip() == ":"
        if _is_worth(tail) and (is_worded(head) if speaks else is_publisher(head, host)):
            return tail, True
    head, colon, tail = text.partition(":")
    if colon and _is_worth(tail) and names_host(head, host):
        return tail.strip(), True
    return text, False


def _unmarked(text: str, host: str) -> str:
    """`text` without bracketed or coloned marks and names at its ends."""
    if text[:1] in _BRACKETS and (end := text.find(_BRACKETS[text[0]])) > 0 and _is_mark(text[1:end], host):
        text = text[end + 1 :].strip() or text
    if text[-1:] in _OPENING and (start := text.rfind(_OPENING[text[-1]])) > 0 and _is_mark(text[start + 1 : -1], host):
        text = text[:start].strip()
    head, colon, rest = text.partition(":")
    if colon and head.strip().casefold() in _MARKS and _is_worth(rest):
        return rest.strip()
    return text


def _is_mark(text: str, host: str) -> bool:
    mark = text.strip().casefold()
    return mark in _MARKS or _NUMBERED.fullmatch(mark) is not None or is_publisher(text.strip(), host)


def _loosely(sure: str) -> Iterator[Reading]:
    """`sure` without a part at either end, or two at its end, that may be names."""
    body, tagged = sure, False
    if sure[:1] in _TAGS:
        end = sure.find(_BRACKETS[sure[0]])
        if end > 0 and _may_name(sure[1:end]) and _is_worth(sure[end + 1 :]):
            body, tagged = sure[end + 1 :].strip(), True
            yield Reading(body, loose=True, headless=True)
    if _OPENING.get(sure[-1:]) in _TAGS:
        start = sure.rfind(_OPENING[sure[-1]])
        if start > 0 and _may_name(sure[start + 1 : -1]) and _is_worth(sure[:start]):
            yield Reading(sure[:start].strip(), loose=True)
    joints = _joints(body)
    for joint in reversed(joints[-2:]):
        tail, head = body[joint.end() :], body[: joint.start()]
        if joint[0].startswith(":") or not _may_name(tail) or not _is_worth(head):
            break
        yield Reading(head, loose=True)
    if joints and not tagged:
        head, tail = body[: joints[0].start()], body[joints[0].end() :]
        if len(head) <= _LONGEST_BEFORE and _may_name(head) and _is_worth(tail):
            yield Reading(tail, loose=True, headless=True)


def _joints(text: str) -> list[re.Match[str]]:
    """Where a name may be set apart."""
    return list(_BETWEEN.finditer(text)) if _SIGNS.search(text) else []


def _may_name(part: str) -> bool:
    """Whether `part` could be the name of a site: no number, nothing that tells one kind of page from another."""
    return 0 < len(part) <= _LONGEST_NAME and not any(map(str.isdigit, part)) and not tells_kind(part)


def _is_worth(text: str) -> bool:
    return len(re.findall(rf"[{_CJK}]|[^\W_{_CJK}]+", text)) >= _WORTH
