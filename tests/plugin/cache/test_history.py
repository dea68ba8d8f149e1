"""The history file: a ring that several processes add to, and that nothing on disk can make raise unexpectedly."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.cache.history import LONGEST_QUERY, HistoryEntry, HistoryFile


def entry(query: str, number: int = 0) -> HistoryEntry:
    return HistoryEntry(query=query, time=1_800_000_000_000 + number, result_count=3, backends_ok=2, backends_total=4)


def queries(file: HistoryFile) -> list[str]:
    return [one.query for one in file.entries()]


@pytest.fixture
def file(tmp_path: Path) -> HistoryFile:
    return HistoryFile(tmp_path / "state" / "history.json")


def test_o1_the_newest_come_first_and_the_51st_drops_the_oldest(file: HistoryFile) -> None:
    assert file.entries() == ()
    file.add([entry("0"), entry("1")])
    for number in range(2, 51):
        file.add([entry(str(number))])
    assert queries(file) == [str(number) for number in range(50, 0, -1)]


def test_o2_a_row_has_five_fields_and_no_others(file: HistoryFile) -> None:
    file.add([entry("rust")])
    (row,) = json.loads(file.path.read_bytes())
    assert row == {
        "query": "rust",
        "time": 1_800_000_000_000,
        "resultCount": 3,
        "backendsOk": 2,
        "backendsTotal": 4,
    }


@pytest.mark.skipif(os.name != "posix", reason="modes are a thing of POSIX")
def test_only_the_owner_can_read_it(file: HistoryFile) -> None:
    file.add([entry("private")])
    for path in file.path.parent.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path


def test_more_than_the_ring_holds_in_one_go(file: HistoryFile) -> None:
    file.add([entry(str(number)) for number in range(60)])
    assert queries(file) == [str(number) for number in range(59, 9, -1)]


def test_clearing_forgets_what_killed_processes_have_left_too(file: HistoryFile) -> None:
    file.clear()
    file.add([entry("secret plan")])
    (file.path.parent / ".history-0123.part").write_bytes(b"[secret plan")
    file.clear()
    assert file.entries() == ()
    assert b"".join(path.read_bytes() for path in file.path.parent.iterdir()) == b""
    file.add([entry("after")])
    assert queries(file) == ["after"]


def test_a_long_query_is_cut_and_an_odd_one_is_kept(file: HistoryFile) -> None:
    file.add([entry("天" * 300_000), entry("two\nlines\x00 \u2028 \ud83d 🌧"), entry("")])
    empty, odd, long = queries(file)
    assert (empty, odd) == ("", "two\nlines\x00 \u2028 ? 🌧")
    assert len(long) == LONGEST_QUERY
    assert long.endswith("天…")


def test_rows_of_the_plugin_before_this_one_are_read(file: HistoryFile) -> None:
    """The source document's own file: pretty-printed, time in Unix milliseconds."""
    file.path.parent.mkdir()
    rows = [{"query": "q", "time": 1769999999999, "resultCount": 8, "backendsOk": 4, "backendsTotal": 5}]
    file.path.write_text(json.dumps(rows, indent=2), encoding="utf-8")
    file.add([entry("new")])
    assert queries(file) == ["new", "q"]


WHOLE = b'{"query":"%d","time":5,"resultCount":1,"backendsOk":1,"backendsTotal":1}'
DAMAGED: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", []),
    "zeros": (b"\0" * 4096, []),
    "cut": (b"[\n" + WHOLE % 1 + b",\n" + WHOLE % 2 + b',\n{"query":"3","ti', ["1", "2"]),
    "cut behind a row": (b"[\n" + WHOLE % 1 + b",\n" + WHOLE % 2, ["1", "2"]),
    "two documents": (b"[\n" + WHOLE % 1 + b"\n]\n[\n" + WHOLE % 2 + b"\n]\n", ["1", "2"]),
    "one bad row": (b"[" + WHOLE % 1 + b',{"query":7},null,' + WHOLE % 2 + b"]", ["1", "2"]),
    "lines": (WHOLE % 1 + b"\n" + WHOLE % 2 + b"\n", ["1", "2"]),
    "interleaved lines": (b'{"query":"1","ti' + WHOLE % 2 + b"\n" + WHOLE % 3, ["3"]),
    "a mark of Windows editors": (b"\xef\xbb\xbf[" + WHOLE % 1 + b"]", ["1"]),
    "lines of Windows editors": (b"[\r\n" + WHOLE % 1 + b",\r\n" + WHOLE % 2 + b",\r\n", ["1", "2"]),
    "not UTF-8": (b"[\n\xff\xfe,\n" + WHOLE % 1 + b"\n]", ["1"]),
    "an object": (b'{"a":1}{"b":2}', []),
    "deep": (b"[" * 100_000, []),
    "another type": (b'"history"', []),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_bc_065_of_a_damaged_file_what_can_be_read_is_kept_and_the_next_search_mends_it(
    file: HistoryFile, name: str
) -> None:
    body, kept = DAMAGED[name]
    file.path.parent.mkdir()
    file.path.write_bytes(body)
    assert queries(file) == kept
    file.add([entry("new")])
    assert queries(file) == ["new", *kept]
    assert len(json.loads(file.path.read_bytes())) == 1 + len(kept)


