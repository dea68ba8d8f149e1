"""`fanseek history`: what the command has searched for."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from fanseek.cache.history import HistoryEntry, HistoryFile
from fanseek.cache.lock import locked
from processes import CANARY, Command


@pytest.fixture
def path(surroundings: dict[str, str]) -> Path:
    return Path(surroundings["XDG_STATE_HOME"]) / "fanseek" / "history.json"


def keep(path: Path, *queries: str) -> None:
    HistoryFile(path).add(
        [HistoryEntry(query=query, time=1, result_count=3, backends_ok=2, backends_total=4) for query in queries]
    )


def test_every_search_is_there_newest_first(fanseek: Command, at_box: dict[str, str], path: Path) -> None:
    """O1, O7: on by itself; a search of the cache and one that failed are searches too."""
    assert fanseek("history").text == "No searches are kept.\n"
    fanseek("search", "tidal turbines", env=at_box)
    fanseek("search", "tidal turbines", env=at_box)
    assert fanseek("search", "will\x1b[2J fail\nhere", "--deadline-ms", "1", env=at_box).code == 4
    rows = fanseek("history", "--json").json["entries"]
    assert rows == json.loads(path.read_bytes())
    assert [row["query"] for row in rows] == ["will fail here", "tidal turbines", "tidal turbines"]
    assert all(set(row) == {"query", "time", "resultCount", "backendsOk", "backendsTotal"} for row in rows)
    assert [row["resultCount"] for row in rows] == [0, 8, 8]
    assert [row["backendsOk"] == row["backendsTotal"] for row in rows] == [False, True, True]
    ran = fanseek("history", "-n", "2")
    first, second = ran.text.splitlines()
    assert first.endswith("answered  will fail here")
    assert second.endswith("answered  tidal turbines")
    assert "   8 results" in second
    assert ran.said == ""


def test_clearing_forgets_them(fanseek: Command, path: Path) -> None:
    assert fanseek("history", "--clear", "--json").json == {"cleared": True}
    keep(path, "tidal turbines")
    assert fanseek("history", "--clear").text == "The history is empty now.\n"
    assert fanseek("history", "--json").json == {"entries": []}
    assert not path.exists()


def test_switched_off_nothing_is_written(fanseek: Command, at_box: dict[str, str], path: Path) -> None:
    """O7."""
    fanseek("search", "q", "--set", "historyEnabled=false", env=at_box)
    fanseek("search", "q", env={**at_box, "FANSEEK_HISTORY_ENABLED": "off"})
    assert not path.parent.exists() or not list(path.parent.glob("history*"))


def test_a_sandbox_search_leaves_no_history(fanseek: Command, path: Path) -> None:
    fanseek("search", "tidal turbines", "--sandbox")
    assert not path.exists()


def test_inside_a_harness_it_stands_where_the_harness_looks_for_it(
    fanseek: Command, at_box: dict[str, str], tmp_path: Path
) -> None:
    env = {**at_box, "DSH_HOME": str(tmp_path / "dsh")}
    fanseek("search", "tidal turbines", env=env)
    assert len(json.loads((tmp_path / "dsh" / "cache" / "websearch" / "history.json").read_bytes())) == 1
    assert fanseek("history", env=env).text.endswith("tidal turbines\n")


def test_a_key_in_a_query_is_not_written(fanseek: Command, at_box: dict[str, str], path: Path) -> None:
    """O2; the fixture looks into every file for the canary."""
    unheard = {"capture_output": False, "stdout": subprocess.DEVNULL}  # it repeats the query
    assert fanseek("search", f"is {CANARY} valid", env=at_box, **unheard).code == 0
    assert json.loads(path.read_bytes())[0]["query"] == "is [redacted] valid"


def test_a_damaged_file_is_read_as_far_as_it_goes(fanseek: Command, path: Path) -> None:
    """BC-065."""
    keep(path, "lost", "found")
    path.write_bytes(path.read_bytes()[:-30] + b"\0\xff")
    ran = fanseek("history")
    assert (ran.code, ran.said) == (0, "")
    assert re.fullmatch(r".{19}   3 results    2 of 4 answered  found\n", ran.text)


@pytest.mark.parametrize("args", [[], ["--json"], ["--clear"]])
def test_one_that_can_t_be_read_is_said(fanseek: Command, path: Path, args: list[str]) -> None:
    path.mkdir(parents=True)
    ran = fanseek("history", *args)
    assert (ran.code, ran.text) == (1, "")
    assert str(path) in ran.said
    assert ran.said.count("\n") == 1


def test_times_of_no_calendar_are_shown_as_none(fanseek: Command, path: Path) -> None:
    path.parent.mkdir(parents=True)
    row = {"query": "q", "resultCount": 1, "backendsOk": 1, "backendsTotal": 1}
    path.write_text(json.dumps([{**row, "time": time} for time in (10**30, -(10**18), 0)]), "utf-8")
    ran = fanseek("history")
    assert ran.code == 0
    assert [line[:5].strip() for line in ran.text.splitlines()][:2] == ["", ""]
    assert ran.text.count("1 result ") == 3


@pytest.mark.parametrize("args", [["-n", "0"], ["-n", "x"], ["more"]])
def test_nonsense_is_refused(fanseek: Command, args: list[str]) -> None:
    assert fanseek("history", *args).code == 2


def test_the_results_are_out_before_the_history_is_written(
    screen: object, surroundings: dict[str, str], at_box: dict[str, str], path: Path
) -> None:
    """While another holds the lock, everything is on the screen and the command has not ended."""
    path.parent.mkdir(parents=True)
    with locked(path.with_name("history.json.lock"), 5):
        shown = screen("search", "tidal turbines", env=at_box)  # type: ignore[operator]
        shown.read_until(b"[websearch backends]")
        assert shown.process.poll() is None
        assert not path.exists()
    shown.read()
    shown.process.wait(60)
    assert [row["query"] for row in json.loads(path.read_bytes())] == ["tidal turbines"]


def test_the_history_and_the_cache_speak_chinese(fanseek):
    """X27: by flag and by variable; JSON stays English."""
    zh = {"FANSEEK_LANG": "zh"}
    assert fanseek("history", env=zh).text == fanseek("history", "--lang", "zh").text == "没有保存任何搜索。\n"
    assert fanseek("history", "--lang", "en", env=zh).text == "No searches are kept.\n"
    assert fanseek("history", "--clear", env=zh).text == "历史已清空。\n"
    assert "字节" in fanseek("cache", "stats", env=zh).text
    assert fanseek("cache", "clear", "--lang", "zh").text.endswith("已删除  0\n")
    assert "entries" in fanseek("cache", "stats", "--json", env=zh).json


def test_a_config_file_that_can_t_be_read_leaves_the_history_readable(fanseek, tmp_path):
    broken = tmp_path / "broken.toml"
    broken.write_text("a = [")
    ran = fanseek("history", env={"FANSEEK_CONFIG": str(broken), "FANSEEK_LANG": "zh"})
    assert (ran.code, ran.text) == (0, "没有保存任何搜索。\n")
