"""What many processes leave on one disk, also when they are killed: nothing that a later one trips over."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crowd import Searcher
from fanseek.cache.entries import Entries, Entry
from fanseek.cache.history import MOST, HistoryEntry, HistoryFile
from fanseek.cache.lock import locked
from fanseek.cache.replacing import LEFT_OVER_S
from fanseek.config.options import options
from fanseek.sandbox import Sandbox, running

SEED = 20261201


@pytest.fixture
def box() -> Iterator[Sandbox]:
    with running() as box:
        yield box


@pytest.fixture
def few(box: Sandbox) -> dict[str, Any]:
    """Settings for two backends of the sandbox; what is looked at here is the disk."""
    switches = {option.key: "off" for option in options().values() if option.is_switch}
    on = {option.key: "on" for option in options().values() if option.is_switch and option.backend in two(box)}
    return {**box.settings(), **switches, **on, "numResults": 3}


def two(box: Sandbox) -> list[str]:
    return list(box.urls)[:2]


def rows(place: Path) -> list[HistoryEntry]:
    """The history as it stands in the file: a whole document of valid rows."""
    return msgspec.json.decode((place / "history.json").read_bytes(), type=list[HistoryEntry])


def entries(place: Path) -> list[Entry]:
    """Every entry of the cache as it stands in its file."""
    return [msgspec.json.decode(path.read_bytes(), type=Entry) for path in (place / "results").glob("*.json")]


def test_bc_064_eight_processes_search_at_once_on_an_empty_folder(
    tmp_path: Path, box: Sandbox, few: dict[str, Any]
) -> None:
    """Fifty searches each, many of them the same; one backend fails, so that state is written too."""
    box.faults.set(two(box)[0], "http", status=503)
    crowd = [
        Searcher(tmp_path / "new", few, box.environment, name=f"tides {number % 2}", queries=25) for number in range(8)
    ]
    for searcher in crowd:
        searcher.start()
    for searcher in crowd:
        assert searcher.end() == (0, "")
        assert searcher.lines == ["open", *["found"] * 50]
    assert len(rows(tmp_path / "new")) == MOST


def test_bc_064_a_state_that_another_process_holds_fails_no_search(
    tmp_path: Path, box: Sandbox, few: dict[str, Any]
) -> None:
    """Exclusively, from before the first search to behind the last. Every answer is whole, so the cache is used."""
    with closing(sqlite3.connect(tmp_path / "state.sqlite3", isolation_level=None)) as holder:
        holder.execute("CREATE TABLE state (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        holder.execute("BEGIN EXCLUSIVE")
        box.faults.set(two(box)[0], "http", status=503)
        crowd = [Searcher(tmp_path, few, box.environment, name=f"tides {number}") for number in range(4)]
        for searcher in crowd:
            searcher.start()
        for searcher in crowd:
            code, said = searcher.end()
            assert code == 0
            assert searcher.lines == ["open", *["found"] * 50]
            assert said.count("\n") <= 1, said
    assert len(rows(tmp_path)) == MOST


def test_killed_at_any_moment_they_leave_nothing_that_a_later_run_trips_over(
    tmp_path: Path, box: Sandbox, few: dict[str, Any]
) -> None:
    """Four processes with fifty searches each, killed at random; then looked at, and searched again."""
    chance = random.Random(SEED)
    for round_ in range(2):
        crowd = [Searcher(tmp_path, few, box.environment, name=f"round {round_}/{number}") for number in range(4)]
        killers = [searcher.kill_after(chance.randrange(50), chance.random() / 20) for searcher in crowd]
        for searcher in crowd:
            searcher.start()
        for killer, searcher in zip(killers, crowd, strict=True):
            killer.join()
            searcher.end()
        assert all("found" in line for searcher in crowd for line in searcher.lines[1:])
        for entry in entries(tmp_path):
            assert entry.result.sources
            assert Entries(tmp_path / "results").read(entry.key) == entry
        if (tmp_path / "history.json").exists():
            assert len(rows(tmp_path)) <= MOST
    assert entries(tmp_path)
    make_old(tmp_path)
    last = Searcher(tmp_path, few, box.environment, name="last")
    last.start()
    assert last.end() == (0, "")
    assert last.lines == ["open", *["found"] * 50]
    assert {row.query for row in rows(tmp_path)} == {f"last {number}" for number in range(50)}
    assert len(rows(tmp_path)) == MOST
    assert not list(tmp_path.rglob("*.part"))


def make_old(place: Path) -> None:
    """Whatever was left half written, as it will look in a while."""
    for path in place.rglob("*.part"):
        at = path.stat().st_mtime - LEFT_OVER_S - 1
        os.utime(path, (at, at))


WRITE = """
import sys
from pathlib import Path
from fanseek.cache.entries import Entries, Entry
from fanseek.cache.history import HistoryEntry, HistoryFile
from fanseek.types import SearchResult
place = Path(sys.argv[1])
file, entries, number = HistoryFile(place / "history.json"), Entries(place / "results"), 0
print("begun", flush=True)
while True:
    number += 1
    file.add([HistoryEntry(query="x" * 400, time=number, result_count=1, backends_ok=1, backends_total=1)])
    result = SearchResult(query="x" * 20_000, status="ok")
    entries.write(Entry(key=f"k{number % 5}", stored_at=1.0, result=result))
    entries.note("hits")
"""


def test_killed_while_they_write_they_leave_whole_files_and_no_lock(tmp_path: Path) -> None:
    """Nothing but writing, so that every blow falls into a write; the rows are never fewer than before."""
    chance = random.Random(SEED)
    file = HistoryFile(tmp_path / "history.json")
    full = False
    for _ in range(6):
        writers = [subprocess.Popen([sys.executable, "-c", WRITE, tmp_path], stdout=subprocess.PIPE) for _ in range(3)]
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"begun\n"
        for writer in writers:
            with pytest.raises(subprocess.TimeoutExpired):
                writer.wait(0.05 + chance.random() / 10)
            writer.kill()
            with writer:
                pass
        kept = rows(tmp_path)
        full = full or len(kept) == MOST
        assert (len(kept) == MOST) is full
        for entry in entries(tmp_path):
            assert len(entry.result.query) == 20_000
        with locked(tmp_path / "history.json.lock", 0) as held:
            assert held
    assert full
    make_old(tmp_path)
    file.add([HistoryEntry(query="after", time=1, result_count=1, backends_ok=1, backends_total=1)])
    Entries(tmp_path / "results").write(entries(tmp_path)[0])
    assert not list(tmp_path.rglob("*.part"))
    assert json.loads((tmp_path / "history.json").read_bytes())[0]["query"] == "after"
