"""The generic table from status to failure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

import pytest

from fanseek.contract import Response
from fanseek.contract.status import by_status, retry_after
from fanseek.errors import POLICIES, FailureKind, policy_of
from fanseek.types import Status

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30),
        ("Sun, 01 Mar 2026 11:59:00 GMT", 0),
        ("Sunday, 01-Mar-26 12:00:30 GMT", 30),
        ("Sun Mar  1 12:00:30 2026", 30),
        ("Sun, 01 Mar 2026 13:00:30 +0100", 30),
        ("30", 30),
        (" 1.5 ", 1.5),
        ("0", 0),
        ("86400", 86400),
        ("-5", None),
        ("inf", None),
        ("nan", None),
        ("٣", None),
        ("soon", None),
        ("", None),
        ("9" * 40, None),
        ("120, 120", 120),
        ("30, 60.5", 60.5),
        ("30, soon", None),
        ("30,", None),
        ("Sun, 01 Mar 2026 12:00:30 +99999999999999", None),
        ("Sun, 99999999999999999999 Mar 2026 12:00:30 GMT", None),
        ("Sun, 01 Mar 99999999999999999999 12:00:30 GMT", None),
        ("Sun, 01 Mar 2026 12:00:30 -2500", None),
    ],
)
def test_retry_after_as_seconds_and_in_every_date_form(value: str, seconds: float | None) -> None:
    """BC-032 and its neighbours: a header sent twice, dates of no calendar."""
    assert retry_after({"retry-after": value}, NOON) == seconds


def test_milliseconds_win() -> None:
    assert retry_after({"retry-after-ms": "1500", "retry-after": "9"}, NOON) == 1.5


def test_a_date_without_a_clock_is_unknown() -> None:
    assert retry_after({"retry-after": "Sun, 01 Mar 2026 12:00:30 GMT"}) is None


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (200, None), (204, None), (202, "blocked"), (302, "blocked"), (400, "bad-request"), (401, "auth"), (402, "quota"),
        (403, "blocked"), (404, "bad-request"), (408, "timeout"), (418, "blocked"), (422, "bad-request"), (429, "rate-limit"),
        (500, "server"), (502, "server"), (503, "server"), (504, "timeout"),
    ],
)  # fmt: skip
def test_the_table(status: int, kind: str | None) -> None:
    failure = by_status(Response(status=status, body=b"why"))
    assert (failure.kind if failure else None) == kind
    assert failure is None or str(status) in failure.message


def test_a_challenge_header_outranks_the_status() -> None:
    failure = by_status(Response(status=200, headers={"cf-mitigated": "challenge"}))
    assert failure is not None
    assert failure.kind == "blocked"


def test_a_page_is_not_quoted_in_a_message_and_a_redirect_says_so() -> None:
    page = by_status(Response(status=500, headers={"content-type": "text/html"}, body=b"<html>stack trace</html>"))
    moved = by_status(Response(status=302, headers={"location": "https://elsewhere.example/?key=x"}))
    assert page is not None and page.message == "HTTP 500"  # noqa: PT018
    assert moved is not None and "not followed" in moved.message and "elsewhere" not in moved.message  # noqa: PT018


def test_every_kind_of_failure_has_a_policy_and_a_code() -> None:
    """Q1, Q2: every failure carries a stable code; only what may pass later is retryable."""
    assert set(POLICIES) == set(get_args(FailureKind))
    codes = {
        "INVALID_ARGUMENTS", "ENGINE_NOT_FOUND", "ENGINE_ERROR", "RATE_LIMITED", "TIMEOUT", "NETWORK_ERROR", "FETCH_ERROR",
        "CHALLENGED", "PARSER_DRIFT",
    }  # fmt: skip
    assert {policy.code for policy in POLICIES.values()} <= codes
    assert {kind for kind, policy in POLICIES.items() if policy.retryable} == {
        "rate-limit", "blocked", "server", "timeout", "network", "format",
    }  # fmt: skip
    others = {"ok", "partial", "empty", "late", "cancelled", "skipped"}
    assert all(policy_of(status) is None for status in others)
    assert others | set(POLICIES) == {name for part in get_args(Status) for name in (get_args(part) or (part,))}


def test_a_challenge_rests_a_backend_longer_than_a_rate_limit_and_a_timeout_only_counts() -> None:
    """BC-035: each kind has its own length."""
    assert POLICIES["blocked"].cooldown_s > POLICIES["rate-limit"].cooldown_s > POLICIES["timeout"].cooldown_s == 0
