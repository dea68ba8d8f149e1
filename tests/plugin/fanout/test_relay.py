"""A call with several keys: which failures hand it on, what is remembered, what is told. In virtual time."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager

import anyio
import msgspec
import pytest

from fanseek.contract import Failure, KeyedSettings, Request
from fanseek.errors import AllFailed
from fanseek.http.redact import Redactor
from scripted import answers, backend, fails, hangs, says, stage
from virtual import virtual

HOUR = 3600.0


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request):
    return virtual(request.param)


class Own(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    api_key_env: str = "THE_KEY"


def build(search, own) -> Request:
    return Request(url=f"https://keyed.test/?q={search.query}", headers={"x-key": own.key}, credentialed=True)


def classify(response) -> Failure | None:
    """As services do it whose keys travel: 403 is about the key, spent credits come under many a status."""
    if response.status in (401, 403):
        return Failure(kind="auth", message=f"refused: {response.text}")
    if response.status in (402, 432, 433) or b"quota exceeded" in response.body:
        return Failure(kind="quota", message="used up")
    return None


KEYED = backend("keyed", settings=Own, build=build, needs=("key",), classify=classify)


def by_key(**scripts):
    """Each key has a script of its own."""

    async def script(request):
        return await scripts[request.headers["x-key"]](request)

    return script


GOOD = answers("https://found.test/")


@asynccontextmanager
async def on_stage(value="k1,k2,k3", others=(), **scripts):
    """One keyed backend, each of its keys answered by its own script; GOOD where there is none."""
    known = {key: scripts.get(key, GOOD) for key in value.replace("\n", ",").split(",")} | scripts
    environment = {"THE_KEY": value}
    async with stage({"keyed": by_key(**known), **dict.fromkeys(others, GOOD)}, KEYED, environment=environment) as on:
        on.environment = environment
        yield on


def used(on) -> list[str]:
    return [request.headers["x-key"] for request in on.upstreams.requests if "x-key" in request.headers]


async def asked(on, query="q", **more):
    """The keyed backend's outcome, and the keys this search used."""
    before = len(used(on))
    try:
        result = await on.search(query, **more)
    except AllFailed as problem:
        result = problem.result
    outcome = next(outcome for outcome in result.outcomes if outcome.backend == "keyed")
    return outcome, used(on)[before:]


async def test_bc_036_the_next_key_is_used_where_the_failure_was_the_key_s():
    async with on_stage(k1=says(429), k2=says(401), k3=GOOD) as on:
        outcome, keys = await asked(on)
        assert keys == ["k1", "k2", "k3"]
        assert outcome.status == "ok"
        assert [attempt.status for attempt in outcome.attempts] == ["rate-limit", "auth", "ok"]
        assert (await asked(on))[1] == ["k3"]
        await anyio.sleep(61)
        assert {(await asked(on, f"q{n}"))[1][0] for n in range(4)} == {"k1", "k3"}


@pytest.mark.parametrize("status", [401, 402, 403, 429, 432, 433])
async def test_bc_036_bc_037_these_are_about_the_key(status):
    async with on_stage("k1,k2", k1=says(status)) as on:
        outcome, keys = await asked(on)
        assert (keys, outcome.status) == (["k1", "k2"], "ok")
        assert on.engine.status()[0].state == "healthy"
        assert {(await asked(on, f"q{n}"))[1][0] for n in range(4)} == {"k2"}


@pytest.mark.parametrize(
    "script",
    [says(400), says(404), says(422), says(500), says(503), fails("timeout"), fails("network"), says(200, "nonsense")],
    ids=["400", "404", "422", "500", "503", "timeout", "dropped", "unreadable"],
)
async def test_bc_036_n6_these_are_not_and_cost_one_key(script):
    async with on_stage(k1=script, k2=script, k3=script) as on:
        outcome, keys = await asked(on)
        assert len(keys) == 1
        assert outcome.status not in ("ok", "auth", "quota", "rate-limit")
        on.upstreams.scripts["keyed"] = GOOD
        for expected in ("k2", "k3", "k1"):
            assert (await asked(on, expected))[1] == [expected]


async def test_n6_a_hanging_call_costs_one_key():
    async with on_stage(k1=hangs(), k2=hangs(), k3=hangs()) as on:
        outcome, keys = await asked(on)
        assert (outcome.status, len(keys)) == ("timeout", 1)


async def test_a_refusal_of_a_call_without_the_key_is_no_fault_of_the_key():
    """A backend may be told to keep its key from some addresses."""
    it = backend("keyed", settings=Own, build=lambda _search, _own: Request(url="https://keyed.test/"))
    scripts = {"keyed": says(429), "other": GOOD}
    async with stage(scripts, it, environment={"THE_KEY": "k1,k2,k3"}) as on:
        assert (await asked(on))[0].status == "rate-limit"
        assert on.upstreams.asked("keyed") == 1
        assert (await asked(on))[0].message.startswith("circuit open")


