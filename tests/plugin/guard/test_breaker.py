"""The breaker over searches, processes and settings."""

from __future__ import annotations

import sqlite3

import anyio
import pytest

from fanseek.errors import POLICIES
from fanseek.guard.breaker import Breaker
from fanseek.guard.circuit import Rules
from fanseek.state.sqlite import BUSY_S, SqliteStore
from fanseek.state.store import MemoryStore
from fanseek.telemetry import BreakerClosed, BreakerOpened, Telemetry


class Moment:
    """A clock that is set by hand."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Moment()


def breaker(clock, store=None, **more) -> Breaker:
    return Breaker(store or MemoryStore(), clock=clock, **more)


def call(it: Breaker, status: str, key: str = "x", retry_after: float | None = None) -> None:
    it.record(it.begin(key), status, retry_after)


def test_m1_the_fourth_call_finds_it_open(clock):
    it = breaker(clock)
    for _ in range(3):
        assert it.state("x") == "closed"
        call(it, "timeout")
    assert it.state("x") == "open"
    assert it.rest("x") == 60
    assert it.state("y") == "closed"


def test_m5_time_alone_makes_it_half_open(clock):
    it = breaker(clock, rules=Rules(threshold=1, cooldown_s=10))
    call(it, "server")
    clock.now += 10
    assert it.state("x") == "half_open"
    call(it, "server")
    assert it.state("x") == "open"
    clock.now += 10
    call(it, "empty")
    assert it.state("x") == "closed"
    assert it.circuit("x").failures == 0


def test_hf4_four_parallel_queries_in_one_outage_count_once(clock):
    """X7: failures are counted by episode."""
    it = breaker(clock)
    admissions = [it.begin("x") for _ in range(4)]
    for admission in admissions:
        it.record(admission, "network")
    assert it.circuit("x").failures == 1


def test_parallel_probes_reopen_once(clock):
    it = breaker(clock, rules=Rules(threshold=1, cooldown_s=10))
    call(it, "timeout")
    clock.now += 11
    probes = [it.begin("x") for _ in range(3)]
    for probe in probes:
        it.record(probe, "timeout")
        clock.now += 1
    assert it.circuit("x").failures == 2
    assert it.rest("x") == 10 - 3


@pytest.mark.parametrize("status", ["late", "cancelled", "skipped", "bad-request"])
def test_d7_endings_of_our_own_making_say_nothing(clock, status):
    it = breaker(clock, rules=Rules(threshold=1))
    for _ in range(5):
        call(it, status)
    assert it.state("x") == "closed"
    assert it.circuit("x").failures == 0


def test_bc_056_a_probe_that_ends_in_any_way_or_never_leaves_nothing_behind(clock):
    telemetry = Telemetry()
    telemetry.listen(lambda _event: 1 / 0)
    it = breaker(clock, rules=Rules(threshold=1, cooldown_s=10), telemetry=telemetry)
    call(it, "server")
    for ending in ("cancelled", "late", "bad-request", None, "server", "quota"):
        clock.now += 4000
        assert it.state("x") == "half_open", ending
        probe = it.begin("x")
        if ending:
            it.record(probe, ending)
    clock.now += 4000
    call(it, "ok")
    assert it.state("x") == "closed"


def test_m4_no_cooldown_is_no_breaker(clock):
    it = breaker(clock, rules=Rules(threshold=1, cooldown_s=0))
    for kind in POLICIES:
        call(it, kind, retry_after=60)
        assert it.state("x") == "closed"


def test_switched_off_it_never_rests_anyone(clock):
    it = breaker(clock, enabled=False)
    for _ in range(9):
        call(it, "blocked")
    assert it.rest("x") == 0


def test_opening_and_closing_are_told(clock):
    events = []
    it = breaker(clock, telemetry=Telemetry(events.append))
    call(it, "rate-limit", retry_after=30)
    call(it, "rate-limit", retry_after=5)
    clock.now += 30
    call(it, "ok")
    call(it, "ok")
    assert events == [BreakerOpened(backend="x", reason="rate-limit", cooldown_s=30), BreakerClosed(backend="x")]


def test_addresses_of_a_backend_rest_apart(clock):
    it = breaker(clock)
    call(it, "blocked", "x@https://one.test")
    assert it.rest("x@https://one.test") == 900
    assert it.rest("x@https://two.test") == 0
    assert it.rest("x") == 0


async def saved(it: Breaker) -> None:
    await it.flush()


async def test_what_one_process_saw_the_next_knows(tmp_path, clock):
    first = breaker(clock, SqliteStore(tmp_path))
    for _ in range(3):
        clock.now += 1
        call(first, "timeout")
    call(first, "blocked", "y")
    await saved(first)
    second = breaker(clock, SqliteStore(tmp_path))
    await second.refresh()
    assert second.state("x") == "open"
    assert second.circuit("y").reason == "blocked"
    clock.now += 1000
    call(second, "ok")
    await saved(second)
    third = breaker(clock, SqliteStore(tmp_path))
    await third.refresh()
    assert third.circuit("x").failures == 0
    for it in (first, second, third):
        await it._store.close()


async def test_failures_of_several_processes_add_up(tmp_path, clock):
    its = [breaker(clock, SqliteStore(tmp_path)) for _ in range(3)]
    for it in its:
        clock.now += 1
        call(it, "network")
        await saved(it)
    assert its[-1].state("x") == "open"
    clock.now += 1
    await its[0].refresh()
    assert its[0].state("x") == "open"
    for it in its:
        await it._store.close()


async def test_one_outage_seen_by_several_processes_at_once_counts_once(tmp_path, clock):
    its = [breaker(clock, SqliteStore(tmp_path)) for _ in range(3)]
    admissions = [it.begin("x") for it in its]
    for it, admission in zip(its, admissions, strict=True):
        clock.now += 1
        it.record(admission, "network")
        await saved(it)
    assert its[-1].circuit("x").failures == 1
    for it in its:
        await it._store.close()


async def test_a_change_is_written_soon_by_itself(tmp_path, clock):
    it = breaker(clock, SqliteStore(tmp_path))
    async with anyio.create_task_group() as group:
        group.start_soon(it.keep_flushing)
        await it.refresh()
        for round_ in range(3):
            call(it, "blocked", f"b{round_}")
            other = breaker(clock, SqliteStore(tmp_path))
            with anyio.fail_after(10):
                while not other.rest(f"b{round_}"):
                    await anyio.sleep(0.01)
                    await other.flush()
            await other._store.close()
        group.cancel_scope.cancel()
    await it._store.close()


async def test_changed_settings_reset(tmp_path, clock):
    def under(settings: bytes) -> Breaker:
        return breaker(clock, SqliteStore(tmp_path), told=lambda key: settings + key.encode())

    first = under(b"old")
    call(first, "auth")
    call(first, "auth", "x@https://one.test")
    await saved(first)
    same = under(b"old")
    await same.refresh()
    assert same.state("x") == "open"
    changed = under(b"new")
    await changed.refresh()
    assert changed.state("x") == "closed"
    assert changed.state("x@https://one.test") == "closed"
    call(changed, "network")
    await saved(changed)
    assert changed.circuit("x").failures == 1
    for it in (first, same, changed):
        await it._store.close()


async def test_rows_that_make_no_sense_are_no_rows(tmp_path, clock):
    store = SqliteStore(tmp_path)
    await store.transact("", {"breaker/x": lambda _row: b"{broken", "breaker/y": lambda _row: b'{"until": "soon"}'})
    it = breaker(clock, store)
    await it.refresh()
    assert it.state("x") == it.state("y") == "closed"
    call(it, "blocked")
    await saved(it)
    assert it.state("x") == "open"
    await store.close()


async def test_what_happens_while_the_disk_is_read_is_not_forgotten(tmp_path, clock):
    it = breaker(clock, SqliteStore(tmp_path))
    call(it, "blocked", "early")
    async with anyio.create_task_group() as group:
        group.start_soon(it.flush)
        await anyio.lowlevel.checkpoint()
        call(it, "blocked", "meanwhile")
    assert it.rest("early") == it.rest("meanwhile") == 900
    await it._store.close()


async def test_a_write_whose_caller_gave_up_is_made_again(tmp_path, clock):
    it = breaker(clock, SqliteStore(tmp_path))
    call(it, "blocked", "before")
    await it.flush()
    call(it, "network")
    with sqlite3.connect(tmp_path / "state.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with anyio.move_on_after(0.02) as scope:
            await it.flush()
        assert scope.cancelled_caught
        await anyio.sleep(BUSY_S + 0.3)
    other.close()
    await it.flush()
    later = breaker(clock, SqliteStore(tmp_path))
    await later.refresh()
    assert later.circuit("x").failures == 1
    for each in (it, later):
        await each._store.close()


async def test_m4_no_cooldown_frees_what_an_earlier_setting_shut_out(tmp_path, clock):
    it = breaker(clock, SqliteStore(tmp_path))
    call(it, "blocked")
    await it.flush()
    free = breaker(clock, SqliteStore(tmp_path), rules=Rules(cooldown_s=0))
    await free.refresh()
    assert free.state("x") == "closed"
    assert free.rest("x") == 0
    for each in (it, free):
        await each._store.close()
