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
    heard = ", ".join(outcome.backend for outcome in outcomes if outcome.status in HEARD)
    missing = [outcome for outcome in outcomes if outcome.status not in HEARD]
    if not missing:
        return Note(kind="empty", message=f"{agreement(outcomes)} ({heard}).")
    return Note(
        kind="degraded",
        message=f"Nothing was found, but the search was degraded: {heard} answered without a result; not heard: "
        f"{reasons(missing)}. There may be results that these would have found; {when(missing)}.",
    )


def agreement(outcomes: Sequence[Outcome]) -> str:
    """What it means that every one of `outcomes` answered and there is no result."""
    count = len(outcomes)
    who = f"{count} backends" if count != 1 else "1 backend"
    if any(outcome.hits for outcome in outcomes):
        return f"No results: what {who} found was left out, as the search had asked"
    return f"{who} agree: no results" if count != 1 else f"{who} answered: no results"


def when(missing: Sequence[Outcome]) -> str:
    """When those who were not heard are worth asking again."""
    rests = [outcome.retry_after_s for outcome in missing if outcome.retry_after_s]
    return f"try again in {seconds(min(rests))}" if rests else "try again later"


def seconds(rest: float) -> str:
    """A rest in words, never nought."""
    return f"{max(1, round(rest))} s"


def could_not_search(outcomes: Sequence[Outcome]) -> str:
    """The message of a search that nobody answered."""
    return f"The search could not be made: no backend answered. {reasons(outcomes)}"


def reasons(outcomes: Sequence[Outcome]) -> str:
    """Each backend with its status and message, and when it may be asked again."""
    return "; ".join(map(_reason, outcomes))


def _reason(outcome: Outcome) -> str:
    again = ""
    if outcome.retry_after_s and outcome.status != "skipped":
        again = f" (asked again in {seconds(outcome.retry_after_s)})"
    said = f": {outcome.message}" if outcome.message else ""
    return f"{outcome.backend} ({outcome.status}){said}{again}"
