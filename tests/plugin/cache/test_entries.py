"""The files of the cache: bounded in number, whole or gone, and counted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from fanseek.cache.entries import MOST_ENTRIES, READ_MOST, Entries, Entry
from fanseek.cache.replacing import LEFT_OVER_S
from fanseek.types import SearchResult


def entry(key: str, query: str = "q") -> Entry:
    return Entry(key=key, stored_at=1.0, result=SearchResult(query=query, status="ok"))


def test_l8_the_513th_entry_evicts_the_oldest(tmp_path: Path) -> None:
    """L8."""
    entries = Entries(tmp_path)
    for number in range(MOST_ENTRIES):
        (tmp_path / f"k{number}.json").write_bytes(b"{}")
        os.utime(tmp_path / f"k{number}.json", (1000 + number, 1000 + number))
    os.utime(tmp_path / "k7.json", (1, 1))
    entries.write(entry("new"))
    assert entries.stats().entries == MOST_ENTRIES == 512
    assert not (tmp_path / "k7.json").exists()
    assert (tmp_path / "k0.json").exists()
    entries.write(entry("newer"))
    assert not (tmp_path / "k0.json").exists()
    assert entries.read("new") == entry("new")


@pytest.mark.parametrize("body", [b'{"a":1}{"b":2}', b"", b"\0\0", b"\0" * 4096, b"{" * 100_000, b'{"key":"k"}'])
def test_bc_065_a_damaged_entry_is_none_and_is_removed(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "k.json").write_bytes(body)
    assert Entries(tmp_path).read("k") is None
    assert not (tmp_path / "k.json").exists()


def test_an_entry_that_is_far_too_long_is_none(tmp_path: Path) -> None:
    body = msgspec.json.encode(entry("k"))
    (tmp_path / "k.json").write_bytes(body + b" " * (READ_MOST - len(body)) + b"x")
    assert Entries(tmp_path).read("k") == entry("k")
    (tmp_path / "k.json").write_bytes(body[:-1] + b" " * READ_MOST + b"}")
    assert Entries(tmp_path).read("k") is None


def test_fields_added_later_are_no_damage(tmp_path: Path) -> None:
    """Within a schema's major, fields are only added: an entry of either age is read by either program."""
    entries = Entries(tmp_path)
    entries.write(entry("k"))
    whole = msgspec.json.decode((tmp_path / "k.json").read_bytes())
    del whole["result"]["cached"]
    (tmp_path / "k.json").write_bytes(msgspec.json.encode({**whole, "later": 1}))
    assert entries.read("k") == entry("k")
    whole["result"]["schema"] = "fanseek.search/2"
    (tmp_path / "k.json").write_bytes(msgspec.json.encode(whole))
    assert entries.read("k") is None


def test_what_killed_processes_left_is_swept_when_something_is_written(tmp_path: Path) -> None:
    left = tmp_path / ".k-0123456789abcdef.part"
    left.write_bytes(b"half")
    entries = Entries(tmp_path)
    entries.write(entry("a"))
    assert left.exists()
    long_ago = left.stat().st_mtime - LEFT_OVER_S - 1
    os.utime(left, (long_ago, long_ago))
    entries.write(entry("a"))
    assert not left.exists()


def test_l7_clearing_removes_everything_and_counts_anew(tmp_path: Path) -> None:
    entries = Entries(tmp_path / "none yet")
    assert entries.clear() == 0
    assert entries.stats().size == 0
    for key in ("a", "b"):
        entries.write(entry(key))
        entries.note("hits")
    entries.note("errors")
    assert entries.stats().size == sum(path.stat().st_size for path in (tmp_path / "none yet").glob("*.json"))
    assert entries.clear() == 2
    assert msgspec.structs.astuple(entries.stats()) == (0, 0, 0, 0, 0)


COUNT = """
import sys
from pathlib import Path
from fanseek.cache.entries import Entries
entries = Entries(Path(sys.argv[1]))
for number in range(300):
    entries.note("hits" if number % 3 else "misses")
"""


def test_no_lookup_of_several_processes_goes_uncounted(tmp_path: Path) -> None:
    running = [subprocess.Popen([sys.executable, "-c", COUNT, tmp_path]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    stats = Entries(tmp_path).stats()
    assert (stats.hits, stats.misses) == (800, 400)
