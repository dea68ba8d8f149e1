"""How long a key rests, and whose turn it is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fanseek.guard.bench import FORGOTTEN_S, LADDERS, Bench, Ring, cleared, ready, rest, sane, struck

T = 1e9
HOUR = 3600


def strike(ring, kind, now, *, began=None, wish_s=None):
    return struck(ring, "a", kind, began=now if began is None else began, now=now, wish_s=wish_s)


@pytest.mark.parametrize(
    ("kind", "lengths"),
    [
        ("auth", [HOUR, 6 * HOUR, 24 * HOUR, 24 * HOUR]),
        ("quota", [HOUR / 2, 6 * HOUR, 24 * HOUR, 24 * HOUR]),
        ("rate-limit", [60, 300, 900, 900]),
    ],
)
def test_n2_n3_n4_a_key_rests_longer_each_time(kind, lengths):
    ring, now = Ring(), T
    for length in lengths:
        ring = strike(ring, kind, now)
        assert rest(ring, "a", now) == length
        assert rest(ring, "a", now + length - 1) == 1
        now += length
        assert rest(ring, "a", now) == 0


@pytest.mark.parametrize(("wish", "length"), [(90, 90), (5, 5), (0, 1), (86_400, HOUR), (-1, 60), (None, 60)])
def test_n4_a_rate_limit_rests_as_long_as_the_service_wishes(wish, length):
    """BC-034: within reason."""
    assert rest(strike(Ring(), "rate-limit", T, wish_s=wish), "a", T) == length


@pytest.mark.parametrize("kind", ["auth", "quota"])
def test_a_wish_does_not_shorten_the_bench_of_a_refused_key(kind):
    assert rest(strike(Ring(), kind, T, wish_s=5), "a", T) == LADDERS[kind][0]


def test_n5_success_clears_strikes():
    ring = strike(strike(Ring(), "rate-limit", T), "rate-limit", T + 60)
    assert rest(ring, "a", T + 60) == 300
    ring = cleared(ring, "a", T + 400)
    assert ring == Ring()
    assert rest(strike(ring, "rate-limit", T + 500), "a", T + 500) == 60


def test_a_success_that_began_before_the_strike_clears_nothing():
    ring = strike(Ring(), "rate-limit", T)
    assert cleared(ring, "a", T - 1) == ring


def test_calls_in_flight_together_strike_once():
    ring = strike(Ring(), "auth", T)
    assert strike(ring, "auth", T + 2, began=T - 1) == ring


def test_another_kind_of_failure_begins_its_own_row():
    ring = strike(strike(Ring(), "rate-limit", T), "rate-limit", T + 60)
    assert rest(strike(ring, "auth", T + 400), "a", T + 400) == HOUR


def test_a_shorter_bench_never_shortens_a_longer_one():
    ring = strike(strike(Ring(), "auth", T), "rate-limit", T + 1)
    assert rest(ring, "a", T + 1) == HOUR - 1


def test_keys_are_taken_in_turn_and_those_on_the_bench_left_out():
    names = ["a", "b", "c"]
    assert [ready(Ring(turns=turns), names, T)[0] for turns in range(6)] == [0, 1, 2, 0, 1, 2]
    ring = strike(Ring(), "auth", T)
    assert [ready(Ring(turns=turns, benches=ring.benches), names, T) for turns in range(4)] == [
        [1, 2],
        [2, 1],
        [1, 2],
        [2, 1],
    ]


@settings(deadline=None)
@given(st.integers(1, 8), st.sets(st.integers(0, 7)), st.integers(0, 1000))
def test_n1_each_healthy_key_has_its_equal_share(count, benched, start):
    names = [str(number) for number in range(count)]
    benches = {str(number): Bench(kind="auth", strikes=1, at=T, until=T + 60) for number in benched}
    healthy = count - len(benched & set(range(count)))
    firsts = []
    for turns in range(start, start + healthy * 7):
        order = ready(Ring(turns=turns, benches=benches), names, T)
        assert sorted(order) == [number for number in range(count) if number not in benched]
        firsts.append(order[0])
    assert all(firsts.count(number) == 7 for number in set(firsts))
    assert len(set(firsts)) == healthy


@pytest.mark.parametrize(
    "bench",
    [
        Bench(kind="auth", strikes=1, at=T + 3600, until=T + 7200),
        Bench(kind="auth", strikes=1, at=float("nan"), until=T + 60),
        Bench(kind="auth", strikes=1, at=T, until=float("inf")),
        Bench(kind="auth", strikes=0, at=T, until=T + 60),
        Bench(kind="server", strikes=1, at=T, until=T + 60),
        Bench(kind="auth", strikes=1, at=T - 2 * FORGOTTEN_S, until=T - FORGOTTEN_S),
    ],
)
def test_a_bench_that_makes_no_sense_any_more_is_forgotten(bench):
    """A clock set back, a broken row, long ago."""
    assert sane(Ring(benches={"a": bench}, turns=-5), T) == Ring()


@pytest.mark.parametrize("kind", ["bad-request", "blocked", "server", "timeout", "network", "format"])
def test_bc_036_n6_no_other_failure_is_the_key_s(kind):
    assert kind not in LADDERS
