"""A search's end in plain sentences: nothing found, found but degraded, not made at all. The three never sound alike.

Whatever came from outside stands on one line and is inert.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fanseek.catalogue import Lang, said
from fanseek.text.clean import plain
from fanseek.text.cut import cut
from fanseek.types import HEARD, Outcome, SearchResult, Status

MESSAGE = 300
"""The most characters one message is shown with."""

OURS: frozenset[Status] = frozenset({"rate-limit", "blocked", "timeout", "network", "server"})
"""Failures that a restricted network or address may be behind; a bad key or an odd format is not among them."""


def without_results(result: SearchResult, lang: Lang = "en") -> str:
    """The sentence that stands where results would."""
    if result.status == "error":
        return not_made(result.outcomes, lang)
    return nothing_found(result.outcomes, lang)


def nothing_found(outcomes: Sequence[Outcome], lang: Lang = "en") -> str:
    """The sentence of a search that some or all backends answered and that found nothing."""
    if missing := incomplete(outcomes):
        return said(lang, "degraded", missing=len(missing), all=len(outcomes), when=_when(missing, lang))
    if any(outcome.hits for outcome in outcomes):
        return said(lang, "empty.left-out")
    return said(lang, "empty.one" if len(outcomes) == 1 else "empty", number=len(outcomes))


def incomplete(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those that were not heard; where all were, those whose message says for which part of the query they were not."""
    every = list(outcomes)
    unheard = [outcome for outcome in every if outcome.status not in HEARD]
    return unheard or [outcome for outcome in every if outcome.status == "partial" and outcome.message]


def _when(missing: Iterable[Outcome], lang: Lang) -> str:
    """When those who were not heard are worth asking again."""
    rests = [outcome.retry_after_s for outcome in missing if outcome.retry_after_s]
    return said(lang, "when.in", wait=span(min(rests), lang)) if rests else said(lang, "when.later")


def not_made(outcomes: Sequence[Outcome], lang: Lang = "en") -> str:
    """The sentence of a search that nobody answered; it tells a network in the way from ordinary failures."""
    if unreachable(outcomes):
        return said(lang, "not-made.unreachable")
    if all_rest(outcomes):
        return said(lang, "not-made.resting")
    return said(lang, "not-made")


def unreachable(outcomes: Iterable[Outcome]) -> bool:
    """Whether nothing that was asked could be reached at all."""
    asked = [outcome for outcome in outcomes if outcome.status != "skipped"]
    return bool(asked) and all(outcome.status == "network" for outcome in asked)


def all_rest(outcomes: Iterable[Outcome]) -> bool:
    """Whether all that were asked are now left alone, for reasons that the network may be behind."""
    asked = [outcome for outcome in outcomes if outcome.status != "skipped"]
    return bool(asked) and all(outcome.retry_after_s and outcome.status in OURS for outcome in asked)


def reasons(outcomes: Iterable[Outcome], lang: Lang = "en") -> list[str]:
    """Why each backend that gave less than it could did so, one line each."""
    lines = []
    for outcome in outcomes:
        if outcome.status not in ("ok", "empty") and (outcome.message or outcome.status != "skipped"):
            lines.append(reason(outcome, lang))
        lines.extend(
            said(lang, "remark", backend=plain(outcome.backend), message=short(warning)) for warning in outcome.warnings
        )
    return lines


def reason(outcome: Outcome, lang: Lang = "en") -> str:
    """One backend's failure: its name, the kind in words, what it said, and when it is asked again."""
    backend, kind = plain(outcome.backend), said(lang, f"status.{outcome.status}")
    code = "reason.detail" if outcome.message else "reason"
    whole = said(lang, code, backend=backend, kind=kind, message=short(outcome.message))
    if not outcome.retry_after_s or outcome.status == "skipped":
        return whole
    wait, other = span(outcome.retry_after_s, lang), plain(outcome.suggested_engine)
    return said(lang, "again.meanwhile" if other else "again", reason=whole, wait=wait, other=other)


def span(seconds: float, lang: Lang = "en") -> str:
    """A length of time in the unit a person would use."""
    if seconds < 120:
        return said(lang, "span.s", number=max(1, round(seconds)))
    if seconds < 7200:
        return said(lang, "span.min", number=round(seconds / 60))
    return said(lang, "span.h", number=round(seconds / 3600))


def short(text: str) -> str:
    """A message as one safe line of bounded length."""
    return cut(plain(text), MESSAGE)
