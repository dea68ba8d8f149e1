"""Calls spaced to a backend's own limit."""

from __future__ import annotations

import math

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import Pace
from fanseek.guard.pacing import Arrival, Pacer, turn
from fanseek.state.sqlite import SqliteStore
from fanseek.state.store import MemoryStore


def test_a_burst_goes_at_once_then_one_each_interval():
    arrival, waits = Arrival(), []
    for _ in range(5):
        arrival, got = turn(arrival, Pace(interval_s=2, burst=3), 100.0, 60.0)
        waits.append(got.wait_s)
    assert waits == [0, 0, 0, 2, 4]


def test_a_wait_longer_than_the_patience_takes_no_turn():
    first, _ = turn(Arrival(), Pace(interval_s=10), 0.0, 60.0)
    second, got = turn(first, Pace(interval_s=10), 1.0, 5.0)
    assert not got.granted
    assert got.wait_s == 9
    assert second == first


def test_a_clock_set_back_does_not_shut_out():
    arrival, _ = turn(Arrival(), Pace(interval_s=10), 1e9, 60.0)
    _, got = turn(arrival, Pace(interval_s=10), 1e6, 1.0)
    assert got.granted
    assert got.wait_s == 0


@pytest.mark.parametrize("due", [math.nan, math.inf])
def test_a_due_time_that_is_no_number_does_not_shut_out(due):
    assert turn(Arrival(due, 0.0), Pace(interval_s=10), 5.0, 1.0)[1].granted


@given(st.lists(st.floats(0, 5), min_size=1, max_size=40), st.floats(0.1, 5), st.integers(1, 5))
def test_no_window_ever_holds_more_calls_than_the_pace_allows(gaps, interval, burst):
    arrival, now, calls = Arrival(), 1000.0, []
    for gap in gaps:
        now += gap
        arrival, got = turn(arrival, Pace(interval_s=interval, burst=burst), now, math.inf)
        calls.append(now + got.wait_s)
    for start in range(len(calls)):
        for end in range(start + burst, len(calls)):
            assert calls[end] - calls[start] >= (end - start - burst + 1) * interval - 1e-6


async def test_an_unpaced_backend_never_touches_the_store():
    store = MemoryStore()
    got = await Pacer(store, lambda: 0.0).turn("x", Pace(), 0.0)
    assert got.granted
    assert not store.rows


async def test_processes_share_one_pace(tmp_path):
    stores = [SqliteStore(tmp_path), SqliteStore(tmp_path)]
    pacers = [Pacer(store, lambda: 50.0) for store in stores]
    waits: list[float] = []

    async def call(pacer: Pacer) -> None:
        waits.extend([(await pacer.turn("x", Pace(interval_s=1), 100.0)).wait_s for _ in range(5)])

    async with anyio.create_task_group() as group:
        for pacer in pacers:
            group.start_soon(call, pacer)
    for store in stores:
        await store.close()
    assert sorted(waits) == list(range(10))


async def test_a_row_that_is_no_arrival_is_taken_for_none():
    store = MemoryStore()
    store.rows["pace/x"] = b"garbage"
    assert (await Pacer(store, lambda: 5.0).turn("x", Pace(interval_s=1), 0.0)).granted
