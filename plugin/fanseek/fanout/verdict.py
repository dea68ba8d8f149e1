"""What the outcomes of a search amount to: its status, its notes, and the words for finding nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fanseek.types import HEARD, Note, Outcome

Verdict = Literal["ok", "partial", "error"]


def verdict(outcomes: Sequence[Outcome]) -> Verdict:
    """`ok` when all answered, partial when some did, error when none did."""
    heard = [outcome.status in HEARD for outcome in outcomes]
    if not any(heard):
        return "error"
    return "ok" if all(heard) else "partial"


def nothing_found(outcomes: Sequence[Outcome]) -> Note:
    """The note of a search that some or all backends answered and that found nothing."""
    heard = [outcome.backend for outcome in outcomes if outcome.status in HEARD]
    missing = [outcome for outcome in outcomes if outcome.status not in HEARD]
    agree = f"{', '.join(heard)} answered and found nothing"
    if not missing:
        return Note(kind="empty", message=f"No results: {agree}.")
    return Note(
        kind="degraded",
        message=f"No results, but the search is incomplete: {agree}; not heard: {reasons(missing)}. "
        "There may be results that these would have found; try again later.",
    )


def could_not_search(outcomes: Sequence[Outcome]) -> str:
    """The message of a search that nobody answered."""
    return f"The search could not be made: no backend answered. {reasons(outcomes)}"


def reasons(outcomes: Sequence[Outcome]) -> str:
    """Each backend with its status and message, and when it may be asked again."""
    return "; ".join(map(_reason, outcomes))


def _reason(outcome: Outcome) -> str:
    again = ""
    if outcome.retry_after_s and outcome.status != "skipped":
        again = f" (asked again in {max(1, round(outcome.retry_after_s))} s)"
    said = f": {outcome.message}" if outcome.message else ""
    return f"{outcome.backend} ({outcome.status}){said}{again}"
