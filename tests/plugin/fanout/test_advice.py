"""What is said where backends refuse: whom to ask instead and when to come back (Q3)."""

from __future__ import annotations

import anyio
import pytest

from fanseek.contract import BackendSettings, KeyedSettings
from fanseek.errors import AllFailed
from scripted import answers, backend, fails, hangs, says, stage
from virtual import virtual

GOOD = answers("https://found.test/")


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    return virtual(request.param)


async def outcomes(on, **more):
    try:
        result = await on.search("q", **more)
    except AllFailed as problem:
        result = problem.result
    return {outcome.backend: outcome for outcome in result.outcomes}


async def message(on, **more) -> str:
    with pytest.raises(AllFailed) as caught:
        await on.search("q", **more)
    return str(caught.value)


@pytest.mark.parametrize(("headers", "wait"), [({}, 60), ({"retry_after": "7"}, 7), ({"retry_after": "86400"}, 3600)])
async def test_q3_a_rate_limit_says_whom_to_ask_instead_and_when_to_come_back(headers, wait):
    async with stage({"limited": says(429, **headers), "other": GOOD}) as on:
        outcome = (await outcomes(on))["limited"]
        assert (outcome.code, outcome.suggested_engine, outcome.retry_after) == ("RATE_LIMITED", "other", wait)
        resting = (await outcomes(on))["limited"]
        assert resting.status == "skipped"
        assert (resting.code, resting.suggested_engine, resting.retry_after) == ("RATE_LIMITED", "other", wait)
        facts = (await on.search("q2")).to_dict()["outcomes"][0]
        assert (facts["suggestedEngine"], facts["retryAfter"]) == ("other", wait)


async def test_q3_nothing_of_it_stands_with_any_other_outcome():
    async with stage({"good": GOOD, "bad": says(500), "shut": says(403)}) as on:
        for outcome in (await outcomes(on)).values():
            assert (outcome.suggested_engine, outcome.retry_after) == ("", None)


async def test_q3_nor_beside_one_of_a_rate_limit():
    async with stage({"good": GOOD, "bad": says(500), "limited": says(429)}) as on:
        found = await outcomes(on)
        assert found.pop("limited").suggested_engine == "good"
        assert {(outcome.suggested_engine, outcome.retry_after) for outcome in found.values()} == {("", None)}


async def test_q3_another_family_is_suggested_first():
    kin = backend("akin", family="limited", priority=1)
    async with stage({"limited": says(429), "akin": GOOD, "other": GOOD}, kin) as on:
        assert (await outcomes(on))["limited"].suggested_engine == "other"
        assert (await outcomes(on, backends=["limited", "akin"]))["limited"].suggested_engine == "other"
        on.engine.configure({"enableOther": "off"})
        assert (await outcomes(on))["limited"].suggested_engine == "akin"


async def test_q3_whoever_failed_is_off_rests_or_lacks_its_key_is_not_suggested():
    class Keyed(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
        api_key_env: str = "THE_KEY"

    keyed = backend("keyed", settings=Keyed, needs=("key",), priority=1)
    off = {"off": BackendSettings(enabled="off")}
    scripts = {"limited": says(429), "broken": says(500), "shut": says(403), "off": GOOD}
    async with stage(scripts, keyed, backends=off) as on:
        outcome = (await outcomes(on))["limited"]
        assert (outcome.code, outcome.suggested_engine, outcome.retry_after) == ("RATE_LIMITED", "", 60)


async def test_q3_the_wait_is_never_shorter_than_it_is():
    async with stage({"limited": says(429, retry_after="7.2"), "other": GOOD}) as on:
        assert (await outcomes(on))["limited"].retry_after == 8


async def test_q3_who_rests_or_failed_before_is_not_suggested_where_it_was_not_asked():
    async with stage({"broken": says(500), "limited": says(429), "shut": says(403)}) as on:
        await outcomes(on, backends=["shut", "broken"])
        assert (await outcomes(on, backends=["limited"]))["limited"].suggested_engine == ""


async def test_q3_who_was_too_late_just_now_is_not_suggested():
    """It counts as healthy: being late was not its fault."""
    scripts = {"limited": says(429), "slow": hangs()}
    async with stage(scripts, concurrency=1, breaker_enabled=False) as on, anyio.create_task_group() as group:
        group.start_soon(outcomes_of, on, ["slow"])
        await anyio.sleep(0.1)
        found = await outcomes(on, backends=["limited", "slow"], deadline_ms=500)
        assert (found["slow"].status, found["limited"].suggested_engine) == ("late", "")
        group.cancel_scope.cancel()


async def outcomes_of(on, backends):
    await outcomes(on, backends=backends)


async def test_q3_who_has_just_answered_comes_first_and_who_costs_tokens_last():
    dear = backend("dear", priority=1, costs_tokens=True)
    cheap, heard = backend("cheap", priority=2), backend("heard", priority=3)
    on_anyway = {"dear": BackendSettings(enabled="on")}
    scripts = {"limited": says(429), "dear": GOOD, "cheap": GOOD, "heard": GOOD}
    async with stage(scripts, dear, cheap, heard, backends=on_anyway) as on:
        assert (await outcomes(on, backends=["limited"]))["limited"].suggested_engine == "cheap"
        await anyio.sleep(61)
        assert (await outcomes(on, backends=["limited", "heard"]))["limited"].suggested_engine == "heard"
        await anyio.sleep(601)
        assert (await outcomes(on))["limited"].suggested_engine == "cheap"


async def test_q3_holds_also_where_the_breaker_is_off():
    async with stage({"limited": says(429), "other": GOOD}, breaker_enabled=False) as on:
        assert (await outcomes(on))["limited"].retry_after == 60


async def test_m9_all_cooling_is_told_from_an_ordinary_failure():
    """The sentences themselves are the catalogue's."""
    restricted = "The network, or this address of yours, may be restricted"
    async with stage({"a": fails("network"), "b": says(503)}) as on:
        said = []
        for _ in range(3):
            said.append(restricted in await message(on))
            await anyio.sleep(1)
        assert said == [False, False, True]
    async with stage({"a": says(403), "b": says(429)}) as on:
        assert restricted in await message(on)
    async with stage({"a": says(401), "b": says(402)}) as on:
        assert restricted not in await message(on)