async def test_n7_a_spent_quota_counts_under_any_status_and_a_block_does_not():
    async with on_stage("k1,k2", k1=says(200, "quota exceeded")) as on:
        assert (await asked(on))[1] == ["k1", "k2"]
    async with on_stage("k1,k2", k1=says(451), k2=says(451)) as on:
        outcome, keys = await asked(on)
        assert (outcome.status, keys) == ("blocked", ["k1"])


async def test_n1_keys_are_used_in_turn():
    async with on_stage() as on:
        assert [(await asked(on, f"q{n}"))[1] for n in range(6)] == [["k1"], ["k2"], ["k3"]] * 2


async def test_at_most_three_keys_are_used_up_and_those_left_keep_the_backend_in_the_race():
    refused = says(401, "no")
    async with on_stage("k1,k2,k3,k4,k5", k1=refused, k2=refused, k3=refused) as on:
        outcome, keys = await asked(on)
        assert keys == ["k1", "k2", "k3"]
        assert outcome.status == "auth"
        assert outcome.retryable
        assert outcome.retry_after_s == 0
        assert "2 more of its keys can be used" in outcome.message
        assert on.engine.breaker.state("keyed") == "closed"
        outcome, keys = await asked(on)
        assert (outcome.status, len(keys)) == ("ok", 1)


@pytest.mark.parametrize(
    ("script", "lengths"),
    [
        (says(401), [HOUR, 6 * HOUR, 24 * HOUR]),
        (says(402), [HOUR / 2, 6 * HOUR, 24 * HOUR]),
        (says(429), [60, 300, 900]),
        (says(429, retry_after="90"), [90, 90]),
    ],
    ids=["401", "402", "429", "429 with Retry-After 90"],
)
async def test_n2_n3_n4_n9_a_key_rests_and_meanwhile_nothing_is_sent(script, lengths):
    async with on_stage("k1", others=["other"], k1=script) as on:
        for length in lengths:
            assert (await asked(on))[1] == ["k1"]
            await anyio.sleep(length - 5)
            outcome, keys = await asked(on)
            assert keys == []
            assert (outcome.status, outcome.code) == ("skipped", "KEYS_EXHAUSTED")
            assert outcome.retry_after_s == pytest.approx(5)
            await anyio.sleep(5.5)


async def test_n9_when_all_keys_rest_the_answer_comes_at_once_and_names_the_time():
    async with on_stage(
        "k1aaaaaaaaaaaaaaaa,k2bbbbbbbbbbbbbbbb", k1aaaaaaaaaaaaaaaa=says(401), k2bbbbbbbbbbbbbbbb=says(429)
    ) as on:
        first, keys = await asked(on)
        assert len(keys) == 2
        assert first.status == "rate-limit"
        assert first.retry_after_s == pytest.approx(60)
        began = anyio.current_time()
        outcome, keys = await asked(on)
        assert keys == []
        assert anyio.current_time() - began == pytest.approx(0, abs=0.01)
        assert outcome.code == "KEYS_EXHAUSTED"
        assert outcome.retryable
        assert outcome.message == (
            "not asked: all 2 keys of THE_KEY rest after failures (rate-limit); slot 2 ••••bbbb is the first to be "
            "used again, in 60 s, at 2001-09-09T01:47:40Z; a new key is used at once"
        )


async def test_n9_holds_also_when_every_other_backend_is_cooling():
    """M3 asks all of them; a key that rests is not asked all the same."""
    async with on_stage("k1", others=["other"], k1=says(401)) as on:
        on.upstreams.scripts["other"] = says(403)
        await asked(on)
        asked_other = on.upstreams.asked("other")
        outcome, keys = await asked(on)
        assert (keys, outcome.code) == ([], "KEYS_EXHAUSTED")
        assert on.upstreams.asked("other") == asked_other + 1


async def test_bc_036_a_changed_key_is_used_at_once():
    """The bench of a refused key holds for that key: what is put in its place has no history."""
    async with on_stage("k1", others=["other"], k1=says(401), k9=GOOD) as on:
        await asked(on)
        assert (await asked(on))[1] == []
        on.environment["THE_KEY"] = "k9"
        outcome, keys = await asked(on)
        assert (outcome.status, keys) == ("ok", ["k9"])
        on.environment["THE_KEY"] = "k1"
        assert (await asked(on))[0].code == "KEYS_EXHAUSTED"


async def test_n8_reordering_and_adding_keys_keeps_what_is_known_of_each():
    async with on_stage("k1,k2", k1=says(401), k3=GOOD) as on:
        await asked(on)
        for value in ("k2,k1", "k3,k1,k2", "k1\nk3"):
            on.environment["THE_KEY"] = value
            assert "k1" not in [key for n in range(4) for key in (await asked(on, f"{value}{n}"))[1]]


