"""Settings that change while an engine is open (B13), and keys that come and go (B4), in virtual time."""

from __future__ import annotations

import socket
from typing import Any

import anyio
import pytest

from fanseek.config.layers import Origins
from fanseek.contract import KeyedSettings, Request
from fanseek.engine import open_engine
from fanseek.errors import AllFailed, ConfigError, NothingUsable
from fanseek.types import SearchResult
from loopback import responder, response, serve
from scripted import answers, backend, hangs, says, stage
from virtual import virtual

REAL_TIME = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
"""Sockets and threads can't be hurried."""

MANY = answers(*(f"https://{number}.test/" for number in range(20)))


class Own(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = "https://host-one.test"
    api_key_env: str = "THE_KEY"


def build(search: Any, own: Own) -> Request:
    return Request(url=f"{own.base_url}/?q={search.query}", headers={"x-key": own.key}, credentialed=bool(own.key))


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return virtual(request.param)


def status_of(result: SearchResult, name: str) -> str:
    return next((outcome.status for outcome in result.outcomes if outcome.backend == name), "not considered")


async def test_b13_what_is_saved_counts_for_the_next_search():
    async with stage({"a": MANY}) as on:
        assert len((await on.search("q")).sources) == 8
        on.engine.configure({"numResults": 3})
        assert len((await on.search("q")).sources) == 3
        on.engine.configure({})
        assert len((await on.search("q")).sources) == 8


async def test_b13_a_running_search_keeps_what_it_began_with():
    async with stage({"slow": answers(*(f"https://{n}.test/" for n in range(20)), after=4), "quick": MANY}) as on:
        found: list[SearchResult] = []

        async def search() -> None:
            found.append(await on.search("q"))

        async with anyio.create_task_group() as group:
            group.start_soon(search)
            await anyio.sleep(1)
            on.engine.configure({"numResults": 2, "backendTimeoutMs": 100, "deadlineMs": 100, "enableSlow": "off"})
            assert [outcome.backend for outcome in (await on.search("other")).outcomes] == ["quick"]
        assert len(found[0].sources) == 8
        assert status_of(found[0], "slow") == "ok"


async def test_b13_a_search_that_waits_for_the_disk_has_begun(monkeypatch):
    async with stage({"a": MANY, "b": MANY}) as on:
        found: list[SearchResult] = []
        waits, refresh = anyio.Event(), on.engine.breaker.refresh

        async def slowly() -> None:
            waits.set()
            await anyio.sleep(0.01)
            await refresh()

        async def search() -> None:
            found.append(await on.search("q"))

        monkeypatch.setattr(on.engine.breaker, "refresh", slowly)
        async with anyio.create_task_group() as group:
            group.start_soon(search)
            await waits.wait()
            on.engine.configure({"enableB": "off"})
        assert [outcome.backend for outcome in found[0].outcomes] == ["a", "b"]


@pytest.mark.parametrize(
    "wrong", [{"numResults": 0}, {"nope": 1}, {"enableA": "perhaps"}, {"aBaseURL": "ftp://x"}], ids=str
)
async def test_b13_wrong_settings_change_nothing(wrong):
    async with stage({"a": MANY}, backend("a", settings=Own)) as on:
        on.engine.configure({"numResults": 3})
        with pytest.raises(ConfigError, match=next(iter(wrong))):
            on.engine.configure({"concurrency": 9, **wrong})
        on.engine.configure()
        assert len((await on.search("q")).sources) == 3
        assert on.engine.settings.concurrency == 6


async def test_b13_the_limit_of_calls_is_the_new_one():
    async with stage({"a": answers("https://a.test/", after=1)}) as on:
        for limit in (2, 5, 1):
            on.engine.configure({"concurrency": limit})
            on.upstreams.most = 0
            async with anyio.create_task_group() as group:
                for number in range(6):
                    group.start_soon(on.search, f"{limit} {number}")
            assert on.upstreams.most == limit


async def test_b13_a_lowered_limit_waits_for_those_in_flight():
    async with stage({"a": answers("https://a.test/", after=1)}) as on:
        async with anyio.create_task_group() as group:
            for number in range(4):
                group.start_soon(on.search, f"first {number}")
            await anyio.sleep(0.5)
            on.engine.configure({"concurrency": 1})
            assert status_of(await on.search("last"), "a") == "ok"
        assert on.upstreams.most == 4


async def test_b13_the_breaker_goes_by_the_new_rules():
    async with stage({"bad": says(503), "good": MANY}) as on:
        on.engine.configure({"breakerThreshold": 1, "breakerCooldownMs": 5_000})
        await on.search("q")
        assert status_of(await on.search("q"), "bad") == "skipped"
        on.engine.configure({"breakerEnabled": False})
        assert status_of(await on.search("q"), "bad") == "server"
        on.engine.configure({})
        for _ in range(3):
            await on.search("q")
        assert status_of(await on.search("q"), "bad") == "skipped"


@pytest.mark.parametrize(
    "changed", [{"badBaseURL": "https://host-two.test"}, {"enableBad": "on"}, {"proxy": "direct"}, {}]
)
async def test_b13_a_changed_address_switch_or_way_ends_the_cooling(changed):
    scripts = {"host-one": says(401), "host-two": says(401), "cold": says(403), "good": MANY}
    async with stage(scripts, backend("bad", settings=Own, build=build)) as on:
        assert status_of(await on.search("q"), "bad") == "auth"
        assert status_of(await on.search("q"), "bad") == "skipped"
        on.engine.configure(changed)
        result = await on.search("q")
        assert status_of(result, "bad") == ("auth" if changed else "skipped")
        assert status_of(result, "cold") == ("blocked" if "proxy" in changed else "skipped")


async def test_b13_a_failure_under_the_old_key_says_nothing_about_the_new_one():
    variables = {"THE_KEY": "old"}
    keyed = backend("bad", settings=Own, build=build, needs=("key",))
    async with stage({"host-one": says(401, after=1), "good": MANY}, keyed, environment=variables) as on:
        async with anyio.create_task_group() as group:
            group.start_soon(on.search, "q")
            await anyio.sleep(0.5)
            variables["THE_KEY"] = "new"
        assert on.engine.status()[0].state != "cooling"
        assert [request.headers["x-key"] for request in on.upstreams.requests if "x-key" in request.headers] == ["old"]
        on.upstreams.scripts["host-one"] = answers("https://x.test/")
        assert status_of(await on.search("q"), "bad") == "ok"
        assert [request.headers["x-key"] for request in on.upstreams.requests if request.headers][-1] == "new"


@pytest.mark.parametrize("switch", ["auto", "on"])
async def test_b4_a_key_that_appears_between_two_searches_is_used(switch):
    """B5: until then an enabled backend says what it lacks."""
    variables: dict[str, str] = {}
    keyed = backend("keyed", settings=Own, build=build, needs=("key",))
    without = "not considered" if switch == "auto" else "skipped"
    async with stage({"host-one": MANY, "good": MANY}, keyed, environment=variables) as on:
        on.engine.configure({"enableKeyed": switch})
        first = await on.search("q")
        assert status_of(first, "keyed") == without
        assert first.sources
        assert switch == "auto" or {outcome.code for outcome in first.outcomes} == {"", "CREDENTIAL_MISSING"}
        variables["THE_KEY"] = "there"
        assert status_of(await on.search("q"), "keyed") == "ok"
        del variables["THE_KEY"]
        assert status_of(await on.search("q"), "keyed") == without


async def test_b4_the_environment_given_is_the_one_that_is_looked_at():
    """An empty mapping too: what appears in it later counts."""
    variables: dict[str, str] = {}
    async with open_engine({"enableExa": "off"}, environment=variables) as engine:
        before = {status.name for status in engine.status() if status.enabled}
        for backend_ in engine.backends.values():
            if "key" in backend_.needs:
                variables[backend_.settings().api_key_env] = "k"
        after = {status.name for status in engine.status() if status.enabled}
        costly = {name for name, one in engine.backends.items() if one.costs_tokens}
    lacking = {name for name, one in engine.backends.items() if "key" in one.needs}
    assert after - before == lacking - costly


async def test_b6_when_every_candidate_lacks_its_key_the_error_names_the_settings():
    keyed = backend("keyed", settings=Own, needs=("key",))
    async with stage({"one": MANY}, keyed) as on:
        on.engine.configure({"enableOne": "off", "enableKeyed": "on"})
        with pytest.raises(NothingUsable, match=r"settings.*unified-search.*THE_KEY"):
            await on.search("q")
        assert on.upstreams.requests == []


async def test_b7_available_is_told_without_any_socket(monkeypatch):
    def no_sockets(*_args: object, **_more: object) -> None:
        raise AssertionError

    keyed = backend("keyed", settings=Own, needs=("key",))
    variables: dict[str, str] = {}
    async with stage({"one": hangs()}, keyed, environment=variables) as on:
        monkeypatch.setattr(socket, "socket", no_sockets)
        monkeypatch.setattr(socket, "getaddrinfo", no_sockets)
        assert on.engine.available()
        on.engine.configure({"enableOne": "off"})
        assert not on.engine.available()
        variables["THE_KEY"] = "k"
        assert on.engine.available()
        monkeypatch.undo()
        assert on.upstreams.requests == []


async def test_b7_who_rests_is_available_since_all_who_rest_would_be_asked():
    async with stage({"one": says(403)}) as on:
        with pytest.raises(AllFailed):
            await on.search("q")
        assert on.engine.status()[0].state == "cooling"
        assert on.engine.available()


@REAL_TIME
async def test_b13_the_cache_is_followed(tmp_path):
    async with stage({"a": MANY}, cache_dir=tmp_path, clock=lambda: 1e9) as on:
        for enabled, asked in ((True, 1), (True, 1), (False, 2), (True, 2)):
            on.engine.configure({"cacheEnabled": enabled})
            await on.search("q")
            assert on.upstreams.asked("a") == asked


async def test_b13_what_is_above_a_harness_stays_above_it(tmp_path):
    """B15, X20: saving in a harness overrules neither flags nor the environment, and does overrule the file."""
    file = tmp_path / "config.toml"
    file.write_text("deadlineMs = 700\nconcurrency = 7\n", encoding="utf-8")
    variables = {"DSH_UNIFIED_SEARCH_BACKENDS": "ddg", "FANSEEK_NUM_RESULTS": "4"}
    async with open_engine(
        {"numResults": 2}, overrides={"rerank": True}, environment=variables, config_file=file
    ) as engine:
        engine.configure({"numResults": 9, "rerank": False, "enableExa": "on", "concurrency": 8})
        settings = engine.settings
        assert (settings.num_results, settings.rerank) == (4, True)
        assert (settings.concurrency, settings.deadline_ms) == (8, 700)
        assert [status.name for status in engine.status() if status.enabled] == ["ddg"]
        variables["FANSEEK_NUM_RESULTS"] = "5"
        file.write_text("deadlineMs = 900\n", encoding="utf-8")
        engine.configure()
        assert (engine.settings.num_results, engine.settings.deadline_ms) == (5, 900)


async def test_origins_hand_a_whole_settings_through():
    async with open_engine({"numResults": 3}) as engine:
        whole = engine.settings
    assert Origins(settings=whole).load() is whole


@REAL_TIME
async def test_b13_another_proxy_is_used_from_the_next_request_on():
    busy = responder(lambda _: response(b"", status=503))
    base = {"ddgBaseURL": "http://search.test", "breakerEnabled": False}
    environment = {"FANSEEK_BACKENDS": "ddg"}
    async with serve(busy) as first, serve(busy) as second, open_engine(base, environment=environment) as engine:
        for server in (first, second):
            engine.configure({**base, "proxy": server.url})
            before = len(server.requests)
            with pytest.raises(AllFailed, match="503"):
                await engine.search("q")
            assert len(server.requests) > before
            assert server.requests[-1].target.startswith(b"http://search.test")
