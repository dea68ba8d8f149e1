"""Exa's answers as text: records of a search, fetched pages. Grammar: exa-mcp-server, read 2026-11-30."""

from __future__ import annotations

import re
from collections.abc import Sequence

from fanseek.contract import Hit, Parsed, words

TITLE = re.compile(r"Title:[ \t]*(.*)")
URL = re.compile(r"URL:[ \t]*(https?://\S+)[ \t]*", re.IGNORECASE)
DETAIL = re.compile(r"(Published|Author|Highlights|Text):[ \t]*(.*)")


def records(lines: Sequence[str]) -> list[Hit]:
    """Records of the text form: one begins at a title, address and detail line in a row, and nowhere else.

    Where no line is a detail, a title and an address in a row must do.
    """
    detailed = any(DETAIL.match(line) for line in lines)
    heads = [at for at in range(len(lines) - 1) if _is_head(lines, at, detailed=detailed)]
    return [_record(lines[at:end]) for at, end in zip(heads, [*heads[1:], len(lines)], strict=False)]


def _is_head(lines: Sequence[str], at: int, *, detailed: bool) -> bool:
    if not (TITLE.match(lines[at]) and URL.fullmatch(lines[at + 1])):
        return False
    return not detailed or (at + 2 < len(lines) and DETAIL.match(lines[at + 2]) is not None)


def _record(lines: Sequence[str]) -> Hit:
    title, url = TITLE.match(lines[0]), URL.match(lines[1])
    details: dict[str, str] = {}
    for at, line in enumerate(lines[2:], start=2):
        detail = DETAIL.match(line)
        if detail is None or detail[1] in details:
            break
        details[detail[1]] = detail[2]
        if detail[1] in ("Highlights", "Text"):
            details[detail[1]] = "\n".join([detail[2], *lines[at + 1 :]])
            break
    excerpt = re.sub(r"(?:\s|\n---)*\Z", "", details.get("Highlights") or details.get("Text") or "")
    return Hit(
        url=url[1] if url else "",
        title=words(title[1]) if title else None,
        snippet=words(excerpt),
        published=words(details.get("Published")),
        author=words(details.get("Author")),
    )


PAGE_DETAIL = re.compile(r"(Published|Author):[ \t]*(.*)")
NOT_FETCHED = re.compile(r"Error fetching \S+: [A-Z_]+\s*")


def pages(lines: Sequence[str]) -> Parsed:
    """Fetched pages: a heading and its address in a row begin one; a line each for those that failed."""
    heads = [
        at for at in range(len(lines) - 1) if lines[at].startswith("# ") and URL.fullmatch(lines[at + 1]) is not None
    ]
    failed = sum(NOT_FETCHED.fullmatch(line) is not None for line in lines)
    found = [_page(lines[at:end]) for at, end in zip(heads, [*heads[1:], len(lines)], strict=False)]
    return Parsed(hits=tuple(found), failed=failed)


def _page(lines: Sequence[str]) -> Hit:
    url = URL.match(lines[1])
    details = {found[1]: found[2] for line in lines[2:4] if (found := PAGE_DETAIL.match(line))}
    body = [line for line in lines[2 + len(details) :] if not NOT_FETCHED.fullmatch(line)]
    return Hit(
        url=url[1] if url else "",
        title=words(lines[0].removeprefix("# ")),
        snippet=words("\n".join(body)),
        published=words(details.get("Published")),
        author=words(details.get("Author")),
    )
