"""The result cache between runs of the command."""

from __future__ import annotations

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
    from pathlib import Path

    fanseek("search", "tidal turbines", "--sandbox")
    assert not list(Path(surroundings["XDG_CACHE_HOME"]).rglob("*.json"))
