"""The result cache between runs of the command."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import disks
from fanseek.sandbox import Sandbox
from processes import Command


def asked(box: Sandbox) -> int:
    return sum(box.log[name].count for name in box.urls)


def test_a_repeated_search_is_answered_from_disk(fanseek: Command, box: Sandbox, at_box: dict[str, str]) -> None:
    """H9, L3: another process, the same results, nobody asked, and the line that says so."""
    first = fanseek("search", "tidal turbines", env=at_box)
    before = asked(box)
    second = fanseek("search", "tidal turbines", env=at_box)
    assert (first.code, second.code) == (0, 0)
    assert asked(box) == before > 0
    assert "[websearch cache] cache hit, age " in second.text
    assert "[websearch backends]" not in second.text
    assert second.text.rpartition("\n\n")[0] == first.text.rpartition("\n\n")[0]
    assert isinstance(fanseek("search", "tidal turbines", "--json", env=at_box).json["cachedAgeS"], float)


def test_no_cache_and_the_setting_ask_anew(fanseek: Command, box: Sandbox, at_box: dict[str, str]) -> None:
    """L6."""
    fanseek("search", "tidal turbines", env=at_box)
    for more in (["--no-cache"], ["--set", "cacheEnabled=false"], ["-n", "3"]):
        before = asked(box)
        ran = fanseek("search", "tidal turbines", *more, env=at_box)
        assert asked(box) > before
        assert "[websearch cache]" not in ran.text


def test_a_degraded_result_is_asked_for_again(fanseek: Command, box: Sandbox, at_box: dict[str, str]) -> None:
    """L5, X16: what was found while somebody failed does not last."""
    broken = next(iter(box.urls))
    box.faults.set(broken, "http", status=503)
    assert fanseek("search", "tidal turbines", env=at_box).code == 0
    box.faults.clear()
    second = fanseek("search", "tidal turbines", env=at_box)
    assert f"{broken} ✓" in second.text


def test_a_sandbox_search_leaves_nothing_in_the_cache(fanseek: Command, surroundings: dict[str, str]) -> None:
    fanseek("search", "tidal turbines", "--sandbox")
    assert not list(Path(surroundings["XDG_CACHE_HOME"]).rglob("*.json"))


def test_what_the_cache_did_is_told_and_cleared(fanseek: Command, at_box: dict[str, str]) -> None:
    """L7: over all processes; `--no-cache` looks nothing up."""

    def stats() -> dict[str, int]:
        whole = fanseek("cache", "stats", "--json").json
        assert whole.pop("folder").endswith("results")
        return dict(whole)

    for args in (["one"], ["one"], ["two"], ["one", "--no-cache"]):
        fanseek("search", *args, env=at_box)
    told = stats()
    assert told.pop("size") > 1000
    assert told == {"entries": 2, "hits": 1, "misses": 2, "errors": 0}
    assert re.search(r"^misses +2$", fanseek("cache", "stats").text, re.MULTILINE)
    assert fanseek("cache", "clear", "--json").json["removed"] == 2
    assert stats() == {"entries": 0, "size": 0, "hits": 0, "misses": 0, "errors": 0}
    assert re.search(r"^removed +0$", fanseek("cache", "clear").text, re.MULTILINE)


def test_an_environment_variable_switches_it_off(fanseek: Command, box: Sandbox, at_box: dict[str, str]) -> None:
    """L6: two searches, two rounds of calls, and nothing on disk."""
    rounds = []
    for variable in ("FANSEEK_CACHE_ENABLED", "FANSEEK_CACHE"):
        fanseek("search", "tidal turbines", env={**at_box, variable: "off"})
        rounds.append(asked(box))
    assert rounds[1] == 2 * rounds[0] > 0
    assert fanseek("cache", "stats", "--json").json["entries"] == 0


def test_without_a_home_it_stands_at_an_absolute_path(fanseek: Command, surroundings: dict[str, str]) -> None:
    """L9."""
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        del surroundings[name]
    assert Path(fanseek("cache", "stats", "--json").json["folder"]).is_absolute()
    surroundings["HOME"] = "relative"
    assert Path(fanseek("cache", "stats", "--json").json["folder"]).is_absolute()


def test_a_cache_that_can_t_be_cleared_is_said(fanseek: Command, surroundings: dict[str, str]) -> None:
    (Path(surroundings["XDG_CACHE_HOME"]) / "fanseek" / "results" / "k.json").mkdir(parents=True)
    ran = fanseek("cache", "clear")
    assert (ran.code, ran.text) == (1, "")
    assert "can't be used" in ran.said


@pytest.mark.skipif(os.name != "posix", reason="the disks are made as POSIX has them")
@pytest.mark.parametrize("kind", [disks.full, disks.limited, disks.read_only])
def test_a_disk_that_takes_nothing_fails_no_search(
    fanseek: Command, at_box: dict[str, str], box: Sandbox, tmp_path: Path, kind: Callable[[Path], Any]
) -> None:
    """L2, BC-064, BC-070: results as ever; each of cache, history and state says once that it can't be used."""
    box.faults.set(next(iter(box.urls)), "http", status=503)
    with kind(tmp_path / "disk") as disk:
        env = {**at_box, "XDG_CACHE_HOME": str(disk.folder / "cache"), "XDG_STATE_HOME": str(disk.folder / "state")}
        for args, code in ((["--backends", ",".join(list(box.urls)[1:])], 0), (["--strict"], 5)):
            ran = fanseek("search", "tidal turbines", *args, env=env, preexec_fn=disk.first)
            assert ran.code == code, ran.said
            assert "\n1. " in ran.text
            said = ran.said.splitlines()
            assert said
            assert all(re.search(r"result cache|history|state\.sqlite3", line) for line in said), said
            assert len(said) == len(set(said)) <= 3
        for args in (["history"], ["cache", "stats"]):
            assert fanseek(*args, env=env, preexec_fn=disk.first).code == 0


@pytest.mark.skipif(os.name != "posix", reason="the disks are made as POSIX has them")
def test_a_disk_that_is_full_still_answers_from_what_it_holds(
    fanseek: Command, at_box: dict[str, str], box: Sandbox, surroundings: dict[str, str]
) -> None:
    fanseek("search", "tidal turbines", env=at_box)
    before = asked(box)
    ran = fanseek("search", "tidal turbines", env=at_box, preexec_fn=disks.no_file_may_grow)
    assert ran.code == 0
    assert asked(box) == before
    assert "[websearch cache] cache hit" in ran.text
    rows = Path(surroundings["XDG_STATE_HOME"], "fanseek", "history.json").read_bytes()
    assert rows.count(b"tidal turbines") == 1
