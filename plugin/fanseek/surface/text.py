"""A search result as text for a model or a person. Whatever came from outside stands on one line and is inert."""

from __future__ import annotations

import re

from fanseek.errors import UsageError
from fanseek.surface.address import shown
from fanseek.surface.health import health_line
from fanseek.surface.verdict import reasons, short, without_results
from fanseek.text.clean import plain
from fanseek.text.cut import cut, excerpt
from fanseek.types import Answer, Found, SearchResult, Source

TITLE, DATE = 200, 40
ISO_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:")
SYNTHETIC = "synthetic"
"""Kind of the note that marks results made up by the sandbox."""

SAID = frozenset({SYNTHETIC, "empty", "degraded"})
"""Kinds of notes that the head or the sentence in place of results already says."""

MADE_UP = "[SYNTHETIC: these results were made up by the sandbox; no search engine was asked.]"
GAP = "\n\n"


def render(
    result: SearchResult,
    *,
    max_chars: int | None = None,
    telemetry: bool = True,
    synthetic: bool = False,
) -> str:
    """Notice, numbered results, remarks and the health line; at most `max_chars` characters, cut between results.

    Raises UsageError when `max_chars` is not positive.
    """
    if max_chars is not None and max_chars < 1:
        raise UsageError("max_chars must be at least 1")
    made_up = synthetic or any(note.kind == SYNTHETIC for note in result.notes)
    head = f"{MADE_UP}\n[{result.notice}]" if made_up else f"[{result.notice}]"
    body = [_answer(answer) for answer in result.answers]
    body += [_source(number, source) for number, source in enumerate(result.sources, start=1)]
    body = body or [without_results(result)]
    tail = [line for line in (_remarks(result), health_line(result) if telemetry else "") if line]
    whole = GAP.join([head, *body, *tail])
    if max_chars is None or len(whole) <= max_chars:
        return whole
    return _cut(head, body, tail, max_chars)


def _cut(head: str, body: list[str], tail: list[str], room: int) -> str:
    """As many parts of `body` as fit beside the health line; without that line only where not even one part fits."""
    for least, endings in ((1, (tail, tail[-1:])), (0, ([],))):
        for kept in range(len(body), least - 1, -1):
            for ending in endings:
                text = GAP.join([head, *body[:kept], _left_out(len(body), kept, room), *ending])
                if len(text) <= room:
                    return text
    return cut(head, room)


def _left_out(parts: int, kept: int, room: int) -> str:
    what = f"{parts - kept} of {parts} results are" if kept < parts else "remarks are"
    return f"[cut to {room} characters: {what} not shown]"


def _source(number: int, source: Source) -> str:
    title = cut(plain(source.title), TITLE) or plain(source.domain) or shown(source.url)
    dated = f"{title} ({_date(source.published)})" if source.published else title
    lines = [f"{number}. {dated}", shown(source.url), excerpt(plain(source.snippet)), _found_by(source.found_by)]
    return "\n   ".join(line for line in lines if line)


def _date(published: str) -> str:
    """The day of an ISO timestamp; anything else as the backend gave it."""
    text = plain(published)
    return text[:10] if ISO_TIMESTAMP.match(text) else cut(text, DATE)


def _found_by(found: tuple[Found, ...]) -> str:
    names = ", ".join(plain(name) for name in dict.fromkeys(one.backend for one in found))
    families = len({one.family for one in found})
    return f"found by: {names} ({families} {'family' if families == 1 else 'families'})"


def _answer(answer: Answer) -> str:
    lines = [f"Answer of {plain(answer.backend)}: {excerpt(plain(answer.text))}", *map(shown, answer.citations)]
    return "\n   ".join(lines)


def _remarks(result: SearchResult) -> str:
    """What failed and what could not be done as asked, one line each."""
    notes = [
        f"{plain(note.backend)}: {short(note.message)}" if note.backend else short(note.message)
        for note in result.notes
        if note.kind not in SAID
    ]
    return "\n".join(f"- {line}" for line in [*reasons(result.outcomes), *notes])