def test_a_file_cut_anywhere_is_read_and_mended(file: HistoryFile) -> None:
    file.add([entry(str(number)) for number in range(5)])
    whole = file.path.read_bytes()
    for end in range(0, len(whole), 13):
        file.path.write_bytes(whole[:end])
        before = queries(file)
        assert before == ["4", "3", "2", "1", "0"][: len(before)]
        file.add([entry("new")])
        assert queries(file) == ["new", *before]


@given(st.binary(max_size=300))
def test_no_file_whatever_breaks_a_read(body: bytes) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "history.json"
        path.write_bytes(body)
        assert HistoryFile(path).entries() == ()


APPEND = """
import sys
from pathlib import Path
from fanseek.cache.history import HistoryEntry, HistoryFile
path, name, times, most, long = sys.argv[1:]
file = HistoryFile(Path(path), most=int(most))
for number in range(int(times)):
    query = f"{name}/{number} " + "x" * (int(long) if number % 2 else 1000)
    file.add([HistoryEntry(query=query, time=number, result_count=1, backends_ok=1, backends_total=1)])
"""


def appending(file: HistoryFile, names: str, times: int, long: int = 0) -> list[subprocess.Popen[bytes]]:
    given = [str(times), str(file.most), str(long)]
    return [subprocess.Popen([sys.executable, "-c", APPEND, file.path, name, *given]) for name in names]


def test_bc_066_six_processes_lose_no_row_and_break_none(tmp_path: Path) -> None:
    """Rows of 1 kB and of 300 kB mixed."""
    file = HistoryFile(tmp_path / "history.json", most=300)
    assert [process.wait(60) for process in appending(file, "abcdef", 50, 300_000)] == [0] * 6
    rows = json.loads(file.path.read_bytes())
    assert len(rows) == 300
    assert len(msgspec.convert(rows, list[HistoryEntry])) == 300
    firsts = [row["query"].split()[0] for row in rows]
    assert sorted(firsts) == sorted(f"{name}/{number}" for name in "abcdef" for number in range(50))


def test_bc_068_a_ring_that_is_full_keeps_the_newest_while_a_reader_looks_on(tmp_path: Path) -> None:
    file = HistoryFile(tmp_path / "history.json", most=100)
    running = appending(file, "abcd", 200)
    looks = 0
    while any(process.poll() is None for process in running):
        if file.path.exists():
            rows: list[dict[str, Any]] = json.loads(file.path.read_bytes())
            assert len(rows) == len(file.entries()) == 100 or len(rows) < 100
            looks += 1
    assert looks
    assert [process.wait(60) for process in running] == [0] * 4
    numbers: dict[str, list[int]] = {name: [] for name in "abcd"}
    for query in queries(file):
        name, number = query.split()[0].split("/")
        numbers[name].append(int(number))
    assert sum(map(len, numbers.values())) == 100
    assert queries(file)[0].split()[0].endswith("/199")
    for kept in numbers.values():  # each one's newest, in order, without a gap
        assert kept == list(range(199, 199 - len(kept), -1))


def test_bc_069_what_another_process_adds_is_neither_missed_nor_lost(tmp_path: Path) -> None:
    """Nothing of the file is held in memory."""
    one, two = (HistoryFile(tmp_path / "history.json") for _ in range(2))
    one.add([entry(str(number), number) for number in range(1, 11)])
    assert queries(one)[0] == "10"
    two.add([entry("b1", 11)])
    two.add([entry("b2", 12)])
    one.add([entry("a", 13)])
    assert queries(one)[:3] == ["a", "b2", "b1"]
    assert len({(row.time, row.query) for row in one.entries()}) == 13


def test_a_file_that_can_t_be_read_is_not_overwritten(file: HistoryFile) -> None:
    file.path.mkdir(parents=True)
    for work in (file.entries, file.clear, lambda: file.add([entry("q")])):
        with pytest.raises(OSError, match=r"history\.json"):
            work()
    assert file.path.is_dir()
    assert not list(file.path.parent.glob(".*"))
