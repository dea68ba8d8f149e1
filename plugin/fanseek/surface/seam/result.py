"""A search's result as it crosses `ctx.web`, safe in the list `- [title](url) — snippet (publishedAt)` (fact 4.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from fanseek.catalogue import Lang, listed, said
from fanseek.catalogue.account import incomplete, without_results
from fanseek.errors import UsageError
from fanseek.surface.address import shown
from fanseek.surface.health import health_line
from fanseek.surface.seam.inert import inert
from fanseek.text.cjk import mostly_cjk
from fanseek.text.clean import plain
from fanseek.text.cut import EXCERPT, EXCERPT_CJK
from fanseek.text.urls import result_url
from fanseek.types import SearchResult, Source

TITLE, DATE, NOTE = 200, 40, 200
"""The most visible characters of each."""

MOST_ANSWERS = 3
MOST_NOTES = 4
MOST_NAMED = 5
"""Backends named in the sentence on those that were not heard."""

SYNTHETIC = "synthetic"
UNTOLD = frozenset({SYNTHETIC, "empty", "degraded", "sub_queries", "results_clamped"})
"""Kinds of notes that another sentence already tells, or that change nothing for the reader."""

DAYS = {"day": 10, "week": 10, "month": 7, "year": 4}
"""How many characters of an ISO moment are known, by its precision; of others all are."""


class WebSource(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """One source. What a backend did not say is left out."""

    url: str
    title: str = ""
    snippet: str = ""
    published_at: str = ""


class WebResult(msgspec.Struct, frozen=True, kw_only=True):
    """A result: `content` is a short text, `sources` are what is cited."""

    sources: tuple[WebSource, ...] = ()
    content: str = ""
    truncated: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON types, as the harness has them: `{content?, sources, truncated}`."""
        sources: list[Any] = [msgspec.to_builtins(source) for source in self.sources]
        whole = {"sources": sources, "truncated": self.truncated}
        return {"content": self.content, **whole} if self.content else whole


def web_result(
    result: SearchResult, *, max_results: int | None = None, lang: Lang = "en", telemetry: bool = True
) -> WebResult:
    """`result` with at most `max_results` sources (HF2, B8), its direct answers and what a reader must know.

    `telemetry` is the setting resultTelemetry: the line on how each backend fared.
    """
    sources = tuple(found for source in result.sources if (found := _source(source)))
    kept = sources if max_results is None else sources[: max(0, max_results)]
    return WebResult(
        sources=kept,
        content="\n".join([*_said(result, kept, lang), *([health_line(result, lang)] if telemetry else [])]),
        truncated=result.truncated or len(kept) < len(sources),
    )


def refused(problem: UsageError, lang: Lang = "en") -> WebResult:
    """A query nothing can be searched for, said instead of raised: a raise would cost its siblings (HF4)."""
    return WebResult(content=said(lang, "seam.refused", message=inert(str(problem), 2 * NOTE)))


def _source(source: Source) -> WebSource | None:
    """`source` made inert; None where its address is no page's."""
    url = result_url(source.url)
    if url is None:
        return None
    text = plain(source.snippet)
    return WebSource(
        url=shown(url),
        title=inert(source.title, TITLE),
        snippet=inert(text, EXCERPT_CJK if mostly_cjk(text[: 2 * EXCERPT]) else EXCERPT),
        published_at=_date(source),
    )


def _date(source: Source) -> str:
    """The moment as far as it is known, else what the backend said."""
    if source.published_at:
        return inert(source.published_at[: DAYS.get(source.published_precision or "", DATE)], DATE)
    return inert(source.published or "", DATE)


def _said(result: SearchResult, kept: tuple[WebSource, ...], lang: Lang) -> Iterator[str]:
    """Direct answers, what is missing, and what was done otherwise than asked; a line each."""
    if any(note.kind == SYNTHETIC for note in result.notes):
        yield said(lang, "made-up")
    for answer in result.answers[:MOST_ANSWERS]:
        limit = EXCERPT_CJK if mostly_cjk(answer.text[: 2 * EXCERPT]) else EXCERPT
        yield said(lang, "answer", backend=inert(answer.backend, DATE), text=inert(answer.text, limit))
    if not kept and not result.answers:
        yield without_results(result, lang)
    elif result.status != "ok" and (missing := incomplete(result.outcomes)):
        names = [f"{inert(one.backend, DATE)} ({said(lang, f'status.{one.status}')})" for one in missing]
        more = ["…"] if len(names) > MOST_NAMED else []
        numbers = {"missing": len(missing), "all": len(result.outcomes)}
        yield said(lang, "seam.partial", names=listed(lang, [*names[:MOST_NAMED], *more]), **numbers)
    told = [note for note in result.notes if note.kind not in UNTOLD]
    for note in told[:MOST_NOTES]:
        yield said(lang, f"note.{note.kind}", message=inert(note.message, NOTE))
