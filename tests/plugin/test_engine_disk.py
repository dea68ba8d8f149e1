"""What an engine leaves on disk for the next one. Real time: a thread's work can't be hurried."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import time
from pathlib import Path

import anyio
import pytest

from fanseek.contract import KeyedSettings
from fanseek.errors import AllFailed
from scripted import answers, backend, fails, says, stage


async def statuses(on) -> dict[str, str]:
    try:
        result = await on.search("q")
    except AllFailed as problem:
        result = problem.result
    return {outcome.backend: outcome.status for outcome in result.outcomes}


async def test_what_is_kept_on_disk_holds_for_the_next_engine(tmp_path):
    scripts = {"bad": says(403), "good": answers("https://g.test/")}
    async with stage(scripts, clock=time.time, state_dir=tmp_path) as on:
        await statuses(on)
    async with stage(scripts, clock=time.time, state_dir=tmp_path) as on:
        assert on.engine.status()[0].state == "cooling"
        assert (await statuses(on))["bad"] == "skipped"


async def test_a_changed_key_ends_the_cooling(tmp_path):
    keyed = backend("bad", settings=KeyedSettings)
    scripts = {"bad": says(401), "good": answers("https://g.test/")}

    async def first_status(key: str) -> str:
        own = {"bad": KeyedSettings(key=key)}
        async with stage(scripts, keyed, clock=time.time, state_dir=tmp_path, backends=own) as on:
            return (await statuses(on))["bad"]

    assert [await first_status(key) for key in ("one", "one", "two", "two")] == ["auth", "skipped", "auth", "skipped"]


async def test_n11_the_state_on_disk_holds_no_key(tmp_path):
    canary = "sk-canary-0123456789abcdef"
    own = {"bad": KeyedSettings(key=canary)}
    async with stage(
        {"bad": says(401)}, backend("bad", settings=KeyedSettings), clock=time.time, state_dir=tmp_path, backends=own
    ) as on:
        await statuses(on)
    written = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"breaker/bad" in written
    assert canary.encode() not in written


async def test_failures_in_a_row_are_counted_over_processes(tmp_path):
    for expected in ("network", "network", "network", "skipped"):
        async with stage({"bad": fails("network"), "good": answers()}, clock=time.time, state_dir=tmp_path) as on:
            assert (await statuses(on))["bad"] == expected
        await anyio.sleep(0.002)


async def test_two_engines_at_once_learn_from_each_other(tmp_path):
    scripts = {"bad": says(403), "good": answers()}
    async with (
        stage(scripts, clock=time.time, state_dir=tmp_path) as one,
        stage(scripts, clock=lambda: time.time() + 1, state_dir=tmp_path) as two,
    ):
        assert (await statuses(two))["good"] == "empty"
        await two.engine.breaker.flush()
        await one.engine.breaker.flush()
        assert one.engine.status()[0].state == "cooling"


@pytest.mark.parametrize("broken", ["corrupt", "file in the way", "read-only"])
async def test_a_disk_that_fails_never_fails_a_search(tmp_path, caplog, broken):
    place = tmp_path / "state"
    if broken == "file in the way":
        place.write_bytes(b"")
    else:
        place.mkdir()
        (place / "state.sqlite3").write_bytes(b"nonsense" * 1000)
    if broken == "read-only":
        if os.name != "posix" or os.geteuid() == 0:
            place = Path(os.devnull) / "state"
        else:
            place.chmod(0o500)
    with caplog.at_level(logging.WARNING, "fanseek.state"):
        async with stage({"bad": says(403), "good": answers()}, clock=time.time, state_dir=place) as on:
            assert await statuses(on) == {"bad": "blocked", "good": "empty"}
            assert await statuses(on) == {"bad": "skipped", "good": "empty"}
    assert len(caplog.records) == 1


def test_importing_fanseek_loads_no_heavy_library():
    code = (
        "import sys, fanseek; print([m for m in ('httpx', 'selectolax', 'rapidfuzz', 'sqlite3') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
