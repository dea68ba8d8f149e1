"""The health line: how every backend of one search fared, in one line."""

from __future__ import annotations

from fanseek.catalogue import Lang, said
from fanseek.errors import POLICIES
from fanseek.text.clean import plain
from fanseek.types import Outcome, SearchResult

LABEL = "[websearch backends]"
"""The same in every language: hosts look for it."""

MOST = 12
"""Backends on one line."""

CACHE = "[websearch cache]"


def health_line(result: SearchResult, lang: Lang = "en") -> str:
    """`[websearch backends] a ✓5ms/3 · b ✗30000ms · c ⏸cooled 42s`, in the order of the outcomes.

    A result from the cache asked nobody: `[websearch cache] cache hit, age 240s`.
    """
    if result.cached_age_s is not None:
        return f"{CACHE} {said(lang, 'health.cached', seconds=f'{result.cached_age_s:.0f}')}"
    parts = " · ".join(health(outcome, lang) for outcome in result.outcomes[:MOST])
    more = len(result.outcomes) - MOST
    rest = f" {said(lang, 'health.more', number=more)}" if more > 0 else ""
    return f"{LABEL} {parts or said(lang, 'health.none')}{rest}"


def health(outcome: Outcome, lang: Lang = "en") -> str:
    """One backend's part: hits after the slash, milliseconds before it."""
    return f"{plain(outcome.backend)} {_fate(outcome, lang)}"


def _fate(outcome: Outcome, lang: Lang) -> str:
    spent = f"{outcome.ms:.0f}ms"
    if outcome.status in ("ok", "empty"):
        return f"✓{spent}/{outcome.hits}"
    if outcome.status == "partial":
        return f"~{spent}/{outcome.hits}"
    if outcome.status == "skipped":
        wait = outcome.retry_after_s
        return (
            f"⏸{said(lang, 'health.skipped') if wait is None else said(lang, 'health.cooled', seconds=f'{wait:.0f}')}"
        )
    if outcome.status in POLICIES:
        return f"✗{spent}"
    return f"⌛{said(lang, f'health.{outcome.status}')} {spent}"
