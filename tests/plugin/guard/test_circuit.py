"""The breaker's state machine, event by event."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.errors import POLICIES
from fanseek.guard.circuit import CLOSED, Answered, Circuit, Failed, Rules, after, rest_of, state_of

RULES = Rules(threshold=3, cooldown_s=60)
KINDS = st.sampled_from(sorted(POLICIES))


def fail(circuit: Circuit, now: float, kind: str = "timeout", rules: Rules = RULES, **more) -> Circuit:
    return after(circuit, Failed(kind=kind, began=more.pop("began", now), now=now, **more), rules)


def failed(times: int, now: float = 0.0, kind: str = "timeout", rules: Rules = RULES) -> Circuit:
    circuit = CLOSED
    for step in range(times):
        circuit = fail(circuit, now + step, kind, rules)
    return circuit


def test_m1_opens_after_three_failures_in_a_row_for_a_minute():
    assert state_of(failed(2), 1) == "closed"
    assert state_of(failed(3), 2) == "open"
    assert rest_of(failed(3), 2) == 60
    assert state_of(failed(3), 61.9) == "open"


def test_m2_one_success_resets():
    circuit = after(failed(2), Answered(began=2, now=3), RULES)
    assert circuit == CLOSED
    assert state_of(fail(fail(circuit, 4), 5), 5) == "closed"


def test_m4_no_cooldown_never_opens():
    rules = Rules(threshold=1, cooldown_s=0)
    for kind in POLICIES:
        assert state_of(failed(10, kind=kind, rules=rules), 10) == "closed"


def test_m5_half_open_is_entered_by_time_and_one_failure_reopens():
    """X7: one state machine; time opens the half, the next call decides."""
    circuit = failed(3)
    assert state_of(circuit, 62) == "half_open"
    circuit = fail(circuit, 63)
    assert state_of(circuit, 63) == "open"
    assert rest_of(circuit, 63) == 60


def test_m5_a_probe_that_fails_in_another_way_reopens_too():
    circuit = fail(CLOSED, 0.0, "rate-limit")
    assert state_of(circuit, 61) == "half_open"
    circuit = fail(circuit, 61.0, "timeout")
    assert rest_of(circuit, 61) == 60


def test_m5_half_open_closes_on_success():
    assert after(failed(3), Answered(began=63, now=64), RULES) == CLOSED


def test_bc_054_a_failed_probe_reopens_at_once():
    rules = Rules(threshold=3, cooldown_s=10)
    circuit = failed(3, rules=rules)
    assert state_of(circuit, 12.1) == "half_open"
    circuit = fail(circuit, 12.2, rules=rules)
    assert state_of(circuit, 12.3) == "open"


def test_hf4_failures_that_began_before_the_first_was_recorded_count_once():
    circuit = CLOSED
    for end in (5.0, 5.1, 5.2, 5.3):
        circuit = fail(circuit, end, began=1.0)
    assert circuit.failures == 1
    assert fail(circuit, 7.0, began=6.0).failures == 2


@pytest.mark.parametrize(
    ("kind", "retry_after", "rest"),
    [
        ("rate-limit", None, 60),
        ("blocked", None, 900),
        ("timeout", None, 0),
        ("server", 2.0, 2),
        ("rate-limit", 30.0, 30),
        ("rate-limit", 86_400.0, 3600),
        ("rate-limit", 0.0, 1),
        ("auth", None, 3600),
        ("quota", None, 1800),
        ("network", None, 0),
        ("format", None, 0),
    ],
)
def test_bc_035_each_kind_rests_its_own_time(kind, retry_after, rest):
    circuit = fail(CLOSED, 100.0, kind, retry_after=retry_after)
    assert rest_of(circuit, 100.0) == rest
    assert circuit.reason == (kind if rest else "")


def test_a_kind_with_its_own_rest_opens_even_within_an_episode():
    circuit = fail(CLOSED, 5.0, began=1.0)
    circuit = fail(circuit, 6.0, "blocked", began=1.0)
    assert circuit.failures == 1
    assert rest_of(circuit, 6.0) == 900


def test_a_shorter_rest_never_shortens_a_longer_one():
    circuit = fail(fail(CLOSED, 0.0, "blocked"), 1.0, "rate-limit")
    assert circuit.until == 900
    assert circuit.reason == "blocked"


@pytest.mark.parametrize("circuit", [CLOSED, failed(2), failed(3)])
def test_a_bad_request_changes_nothing(circuit):
    assert fail(circuit, 5.0, "bad-request") == circuit
    assert fail(circuit, 5.0, "bad-request", retry_after=30.0) == circuit


def test_a_success_from_before_the_opening_does_not_close():
    circuit = fail(CLOSED, 5.0, "rate-limit")
    assert state_of(after(circuit, Answered(began=4.0, now=6.0), RULES), 6.0) == "open"
    assert after(circuit, Answered(began=5.5, now=6.0), RULES) == CLOSED


def test_a_clock_set_back_does_not_lock_out():
    circuit = fail(CLOSED, 1_000_000.0, "auth")
    assert state_of(circuit, 1_000.0) == "closed"
    assert fail(circuit, 1_000.0).failures == 1


@pytest.mark.parametrize("broken", [math.nan, math.inf, -math.inf])
def test_times_that_are_no_numbers_do_not_lock_out(broken):
    assert state_of(Circuit(failures=3, counted_at=0, opened_at=0, until=broken), 5.0) == "closed"
    assert state_of(Circuit(failures=3, counted_at=broken, opened_at=0, until=9.0), 5.0) == "closed"
    assert fail(failed(2), broken, began=5.0) == failed(2)


def test_a_clock_without_a_number_locks_nobody_out():
    assert state_of(failed(3), math.nan) != "open"


def test_failures_of_long_ago_do_not_count():
    assert fail(failed(2), 200_000.0).failures == 1


EVENTS = st.lists(
    st.tuples(
        st.one_of(st.none(), KINDS),
        st.floats(-1e9, 1e9),
        st.floats(0, 100),
        st.one_of(st.none(), st.floats(0, 1e9)),
        st.booleans(),
    ),
    max_size=30,
)


@given(EVENTS, st.integers(1, 100), st.floats(0, 86_400))
def test_whatever_happens_nothing_is_shut_out_for_longer_than_its_rest(events, threshold, cooldown):
    """BC-056: no ending, clock jump or order of events leaves a backend shut out for ever."""
    rules = Rules(threshold=threshold, cooldown_s=cooldown)
    longest = max(3600.0, cooldown)
    circuit = CLOSED
    for kind, now, took, retry_after, counts in events:
        event = (
            Answered(began=now - took, now=now)
            if kind is None
            else Failed(kind=kind, began=now - took, now=now, retry_after=retry_after, counts=counts)
        )
        circuit = after(circuit, event, rules)
        assert rest_of(circuit, now) <= longest + 1
        assert state_of(circuit, now + longest + 2) != "open"
        assert state_of(circuit, now - 10**7) != "open" or circuit.opened_at <= now - 10**7 + 1
