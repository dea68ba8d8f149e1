"""Turns and benches in a store that several engines and processes share."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from fanseek.guard.keys import Key
from fanseek.guard.rotation import Rotation
from fanseek.state.sqlite import SqliteStore
from fanseek.state.store import MemoryStore

CANARY = "sk-canary-0123456789abcdef"


def keys(*values: str) -> list[Key]:
    return [Key(value, number) for number, value in enumerate(values, 1)]


class Now:
    def __init__(self) -> None:
        self.time = 1e9

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def now():
    return Now()


async def firsts(rotation, pool, count) -> str:
    return "".join([(await rotation.turns("x", pool)).keys[0].value for _ in range(count)])


async def test_n1_the_cursor_goes_on_where_another_engine_left_it(tmp_path, now):
    pool = keys("a", "b", "c")
    order = ""
    for _ in range(4):
        store = SqliteStore(tmp_path)
        order += await firsts(Rotation(store, now), pool, 2)
        await store.close()
    assert order == "abcabcab"


def test_n1_two_processes_share_one_cursor(tmp_path):
    """Two processes × 50 requests over 5 keys use each 20 times ± 1."""
    code = f"""
import anyio, time
from pathlib import Path
from fanseek.guard.keys import Key
from fanseek.guard.rotation import Rotation
from fanseek.state.sqlite import SqliteStore

async def main():
    store = SqliteStore(Path({str(tmp_path)!r}))
    rotation = Rotation(store, time.time)
    pool = [Key(value, number) for number, value in enumerate("abcde", 1)]
    for _ in range(50):
        print((await rotation.turns("x", pool)).keys[0].value)
    await store.close()

anyio.run(main)
"""
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    used = Counter(line for one in started for line in one.communicate()[0].split())
    assert [one.returncode for one in started] == [0, 0]
    assert set(used) == set("abcde")
    assert all(19 <= count <= 21 for count in used.values()), used


async def test_n1_a_single_key_takes_no_turn(tmp_path, now):
    store = SqliteStore(tmp_path)
    rotation = Rotation(store, now)
    await rotation.turns("x", keys("a"))
    assert set(await store.transact("", {})) == {"keys"}
    await store.close()


async def test_n8_health_goes_with_the_key_and_not_with_its_place(now):
    rotation = Rotation(MemoryStore(), now)
    await rotation.struck("x", Key("b", 2), "auth", now(), None)
    for pool in (keys("a", "b", "c"), keys("b", "c", "a"), keys("c", "b"), keys("b", "a")):
        for _ in range(3):
            assert "b" not in [key.value for key in (await rotation.turns("x", pool)).keys]
    assert [key.value for key in (await rotation.turns("y", keys("b"))).keys] == ["b"]


async def test_n9_when_all_rest_the_first_to_recover_is_named(now):
    rotation = Rotation(MemoryStore(), now)
    pool = keys("a", "b", "c")
    await rotation.struck("x", pool[0], "auth", now(), None)
    await rotation.struck("x", pool[1], "rate-limit", now(), 90)
    await rotation.struck("x", pool[2], "quota", now(), None)
    turns = await rotation.turns("x", pool)
    assert (turns.keys, turns.first, turns.rest_s, turns.reason) == ((), pool[1], 90, "rate-limit")
    now.time += 90
    assert [key.value for key in (await rotation.turns("x", pool)).keys] == ["b"]


async def test_n5_a_success_clears_the_strikes(now):
    rotation = Rotation(MemoryStore(), now)
    (key,) = keys("a")
    for expected in (60, 300):
        await rotation.struck("x", key, "rate-limit", now(), None)
        assert (await rotation.turns("x", [key])).rest_s == expected
        now.time += expected
    await rotation.worked("x", key, now())
    await rotation.struck("x", key, "rate-limit", now(), None)
    assert (await rotation.turns("x", [key])).rest_s == 60


async def test_a_bench_is_seen_by_another_engine(tmp_path, now):
    one, two = SqliteStore(tmp_path), SqliteStore(tmp_path)
    first, second = Rotation(one, now), Rotation(two, now)
    pool = keys("a", "b")
    assert second.resting("x", pool).keys
    await first.struck("x", pool[0], "auth", now(), None)
    assert [key.value for key in (await second.turns("x", pool)).keys] == ["b"]
    await first.struck("x", pool[1], "auth", now(), None)
    await second.refresh()
    assert second.resting("x", pool).first == pool[0]
    await first.worked("x", pool[1], now())
    now.time += 1
    await second.refresh()
    assert [key.value for key in second.resting("x", pool).keys] == ["b"]
    await one.close()
    await two.close()


async def test_looking_writes_nothing(tmp_path, now):
    """A user without keys gets no file."""
    store = SqliteStore(tmp_path / "state")
    rotation = Rotation(store, now)
    await rotation.refresh()
    rotation.resting("x", keys("a"))
    await store.close()
    assert not (tmp_path / "state").exists()


async def test_n11_no_key_is_kept(tmp_path, now):
    store = SqliteStore(tmp_path)
    rotation = Rotation(store, now)
    pool = keys(CANARY, f"{CANARY}-two")
    await rotation.turns("x", pool)
    await rotation.struck("x", pool[0], "auth", now(), None)
    rows = await store.transact("keys/", {})
    await store.close()
    assert b"auth" in rows["keys/x"]
    assert all(CANARY.encode() not in path.read_bytes() for path in tmp_path.iterdir())


@pytest.mark.parametrize("row", [b"", b"nonsense", b"[]", b'{"turns":"x"}', b'{"benches":{"a":{}}}', b"\xff", b"null"])
async def test_a_broken_row_is_begun_anew(row, now):
    store = MemoryStore()
    store.rows["keys/x"] = row
    rotation = Rotation(store, now)
    assert len((await rotation.turns("x", keys("a", "b"))).keys) == 2
    await rotation.struck("x", Key("a", 1), "auth", now(), None)
    assert [key.value for key in (await rotation.turns("x", keys("a", "b"))).keys] == ["b"]
