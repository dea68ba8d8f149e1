"""What outcomes amount to, and in which words."""

from __future__ import annotations

import pytest

from fanseek.fanout.verdict import could_not_search, nothing_found, verdict
from fanseek.types import Outcome


def outcomes(*statuses: str) -> list[Outcome]:
    return [
        Outcome(backend=f"b{place}", status=status, message=f"why {place}") for place, status in enumerate(statuses)
    ]


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        (("ok", "partial", "empty"), "ok"),
        (("empty",), "ok"),
        (("ok", "timeout"), "partial"),
        (("empty", "late"), "partial"),
        (("ok", "skipped"), "partial"),
        (("ok", "cancelled"), "partial"),
        (("timeout", "blocked"), "error"),
        (("late", "skipped"), "error"),
        ((), "error"),
    ],
)
def test_x15_the_status_follows_from_the_outcomes(statuses, expected):
    assert verdict(outcomes(*statuses)) == expected


def test_x16_all_agree_that_there_is_nothing():
    note = nothing_found(outcomes("empty", "empty"))
    assert note.kind == "empty"
    assert note.message == "2 backends agree: no results."
    assert nothing_found(outcomes("empty")).message == "1 backend answered: no results."


def test_x16_results_that_were_all_left_out_are_no_agreement():
    found = [Outcome(backend="b0", status="ok", hits=3), Outcome(backend="b1", status="empty")]
    message = "No results: everything that was found was left out, as the search had asked."
    assert nothing_found(found).message == message


def test_x16_some_failed_and_nothing_was_found():
    """Degraded, who failed and why, and when to ask again."""
    limited = Outcome(backend="b2", status="rate-limit", message="HTTP 429", retry_after_s=29.6)
    note = nothing_found([*outcomes("empty", "timeout"), limited])
    assert note.kind == "degraded"
    assert note.message == (
        "Nothing was found, but the search was degraded: 2 of 3 backends failed or were not heard, so this does not "
        "mean that there is nothing; try again in 30 s. "
        "b1: timeout: why 1; b2: rate-limit: HTTP 429 (asked again in 30 s)."
    )
    assert "; try again later. " in nothing_found(outcomes("empty", "timeout")).message


def test_bc_025_could_not_search_is_not_nothing_found():
    message = could_not_search(outcomes("network", "rate-limit"))
    assert "could not be made" in message
    assert "no results" not in message.lower()
    assert "b0: network: why 0" in message
    assert "b1: rate-limit: why 1" in message


def test_q3_when_to_ask_again_is_said():
    outcome = Outcome(backend="b", status="rate-limit", message="HTTP 429", retry_after_s=30)
    assert "asked again in 30 s" in could_not_search([outcome])
