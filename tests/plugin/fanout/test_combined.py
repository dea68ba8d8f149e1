"""E9: one outcome for each backend, in however many variants it was asked."""

from __future__ import annotations

from typing import Any

from fanseek.fanout.call import Answered
from fanseek.fanout.combined import combined
from fanseek.types import Attempt, Outcome, SearchRequest

REQUESTS = tuple(SearchRequest(query=query) for query in ("sftp vs rsync", "sftp", "rsync"))


def answered(variant: int, status: Any, backend: str = "a", **more: Any) -> Answered:
    return Answered(outcome=Outcome(backend=backend, status=status, **more), variant=variant)


def one(*answers: Answered) -> Outcome:
    (outcome,) = combined(answers, REQUESTS)
    return outcome


def test_a_single_variant_is_its_own_outcome():
    for status in ("ok", "empty", "timeout"):
        only = answered(0, status, hits=3, ms=5.0, message="m")
        assert one(only) is only.outcome


def test_hits_are_summed_and_the_slowest_sets_the_time():
    got = one(answered(0, "ok", hits=3, ms=5.0), answered(2, "empty", ms=9.0), answered(1, "ok", hits=4, ms=7.0))
    assert (got.status, got.hits, got.ms, got.message) == ("ok", 7, 9.0, "")


def test_all_empty_is_empty_and_any_partial_is_partial():
    assert one(answered(0, "empty"), answered(1, "empty")).status == "empty"
    assert one(answered(0, "empty"), answered(1, "ok", hits=1)).status == "ok"
    assert one(answered(0, "ok", hits=1), answered(1, "partial", hits=1)).status == "partial"


def test_a_failing_variant_makes_the_outcome_partial_and_is_named():
    failed = answered(1, "timeout", message="timed out", retryable=True, code="TIMEOUT", retry_after_s=7.0)
    got = one(answered(0, "ok", hits=2), failed, answered(2, "late", message="too late"))
    assert (got.status, got.hits, got.code, got.retryable, got.retry_after_s) == ("partial", 2, "", False, 7.0)
    assert got.message == 'the part "sftp" failed (timeout): timed out; the part "rsync" failed (late): too late'
    whole = one(answered(0, "server", message="broken"), answered(1, "ok", hits=2))
    assert whole.message == "the whole query failed (server): broken"


def test_all_failed_is_the_failure_of_the_query_itself():
    got = one(answered(1, "server", message="b"), answered(0, "timeout", message="a", code="TIMEOUT"))
    assert (got.status, got.message, got.code) == ("timeout", "a", "TIMEOUT")


def test_warnings_and_attempts_are_kept_once():
    attempt = Attempt(origin="https://x.test", status="network")
    got = one(
        answered(0, "ok", warnings=("w",), attempts=(attempt,)),
        answered(1, "ok", warnings=("w", "v"), attempts=(attempt,)),
    )
    assert (got.warnings, got.attempts) == (("w", "v"), (attempt,))


def test_every_backend_has_one():
    answers = [answered(variant, "ok", backend=name, hits=1) for variant in range(3) for name in ("b", "a")]
    assert [(outcome.backend, outcome.hits) for outcome in combined(answers, REQUESTS)] == [("a", 3), ("b", 3)]
