"""The health line: how every backend of one search fared, in one line."""

from __future__ import annotations

from fanseek.errors import POLICIES
from fanseek.text.clean import plain
from fanseek.types import Outcome, SearchResult

LABEL = "[websearch backends]"
CACHE = "[websearch cache]"


def health_line(result: SearchResult) -> str:
    """`[websearch backends] a ✓5ms/3 · b ✗30000ms · c ⏸cooled 42s`, in the order of the outcomes.

    A result from the cache asked nobody: `[websearch cache] cache hit, age 240s`.
    """
    if result.cached_age_s is not None:
        return f"{CACHE} cache hit, age {result.cached_age_s:.0f}s"
    return f"{LABEL} {' · '.join(map(health, result.outcomes)) or 'none asked'}"


def health(outcome: Outcome) -> str:
    """One backend's part: hits after the slash, milliseconds before it."""
    return f"{plain(outcome.backend)} {_fate(outcome)}"


def _fate(outcome: Outcome) -> str:
    spent = f"{outcome.ms:.0f}ms"
    if outcome.status in ("ok", "empty"):
        return f"✓{spent}/{outcome.hits}"
    if outcome.status == "partial":
        return f"~{spent}/{outcome.hits}"
    if outcome.status == "skipped":
        wait = outcome.retry_after_s
        return "⏸skipped" if wait is None else f"⏸cooled {wait:.0f}s"
    if outcome.status in POLICIES:
        return f"✗{spent}"
    return f"⌛{outcome.status} {spent}"
