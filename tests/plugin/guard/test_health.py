"""M6: how a backend is doing, its transitions and its JSON."""

from __future__ import annotations

from contextlib import suppress

import anyio
import msgspec
import pytest

from fanseek.contract import KeyedSettings, Pace, Request
from fanseek.errors import AllFailed
from scripted import answers, backend, hangs, says, stage
from virtual import virtual

GOOD = answers("https://found.test/")


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    return virtual(request.param)


def facts(on, name="a"):
    return next(one for one in msgspec.to_builtins(on.engine.status()) if one["name"] == name)


async def searched(on, script=None):
    if script is not None:
        on.upstreams.scripts["a"] = script
    with suppress(AllFailed):
        await on.search(f"q{anyio.current_time()}")
    return facts(on)


async def test_m6_the_whole_record():
    async with stage({"a": GOOD}) as on:
        assert facts(on) == {
            "name": "a",
            "enabled": True,
            "status": "untested",
            "lastStatus": None,
            "lastCode": None,
            "consecutiveFailures": 0,
            "reason": "",
            "lastOkAt": None,
            "lastFailAt": None,
            "cooldownUntil": None,
            "needsKey": False,
            "keyName": "",
            "keyFound": False,
            "lastMs": None,
            "lastMessage": "",
        }


async def test_m6_untested_healthy_degraded_cooling_and_back():
    async with stage({"a": GOOD, "other": GOOD}) as on:
        healthy = await searched(on)
        assert (healthy["status"], healthy["lastCode"], healthy["lastOkAt"]) == (
            "healthy",
            None,
            "2001-09-09T01:46:40Z",
        )
        await anyio.sleep(10)
        for failures in (1, 2):
            worse = await searched(on, says(500))
            assert (worse["status"], worse["lastCode"], worse["consecutiveFailures"]) == (
                "degraded",
                "ENGINE_ERROR",
                failures,
            )
            assert worse["cooldownUntil"] is None
        await anyio.sleep(10)
        cooling = await searched(on)
        assert (cooling["status"], cooling["consecutiveFailures"], cooling["reason"]) == ("cooling", 3, "server")
        assert cooling["lastOkAt"] == "2001-09-09T01:46:40Z"
        assert cooling["lastFailAt"] == "2001-09-09T01:47:00Z"
        assert cooling["cooldownUntil"] == "2001-09-09T01:48:00Z"
        await anyio.sleep(61)
        assert facts(on)["status"] == "degraded"
        again = await searched(on, GOOD)
        assert (again["status"], again["lastCode"], again["consecutiveFailures"]) == ("healthy", None, 0)
        assert again["cooldownUntil"] is None
        assert again["lastFailAt"] == "2001-09-09T01:47:00Z"


@pytest.mark.parametrize(
    ("script", "code", "until"),
    [
        (says(429), "RATE_LIMITED", "2001-09-09T01:47:40Z"),
        (says(403), "CHALLENGED", "2001-09-09T02:01:40Z"),
        (says(401), "ENGINE_ERROR", "2001-09-09T02:46:40Z"),
    ],
)
async def test_m6_the_last_code_and_the_end_of_the_cool_down(script, code, until):
    async with stage({"a": script}) as on:
        found = await searched(on)
        assert (found["status"], found["lastCode"], found["cooldownUntil"]) == ("cooling", code, until)


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_m6_what_another_process_saw_is_known_without_asking(tmp_path):
    """Threads can't be hurried: real time."""
    scripts = {"a": says(403), "other": GOOD}
    async with stage(scripts, state_dir=tmp_path, clock=lambda: 1e9) as on:
        await searched(on)
    async with stage(scripts, state_dir=tmp_path, clock=lambda: 1e9) as on:
        found = facts(on)
    assert (found["status"], found["lastCode"]) == ("cooling", "CHALLENGED")
    assert found["lastFailAt"] == "2001-09-09T01:46:40Z"


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
async def test_m6_a_failure_that_another_process_saw_makes_it_degraded_here(tmp_path):
    """Threads can't be hurried: real time."""
    scripts = {"a": says(500), "other": GOOD}
    async with stage(scripts, state_dir=tmp_path, clock=lambda: 1e9) as on:
        await searched(on)
    async with stage(scripts, state_dir=tmp_path, clock=lambda: 1e9) as on:
        found = facts(on)
    assert (found["status"], found["consecutiveFailures"], found["cooldownUntil"]) == ("degraded", 1, None)
    assert (found["lastFailAt"], found["lastOkAt"]) == ("2001-09-09T01:46:40Z", None)


async def test_m6_endings_of_our_own_making_say_nothing_of_it():
    """Late, cancelled, skipped: it stays what it was."""
    async with stage({"a": GOOD}, concurrency=1) as on, anyio.create_task_group() as group:
        before = await searched(on)
        on.upstreams.scripts["a"] = hangs()
        group.start_soon(searched, on)
        await anyio.sleep(0.1)
        with suppress(AllFailed):
            await on.search("late", deadline_ms=100)
        with anyio.move_on_after(0.1):
            await on.search("cancelled")
        assert facts(on) == before
        group.cancel_scope.cancel()


async def test_m6_a_call_that_its_own_pace_forbids_says_nothing_of_it():
    paced = backend("a", pace=Pace(interval_s=60))
    async with stage({"a": GOOD, "other": GOOD}, paced) as on:
        before = await searched(on)
        assert (await on.search("again")).outcomes[0].status == "skipped"
        assert facts(on) == before


async def test_m6_a_backend_no_key_is_left_for_is_cooling_until_the_first_recovers():
    class Own(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
        api_key_env: str = "THE_KEY"

    keyed = backend(
        "a",
        settings=Own,
        needs=("key",),
        build=lambda _search, own: Request(url="https://a.test/", headers={"x-key": own.key}, credentialed=True),
    )
    async with stage({"a": says(402), "other": GOOD}, keyed, environment={"THE_KEY": "k1,k2,k3,k4"}) as on:
        assert (await searched(on))["status"] == "degraded"
        assert (await searched(on))["status"] == "cooling"
        found = facts(on)
        assert (found["reason"], found["cooldownUntil"]) == ("quota", "2001-09-09T02:16:40Z")
        await anyio.sleep(1801)
        await searched(on)
        await searched(on)
        assert facts(on)["cooldownUntil"] == "2001-09-09T08:16:41Z"
        await anyio.sleep(2 * 3600)
        assert facts(on)["status"] == "cooling"


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), 1e300, -1e300])
async def test_a_clock_that_tells_no_time_breaks_no_status(wrong):
    async with stage({"a": GOOD}, clock=lambda: wrong) as on:
        await searched(on)
        assert facts(on)["lastOkAt"] is None
