"""Which fault plays on which request."""

from __future__ import annotations

import statistics

import pytest

from fanseek.errors import UsageError
from fanseek.sandbox.faults import Captcha, Hang, Http, Latency, McpSessionLoss, RateLimit
from fanseek.sandbox.schedule import Faults


@pytest.fixture
def faults():
    return Faults({"one": (), "two": ("maintenance",)}, seed=1)


def played(faults, count, backend="one"):
    return [faults.turn(backend, is_call=True).fault for _ in range(count)]


def test_nothing_armed_nothing_plays(faults):
    assert not faults.any("one")
    assert played(faults, 3) == [None, None, None]


def test_after_and_times_choose_requests_by_number(faults):
    faults.set("one", Hang(after=2, times=1))
    assert played(faults, 5) == [None, None, Hang(after=2, times=1), None, None]


def test_the_first_that_hits_is_played(faults):
    faults.set("one", Http(status=500, times=2), Http(status=404))
    assert [one.status for one in played(faults, 4)] == [500, 500, 404, 404]


def test_set_replaces_add_adds_clear_ends(faults):
    faults.set("one", "hang")
    faults.set("one", "rate-limit", retry_after="7")
    assert played(faults, 1) == [RateLimit(retry_after="7")]
    faults.set("one")
    faults.add("two", "maintenance")
    assert faults.armed().keys() == {"two"}
    faults.set("*", Captcha())
    assert faults.armed() == {"one": [Captcha()], "two": [Captcha()]}
    faults.clear()
    assert faults.armed() == {}


@pytest.mark.parametrize(("backend", "fault"), [("three", "hang"), ("one", "maintenance"), ("one", "hung")])
def test_unknown_names_are_refused(faults, backend, fault):
    with pytest.raises(UsageError):
        faults.set(backend, fault)


def test_share_hits_about_that_many_and_the_same_ones_again(faults):
    faults.set("one", Hang(share=0.25))
    first = played(faults, 400)
    assert 60 < sum(one is not None for one in first) < 140
    again = Faults({"one": ()}, seed=1)
    again.set("one", Hang(share=0.25))
    assert played(again, 400) == first
    other = Faults({"one": ()}, seed=2)
    other.set("one", Hang(share=0.25))
    assert played(other, 400) != first


def test_faults_of_calls_spare_the_protocols_own_talk(faults):
    faults.set("one", McpSessionLoss())
    assert faults.turn("one", is_call=False).fault is None
    assert faults.turn("one", is_call=True).fault == McpSessionLoss()
    assert faults.turn("one", is_call=True).fault is None, "once by default"


def delays(faults, count=1000):
    return [faults.turn("one", is_call=True).delay_s for _ in range(count)]


def test_fixed_latencies_add_up_and_go_with_a_fault(faults):
    faults.set("one", Latency(ms=50), Latency(ms=20), Hang())
    turn = faults.turn("one", is_call=True)
    assert (round(turn.delay_s, 6), turn.fault) == (0.07, Hang())


def test_uniform_latency_spreads_over_its_range(faults):
    faults.set("one", Latency(ms=20, high_ms=80, shape="uniform"))
    found = delays(faults)
    assert 0.02 <= min(found) < 0.025
    assert 0.075 < max(found) <= 0.08
    assert statistics.mean(found) == pytest.approx(0.05, rel=0.05)


def test_lognormal_latency_has_its_median_and_sigma(faults):
    faults.set("one", Latency(ms=50, shape="lognormal", sigma=0.5))
    found = delays(faults, 4000)
    assert statistics.median(found) == pytest.approx(0.05, rel=0.1)
    quartiles = statistics.quantiles(found, n=100)
    assert quartiles[83] / 0.05 == pytest.approx(2.718281828**0.5, rel=0.15)
    assert max(found) > 0.15


def test_stragglers_take_their_own_time(faults):
    faults.set("one", Latency(ms=10, stragglers=0.1, straggler_ms=9000))
    found = delays(faults)
    assert set(found) == {0.01, 9.0}
    assert 60 < found.count(9.0) < 140