async def test_n5_success_clears_strikes():
    async with on_stage("k1", others=["other"], k1=says(429)) as on:
        for expected in (60, 300):
            await asked(on)
            assert (await asked(on))[0].retry_after_s == pytest.approx(expected)
            await anyio.sleep(expected + 0.5)
        on.upstreams.scripts["keyed"] = GOOD
        assert (await asked(on))[0].status == "ok"
        on.upstreams.scripts["keyed"] = says(429)
        await asked(on)
        assert (await asked(on))[0].retry_after_s == pytest.approx(60)


async def test_all_tries_share_one_cap():
    async with on_stage(k1=says(429, after=4), k2=says(429, after=4), k3=hangs()) as on:
        began = anyio.current_time()
        outcome, keys = await asked(on)
        assert keys == ["k1", "k2", "k3"]
        assert anyio.current_time() - began == pytest.approx(10)
        assert outcome.status == "timeout"


async def test_no_key_is_tried_when_the_time_is_up():
    async with on_stage(k1=says(429, after=6), k2=says(429, after=4), k3=GOOD) as on:
        _, keys = await asked(on, deadline_ms=12_500)
        assert keys == ["k1", "k2"]


async def test_the_same_search_at_the_same_time_is_made_once_and_takes_one_turn():
    async with on_stage(k1=answers("https://a.test/", after=1), k2=GOOD) as on:
        async with anyio.create_task_group() as group:
            for _ in range(5):
                group.start_soon(asked, on, "same")
        assert used(on) == ["k1"]
        assert (await asked(on, "next"))[1] == ["k2"]


async def test_keys_that_fail_in_calls_at_once_are_struck_once():
    async with on_stage("k1", others=["other"], k1=says(429, after=1)) as on:
        async with anyio.create_task_group() as group:
            for number in range(4):
                group.start_soon(asked, on, f"q{number}")
        assert (await asked(on))[0].retry_after_s == pytest.approx(60)


async def test_a_key_found_wanting_meanwhile_is_not_tried():
    """A second call in flight leaves out what the first has just learnt."""
    async with on_stage("k1,k2,k3", k1=says(401, after=2), k2=says(401, after=1), k3=GOOD) as on:
        async with anyio.create_task_group() as group:
            group.start_soon(asked, on, "one")
            await anyio.sleep(0.1)
            group.start_soon(asked, on, "two")
        assert sorted(used(on)) == ["k1", "k2", "k3", "k3"]


async def test_what_is_no_key_is_told_with_the_answer():
    async with on_stage("k1", k1=GOOD) as on:
        on.environment["THE_KEY"] = "k1,'k2'"
        outcome, keys = await asked(on)
        assert (outcome.status, keys) == ("ok", ["k1"])
        assert outcome.warnings == ("THE_KEY (environment): it has quotes in it: leave them out",)


async def test_b5_a_placeholder_is_no_key_and_is_named():
    async with on_stage("your-api-key", others=["other"]) as on:
        on.environment["THE_KEY_OLD"] = "k"
        outcome, keys = await asked(on, backends=["keyed", "other"])
        assert (outcome.code, keys) == ("CREDENTIAL_MISSING", [])
        assert "THE_KEY (environment): it is a placeholder" in outcome.message
        assert "THE_KEY_OLD is set and is not a name that is read" in outcome.message


async def test_a_request_that_can_t_be_built_with_one_key_costs_that_call():
    def picky(search, own) -> Request:
        if own.key == "k2":
            raise ValueError
        return build(search, own)

    it = backend("keyed", settings=Own, build=picky, needs=("key",), classify=classify)
    async with stage({"keyed": by_key(k1=says(401))}, it, environment={"THE_KEY": "k1,k2"}) as on:
        outcome, keys = await asked(on)
        assert keys == ["k1"]
        assert outcome.status == "server"


async def test_n11_no_key_is_seen_anywhere_but_its_last_characters(caplog):
    caplog.set_level(logging.DEBUG)
    pool = ["sk-canary-0123456789abcdef", "CANARY_9f8e7d6c5b4a", "canary-short"]
    redactor = Redactor(*pool)
    echo = {key: says(401, f"invalid key {key}") for key in pool}
    async with stage(
        {"keyed": by_key(**echo)}, KEYED, environment={"THE_KEY": ",".join(pool)}, clean=redactor.clean
    ) as on:
        seen = ""
        for _ in range(2):
            with pytest.raises(AllFailed) as caught:
                await on.search("q")
            seen += f"{caught.value} {caught.value.result.to_dict()} {msgspec.json.encode(on.engine.status()).decode()}"
        seen += f"{on.events} {caplog.text}"
    assert not [key for key in pool if key in seen or key[:-4] in seen]
    assert "slot 1 ••••cdef" in seen
