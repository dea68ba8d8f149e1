"""A search in plain sentences: nothing found, found but degraded, not made at all. The three never sound alike."""

from __future__ import annotations

from collections.abc import Iterable

from fanseek.fanout.verdict import agreement, seconds, when
from fanseek.text.clean import plain
from fanseek.text.cut import cut
from fanseek.types import HEARD, Outcome, SearchResult

MESSAGE = 300
"""The most characters one message is shown with."""

NOT_MADE = "The search could not be made: every backend that was asked has failed."


def without_results(result: SearchResult) -> str:
    """The sentence that stands where results would."""
    if result.status == "error":
        return NOT_MADE
    if result.status == "ok":
        return f"{agreement(result.outcomes)}."
    unheard = [outcome for outcome in result.outcomes if outcome.status not in HEARD]
    return (
        f"Nothing was found, but the search was degraded: {len(unheard)} of {len(result.outcomes)} backends failed or "
        f"were not heard, so this does not mean that there is nothing; {when(unheard)}."
    )


def reasons(outcomes: Iterable[Outcome]) -> list[str]:
    """Why each backend that gave less than it could did so, one line each."""
    lines = []
    for outcome in outcomes:
        if outcome.status not in ("ok", "empty") and (outcome.message or outcome.status != "skipped"):
            lines.append(reason(outcome))
        lines.extend(f"{plain(outcome.backend)}: {short(warning)}" for warning in outcome.warnings)
    return lines


def reason(outcome: Outcome) -> str:
    """One backend's failure: its name, the kind, and what it said."""
    parts = [plain(outcome.backend), outcome.status, *([short(outcome.message)] if outcome.message else [])]
    rest = outcome.retry_after_s if outcome.status != "skipped" else None
    return ": ".join(parts) + (f" (asked again in {seconds(rest)})" if rest else "")


def unreachable(result: SearchResult) -> bool:
    """Whether nothing that was asked could be reached at all."""
    asked = [outcome for outcome in result.outcomes if outcome.status != "skipped"]
    return bool(asked) and all(outcome.status == "network" for outcome in asked)


def short(text: str) -> str:
    """A message as one safe line of bounded length."""
    return cut(plain(text), MESSAGE)
