"""The store on disk: shared, private, and never in the way."""

from __future__ import annotations

import logging
import os
import sqlite3
import stat
import subprocess
import sys

import anyio
import pytest

from fanseek.state.sqlite import SqliteStore
from fanseek.state.store import MemoryStore, opened


def plus_one(row: bytes | None) -> bytes:
    return str(int(row or b"0") + 1).encode()


@pytest.fixture
async def store(tmp_path):
    store = SqliteStore(tmp_path / "state")
    yield store
    await store.close()


async def test_rows_are_kept_for_the_next_process(tmp_path):
    first = SqliteStore(tmp_path)
    assert await first.transact("n", {"n": plus_one, "other": plus_one}) == {"n": b"1"}
    await first.close()
    second = SqliteStore(tmp_path)
    assert await second.transact("", {"n": plus_one}) == {"n": b"2", "other": b"1"}
    assert await second.transact("", {"n": lambda _row: None}) == {"other": b"1"}
    await second.close()


async def test_the_file_appears_with_the_first_write_and_is_private(store):
    assert await store.transact("", {}) == {}
    assert not store.path.exists()
    await store.transact("", {"n": plus_one})
    assert store.path.exists()
    if os.name == "posix":
        assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
        for file in store.path.parent.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


COUNT = """
import anyio, sys
from pathlib import Path
from fanseek.state.sqlite import SqliteStore
async def main():
    store = SqliteStore(Path(sys.argv[1]))
    for _ in range(40):
        await store.transact("", {"n": lambda row: str(int(row or b"0") + 1).encode()})
    await store.close()
    assert not store._said
anyio.run(main)
"""


def test_no_change_of_several_processes_is_lost(tmp_path):
    running = [subprocess.Popen([sys.executable, "-c", COUNT, str(tmp_path)]) for _ in range(3)]
    assert [process.wait(60) for process in running] == [0, 0, 0]
    with sqlite3.connect(tmp_path / "state.sqlite3") as reader:
        assert reader.execute("SELECT name, value FROM state").fetchall() == [("n", b"120")]
    reader.close()


async def test_a_failing_change_changes_nothing(store):
    await store.transact("", {"n": plus_one})

    def broken(_row: bytes | None) -> bytes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store.transact("", {"n": plus_one, "z": broken})
    assert await store.transact("", {}) == {"n": b"1"}


@pytest.mark.parametrize("content", [b"not a database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
async def test_a_corrupt_file_is_set_aside_and_said(tmp_path, caplog, content):
    (tmp_path / "state.sqlite3").write_bytes(content)
    store = SqliteStore(tmp_path)
    assert await store.transact("", {"n": plus_one}) == {"n": b"1"}
    await store.close()
    assert (tmp_path / "state.sqlite3.bad").read_bytes() == content
    assert "corrupt" in caplog.text
    again = SqliteStore(tmp_path)
    assert await again.transact("", {}) == {"n": b"1"}
    await again.close()


async def test_a_folder_that_can_t_be_made_costs_nothing_and_is_said_once(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    store = SqliteStore(tmp_path / "file")
    with caplog.at_level(logging.WARNING, "fanseek"):
        assert await store.transact("", {"n": plus_one}) == {"n": b"1"}
        assert await store.transact("", {"n": plus_one}) == {"n": b"2"}
    await store.close()
    assert len(caplog.records) == 1
    assert "kept in memory" in caplog.text


async def test_a_full_disk_keeps_what_was_read(store, caplog):
    await store.transact("", {"n": plus_one})
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count={pages}")
    rows = await store.transact("", {"big": lambda _row: b"x" * 100_000})
    assert len(rows["big"]) == 100_000
    assert rows["n"] == b"1"
    assert "full" in caplog.text


async def test_a_file_locked_by_another_is_used_again_when_free(store, caplog):
    await store.transact("", {"n": plus_one})
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert await store.transact("", {"n": plus_one}) == {"n": b"2"}
    other.execute("ROLLBACK")
    other.close()
    await store.transact("", {"free": plus_one})
    assert len(caplog.records) == 1
    with sqlite3.connect(store.path) as reader:
        assert ("free",) in reader.execute("SELECT name FROM state").fetchall()
    reader.close()


async def test_waiting_for_a_lock_holds_up_neither_the_loop_nor_a_cancelled_caller(store):
    await store.transact("", {"n": plus_one})
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    began = anyio.current_time()
    with anyio.move_on_after(0.01) as scope:
        await store.transact("", {"n": plus_one})
    took = anyio.current_time() - began
    other.execute("ROLLBACK")
    other.close()
    assert scope.cancelled_caught
    assert took < 0.15


async def test_values_of_another_type_are_no_rows(store):
    await store.transact("", {"n": plus_one})
    with sqlite3.connect(store.path) as other:
        other.execute("INSERT INTO state VALUES ('text', 'not bytes')")
    other.close()
    assert await store.transact("", {}) == {"n": b"1"}


async def test_without_a_folder_it_is_memory():
    store = opened(None)
    assert isinstance(store, MemoryStore)
    assert await store.transact("a", {"a": plus_one, "b": plus_one}) == {"a": b"1"}
    assert await store.transact("", {"a": lambda _row: None}) == {"b": b"1"}
    await store.close()


async def test_a_folder_means_a_file(tmp_path):
    store = opened(tmp_path)
    assert isinstance(store, SqliteStore)
    await store.close()


async def test_stores_that_open_a_new_file_at_once_lose_no_change(tmp_path):
    """Turning a new file to WAL is refused at once while another opens it; no change may go to memory for that."""
    for round_ in range(25):
        stores = [SqliteStore(tmp_path / str(round_)) for _ in range(4)]

        async def add(store: SqliteStore) -> None:
            await store.transact("", {"count": lambda old: str(int(old or b"0") + 1).encode()})

        async with anyio.create_task_group() as group:
            for store in stores:
                group.start_soon(add, store)
        assert (await stores[0].transact("count", {}))["count"] == b"4"
        for store in stores:
            await store.close()
