"""A search result as text for a model or a person. Whatever came from outside stands on one line and is inert."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from fanseek.catalogue import Lang, listed, said
from fanseek.catalogue.account import reasons, short, without_results
from fanseek.errors import UsageError
from fanseek.surface.address import shown
from fanseek.surface.frame import Frame
from fanseek.surface.health import health_line
from fanseek.text.canonical import key
from fanseek.text.clean import plain
from fanseek.text.cut import cut, excerpt
from fanseek.text.urls import domain
from fanseek.types import Answer, Note, SearchResult, Source

TITLE, DATE = 200, 40
MOST_COPIES = 3
ISO_TIMESTAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:")
COUNT = re.compile(r"[0-9.]{9,}")
"""A date that is a count since 1970."""

SYNTHETIC = "synthetic"
"""Kind of the note that marks results made up by the sandbox."""

SAID = frozenset({SYNTHETIC, "empty", "degraded"})
"""Kinds of notes that the head or the sentence in place of results already says."""

GAP = "\n\n"


def render(
    result: SearchResult,
    *,
    max_chars: int | None = None,
    telemetry: bool = True,
    synthetic: bool = False,
    lang: Lang = "en",
    excerpt_chars: int | None = None,
    frame: Frame | None = None,
) -> str:
    """Notice, numbered results, remarks and the health line; at most `max_chars` characters, cut between results.

    A result's text is cut to `excerpt_chars`, by itself to what a reader needs to choose. With a `frame` what others
    wrote stands inside of it, and what is ours outside.

    Raises UsageError when `max_chars` is not positive.
    """
    if max_chars is not None and max_chars < 1:
        raise UsageError("max_chars must be at least 1")
    parts = [_answer(answer, lang) for answer in result.answers]
    parts += [_source(number, source, excerpt_chars, lang) for number, source in enumerate(result.sources, start=1)]
    whole = _Whole(
        head=_head(result, synthetic=synthetic, lang=lang, frame=frame),
        parts=parts or [without_results(result, lang)],
        foreign=bool(parts),
        remarks=_remarks(result, lang),
        health=health_line(result, lang) if telemetry else "",
        frame=frame,
    )
    text = whole.text(len(whole.parts), whole.remarks)
    return text if max_chars is None or len(text) <= max_chars else _cut(whole, max_chars, lang)


class _Whole(msgspec.Struct, frozen=True, kw_only=True):
    """What a text consists of. `parts` are the results, or where there are none the sentence that says so."""

    head: str
    parts: list[str]
    foreign: bool
    remarks: str
    health: str
    frame: Frame | None

    def text(self, kept: int, remarks: str, left_out: str = "", *, health: bool = True) -> str:
        """The first `kept` parts with `remarks`; `left_out` says what is missing."""
        parts, last = self.parts[:kept], self.health if health else ""
        if self.frame is None:
            return _joined(self.head, *parts, left_out, remarks, last)
        own, foreign = ([], parts) if self.foreign else (parts, [])
        return _joined(self.head, *own, self.frame.around(_joined(*foreign, remarks)), left_out, last)


def _head(result: SearchResult, *, synthetic: bool, lang: Lang, frame: Frame | None) -> str:
    made_up = synthetic or any(note.kind == SYNTHETIC for note in result.notes)
    lines = [said(lang, "made-up")] if made_up else []
    lines.append(said(lang, "notice") if frame is None else frame.notice(lang))
    return "\n".join(f"[{line}]" for line in lines)


def _joined(*parts: str) -> str:
    return GAP.join(part for part in parts if part)


def _cut(whole: _Whole, room: int, lang: Lang) -> str:
    """As many parts as fit beside the health line; without that line only where not even one part fits."""
    for least, remarks, health in ((1, (whole.remarks, ""), True), (0, ("",), False)):
        for kept in range(len(whole.parts), least - 1, -1):
            for ending in dict.fromkeys(remarks):
                text = whole.text(kept, ending, _left_out(len(whole.parts), kept, room, lang), health=health)
                if len(text) <= room:
                    return text
    return cut(whole.head, room)


def _left_out(parts: int, kept: int, room: int, lang: Lang) -> str:
    code = "cut" if kept < parts else "cut.remarks"
    return f"[{said(lang, code, room=room, parts=parts, missing=parts - kept)}]"


def _source(number: int, source: Source, excerpt_chars: int | None, lang: Lang) -> str:
    title = cut(plain(source.title), TITLE) or plain(source.domain) or shown(source.url)
    date = _date(source, lang)
    text = plain(source.snippet)
    text = excerpt(text) if excerpt_chars is None or excerpt_chars < 1 else cut(text, excerpt_chars)
    lines = [f"{number}. {title} ({date})" if date else f"{number}. {title}", shown(source.url), text]
    return "\n   ".join(line for line in (*lines, _found_by(source, lang)) if line)


def _date(source: Source, lang: Lang) -> str:
    """The day of a timestamp; anything else as the backend gave it."""
    text = plain(source.published or "")
    if COUNT.fullmatch(text) and source.published_at:
        return source.published_at[:10]
    if text:
        return text[:10] if ISO_TIMESTAMP.match(text) else cut(text, DATE)
    return said(lang, "undated") if source.undated else ""


def _found_by(source: Source, lang: Lang) -> str:
    names = listed(lang, (plain(name) for name in dict.fromkeys(one.backend for one in source.found_by)))
    families = len({one.family for one in source.found_by})
    found = said(lang, "found-by.one" if families == 1 else "found-by", backends=names, families=families)
    return "".join([found, *_folded(source, lang)])


def _folded(source: Source, lang: Lang) -> Iterator[str]:
    """What else is one with the result: copies elsewhere by their domains, other releases by their number."""
    copies = list(dict.fromkeys(domain(member.url) for member in source.also if member.fold == "copy"))
    if copies:
        names = listed(lang, [*map(plain, copies[:MOST_COPIES]), *(["…"] if len(copies) > MOST_COPIES else [])])
        yield said(lang, "folded.copies", domains=names)
    releases = len({key(member.url) for member in source.also if member.fold == "release"})
    if releases:
        yield said(lang, "folded.release" if releases == 1 else "folded.releases", releases=releases)


def _answer(answer: Answer, lang: Lang) -> str:
    first = said(lang, "answer", backend=plain(answer.backend), text=excerpt(plain(answer.text)))
    return "\n   ".join([first, *map(shown, answer.citations)])


def _remarks(result: SearchResult, lang: Lang) -> str:
    """What failed and what could not be done as asked, one line each."""
    notes = [_note(note, lang) for note in result.notes if note.kind not in SAID]
    return "\n".join(f"- {line}" for line in [*reasons(result.outcomes, lang), *notes])


def _note(note: Note, lang: Lang) -> str:
    message = said(lang, f"note.{note.kind}", message=short(note.message))
    return said(lang, "remark", backend=plain(note.backend), message=message) if note.backend else message
