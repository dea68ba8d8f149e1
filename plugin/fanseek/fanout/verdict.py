"""What the outcomes of a search amount to: its status, and its notes and errors for finding nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fanseek.catalogue import account
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
    sentence = account.nothing_found(outcomes)
    missing = account.incomplete(outcomes)
    if not missing:
        return Note(kind="empty", message=sentence)
    return Note(kind="degraded", message=f"{sentence} {_reasons(missing)}.")


def could_not_search(outcomes: Sequence[Outcome]) -> str:
    """The message of a search that nobody answered."""
    return f"{account.not_made(outcomes)} {_reasons(outcomes)}"


def _reasons(outcomes: Sequence[Outcome]) -> str:
    return "; ".join(map(account.reason, outcomes))
