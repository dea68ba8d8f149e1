"""Every setting changed once, and the change seen in a request or a result.

What a setting does is looked at twice: as things are, and with the change. A backend's own settings are told by what
they are; those of one backend alone and the core's are listed. Time goes by virtually in `SEEN_IN_TIME`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest

from fanseek import open_engine
from fanseek.cli import main
from fanseek.config.options import Option, options
from fanseek.contract import Asked, Hit, Parsed
from fanseek.errors import AllFailed, UsageError
from fanseek.sandbox import Sandbox
from fanseek.types import SearchResult
from loopback import responder, response, serve
from scripted import answers, backend, fails, hangs, stage
from virtual import virtual

Settings = Mapping[str, Any]
Look = Callable[[Sandbox, Settings], Awaitable[Any]]

QUERY = "tidal turbines"
OTHER_KEY = "another-made-up-key"
ONE = "searxng"
"""Asked alone where one backend is enough: it takes every wish natively."""


@asynccontextmanager
async def opened(box: Sandbox, settings: Settings, **more: Any):
    """An engine whose user said `settings`, with nothing but the sandbox to go to."""
    environment = {**box.environment, "OTHER_KEY": OTHER_KEY}
    async with open_engine(box.settings(), overrides=settings, environment=environment, **more) as engine:
        yield engine


async def found(box: Sandbox, settings: Settings, query: str = QUERY, **wishes: Any) -> SearchResult:
    async with opened(box, settings) as engine:
        return await engine.search(query, **wishes)


async def sent(box: Sandbox, settings: Settings, name: str, query: str = QUERY, **wishes: Any) -> list[Asked]:
    """What one backend was sent, asked alone."""
    box.log.clear()
    await found(box, settings, query, backends=[name], **wishes)
    return list(box.log[name])


def parameter(name: str, of: str = ONE, **wishes: Any) -> Look:
    """The values of one parameter of what `of` was sent, sorted: requests of one search leave at the same time."""

    async def look(box: Sandbox, settings: Settings) -> list[str]:
        targets = [asked.target for asked in await sent(box, settings, of, **wishes)]
        return sorted(value for target in targets for value in parse_qs(urlsplit(target).query).get(name, [""]))

    return look


def told(name: str, part: str, **more: Any) -> Look:
    """One part of the JSON body that `name` was sent, under `more` settings."""

    async def look(box: Sandbox, settings: Settings) -> Any:
        whole = json.loads((await sent(box, {**more, **settings}, name))[0].body)
        return next(value for key, value in _walk(whole) if key == part)

    return look


def _walk(whole: Any) -> Any:
    """Every key and value of a JSON document."""
    pairs = whole.items() if isinstance(whole, dict) else enumerate(whole) if isinstance(whole, list) else ()
    for key, value in pairs:
        yield key, value
        yield from _walk(value)


async def results(box: Sandbox, settings: Settings) -> int:
    return len((await found(box, settings)).sources)


async def reached_by(box: Sandbox, settings: Settings) -> list[str]:
    """Who is spoken to about a host of another machine: nobody by its name, or a proxy."""
    async with serve(responder(lambda _: response(status=503))) as proxy:
        given = {key: proxy.url if key == "proxy" else value for key, value in settings.items()}
        with pytest.raises(AllFailed):
            await found(box, {"searxngBaseURL": "http://nowhere.invalid", **given}, backends=[ONE])
        return sorted({request.target.decode().partition("/search")[0] for request in proxy.requests})


async def domains_sent(box: Sandbox, settings: Settings) -> int:
    (asked,) = await sent(box, settings, "tavily", include_domains=[f"{name}.test" for name in "abcdefgh"])
    return len(json.loads(asked.body)["include_domains"])


async def refused(box: Sandbox, settings: Settings) -> bool:
    try:
        await found(box, settings, max_results=51)
    except UsageError:
        return True
    return False


POLITE = "Hello, please tell me about tidal turbines"
COMPOUND = "compare tidal turbines and wave power for islands in the north"
PARTS = [COMPOUND, "tidal turbines", "wave power for islands in the north"]

CORE: dict[str, tuple[Any, Look, Any, Any]] = {
    "numResults": (3, results, 8, 3),
    "recency": ("week", parameter("time_range"), [""], ["week"]),
    "language": ("de", parameter("language"), ["all"], ["de"]),
    "region": ("fr", parameter("country", "brave"), ["ALL"], ["FR"]),
    "maxDomains": (7, domains_sent, 5, 7),
    "strictArguments": (True, refused, False, True),
    "shapeQuery": (False, parameter("q", query=POLITE), ["tidal turbines"], [POLITE]),
    "multiQueryEnabled": (True, parameter("q", query=COMPOUND), [COMPOUND], PARTS),
    "deepCoverage": (True, parameter("count", "brave"), ["10"], ["12"]),
    "safeSearch": (False, parameter("safesearch"), ["1"], ["0"]),
    "proxy": ("a proxy", reached_by, [], ["http://nowhere.invalid"]),
}
"""The changed value, the look, and what is seen without and with it."""

ELSEWHERE = {
    *("cacheEnabled", "cacheTtl", "deepseekMode", "historyEnabled", "lang", "resultTelemetry", "tavilyKeyless"),
    "timeZone",
}
"""Settings that have a test of their own below."""

OWN: dict[str, tuple[Any, Look, Any, Any]] = {
    "anthropicMaxSearches": (2, told("anthropic", "max_uses"), 3, 2),
    "anthropicModel": ("other", told("anthropic", "model"), "claude-sonnet-4-6", "other"),
    "deepseekMaxSearches": (2, told("deepseek", "max_uses", deepseekMode="messages"), 3, 2),
    "deepseekModel": ("other", told("deepseek", "model", deepseekMode="messages"), "deepseek-v4-flash", "other"),
    "openaiMaxSearches": (2, told("openai", "max_tool_calls"), 3, 2),
    "openaiModel": ("other", told("openai", "model"), "gpt-5-mini", "other"),
    "tavilySearchDepth": ("advanced", told("tavily", "search_depth"), "basic", "advanced"),
}


@pytest.fixture(scope="module")
def box():
    from fanseek.sandbox import running

    with running() as box:
        yield box


@pytest.mark.parametrize("key", [*CORE, *OWN])
async def test_a_setting_is_seen_in_a_request_or_a_result(box: Sandbox, key: str) -> None:
    value, look, before, after = {**CORE, **OWN}[key]
    assert await look(box, {}) == before
    assert await look(box, {key: value}) == after


def of_backends(sort: Callable[[Option], bool]) -> list[str]:
    return [key for key, option in options().items() if option.backend and sort(option)]


@pytest.mark.parametrize("key", of_backends(lambda option: option.is_switch))
async def test_a_switch_decides_who_is_asked(box: Sandbox, key: str) -> None:
    name = options()[key].backend
    others = {other: "off" for other in of_backends(lambda option: option.is_switch) if other != key}
    rest = next(other for other in others if other != key)
    for switch, asked in (("on", True), ("off", False)):
        box.log.clear()
        await found(box, {**others, rest: "on", key: switch})
        assert bool(box.log[name].count) == asked


@pytest.mark.parametrize("key", of_backends(lambda option: option.is_base_url))
async def test_c23_an_address_decides_where_it_is_asked(box: Sandbox, key: str) -> None:
    option = options()[key]
    usual = box.settings()[key]
    await sent(box, {}, option.backend)
    assert not any("/mirror" in asked.target for asked in box.log[option.backend])
    here = f"{box.url}/{option.backend}"
    box.log.clear()
    async with opened(box, {key: usual.replace(here, f"{here}/mirror")}) as engine:
        with suppress(AllFailed):  # the stand-in may know only the usual path
            await engine.search(QUERY, backends=[option.backend])
    assert box.log[option.backend].count
    assert all(asked.target.startswith("/mirror") for asked in box.log[option.backend])


@pytest.mark.parametrize("key", of_backends(lambda option: option.is_reference))
async def test_n14_a_renamed_reference_reads_the_other_variable(box: Sandbox, key: str) -> None:
    name = options()[key].backend

    def holds(asked: Asked) -> bool:
        return OTHER_KEY in f"{asked.target} {asked.headers} {asked.body!r}"

    assert not any(map(holds, await sent(box, {}, name)))
    assert any(map(holds, await sent(box, {key: "OTHER_KEY"}, name)))


@pytest.mark.parametrize("key", of_backends(lambda option: option.field == "rate_per_minute"))
async def test_an_own_pace_leaves_a_second_search_no_turn(box: Sandbox, key: str) -> None:
    name = options()[key].backend
    for value, seen in ((0, ["ok", "ok"]), (1, ["ok", "skipped"])):
        async with opened(box, {key: value}) as engine:
            statuses = []
            for query in ("one", "two"):
                try:
                    result = await engine.search(query, backends=[name])
                except AllFailed as problem:
                    result = problem.result
                statuses += [outcome.status for outcome in result.outcomes]
        assert statuses == seen


async def test_tavily_is_asked_without_a_key_only_when_told_to(box: Sandbox) -> None:
    assert "tavilyKeyless" in options()
    for keyless, lacks in ((False, True), (True, False)):
        box.log.clear()
        async with open_engine(box.settings(), overrides={"tavilyKeyless": keyless}) as engine:
            result = await engine.search(QUERY, backends=["tavily", ONE])
        (outcome,) = (each for each in result.outcomes if each.backend == "tavily")
        assert (outcome.code == "CREDENTIAL_MISSING") == lacks
        assert bool(box.log["tavily"].count) == (not lacks)


async def test_deepseek_s_mode_decides_what_it_is_asked(box: Sandbox) -> None:
    (search,) = await sent(box, {}, "deepseek")
    (messages,) = await sent(box, {"deepseekMode": "messages"}, "deepseek")
    assert search.target != messages.target
    assert "deepseekMode" in options()


async def test_the_time_zone_decides_which_day_it_is(box: Sandbox) -> None:
    """Half an hour into a day by UTC, seen in what a week before today is."""
    assert "timeZone" in options()
    started = []
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        box.log.clear()
        async with opened(box, {"timeZone": zone, "recency": "week"}, clock=lambda: 1_796_085_000.0) as engine:
            await engine.search(QUERY, backends=["mojeek"])
        started += [parse_qs(urlsplit(asked.target).query)["since"] for asked in box.log["mojeek"]]
    assert started == [["20261124"], ["20261123"]]


MANY = answers(*(f"https://{number}.test/" for number in range(20)))


async def slots(settings: Settings) -> int:
    """The most calls to one backend at once."""
    async with stage({"a": answers("https://a.test/", after=1)}) as on:
        on.engine.configure(settings)
        async with anyio.create_task_group() as group:
            for number in range(9):
                group.start_soon(on.search, f"q{number}")
        return on.upstreams.most


async def patience(settings: Settings) -> str:
    """What is said of one that never answers."""
    async with stage({"a": hangs(), "good": MANY}) as on:
        on.engine.configure(settings)
        return (await on.search("q")).outcomes[0].message


async def rests(settings: Settings) -> list[str]:
    """How one that fails fares in five searches, five seconds apart."""
    statuses = []
    async with stage({"bad": fails("server"), "good": MANY}) as on:
        on.engine.configure(settings)
        for _ in range(5):
            statuses.append((await on.search("q")).outcomes[0].status)
            await anyio.sleep(5)
    return statuses


@pytest.fixture
def clock() -> list[float]:
    """Unix time, to be set."""
    return [1e9]


@pytest.mark.parametrize("change", [{"cacheEnabled": False}, {"cacheTtl": 5}], ids=str)
async def test_a_setting_is_seen_in_what_is_asked_again(
    tmp_path: Path, clock: list[float], change: dict[str, Any]
) -> None:
    """Three searches, ten seconds and a quarter of an hour apart."""
    for settings, expected in (({}, [1, 1, 2]), (change, [1, 2, 3])):
        asked = []
        async with stage({"a": MANY}, cache_dir=tmp_path / str(len(settings)), clock=lambda: clock[0]) as on:
            on.engine.configure(settings)
            for pause in (10, 900, 0):
                await on.search("q")
                asked.append(on.upstreams.asked("a"))
                clock[0] += pause
        assert asked == expected


@pytest.mark.parametrize("kept", [True, False])
async def test_o7_the_history_is_kept_or_not(box: Sandbox, tmp_path: Path, kept: bool) -> None:
    settings = {"historyEnabled": kept}
    async with open_engine(
        box.settings(), overrides=settings, environment=box.environment, history_dir=tmp_path
    ) as engine:
        await engine.search(QUERY, backends=[ONE])
    async with open_engine(history_dir=tmp_path) as engine:
        assert [entry.query for entry in await engine.history()] == ([QUERY] if kept else [])
    assert bool(list(tmp_path.iterdir())) == kept


@pytest.mark.parametrize("shown", [True, False])
def test_the_health_line_of_the_command_can_be_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], shown: bool
) -> None:
    monkeypatch.setenv("FANSEEK_CONFIG", os.devnull)
    assert main(["search", "q", "--sandbox", "--set", f"resultTelemetry={shown}"]) == 0
    assert ("[websearch backends]" in capsys.readouterr().out) == shown


@pytest.mark.parametrize(("lang", "words"), [("en", "no results"), ("zh", "没有结果")])
def test_the_language_of_messages(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes], lang: str, words: str
) -> None:
    monkeypatch.setenv("FANSEEK_CONFIG", os.devnull)
    assert main(["search", "q", "--sandbox", "--fault", "*=empty", "--set", f"lang={lang}"]) == 0
    assert words in capfdbinary.readouterr().out.decode()


TITLED = (
    Hit(url="https://one.test/a", title="Moss and lichen of the northern fells"),
    Hit(url="https://two.test/b", title="How tidal turbines survive the winter storms"),
    Hit(url="https://three.test/c", title="How tidal turbines survive the winter storms"),
)


async def merged(settings: Settings) -> list[str]:
    """What three pages come to, two of which hold the same text."""
    async with stage({"a": answers()}, backend("a", parse=lambda _: Parsed(hits=TITLED))) as on:
        on.engine.configure(settings)
        return [source.domain for source in (await on.search(QUERY)).sources]


SERVED, RESTED = "server", "skipped"
SEEN_IN_TIME: dict[str, tuple[Any, Callable[[Settings], Awaitable[Any]], Any, Any]] = {
    "concurrency": (2, slots, 6, 2),
    "deadlineMs": (
        1000,
        patience,
        'backend "a" timed out after 10000 ms',
        'backend "a" timed out after 800 ms',
    ),
    "backendTimeoutMs": (
        300,
        patience,
        'backend "a" timed out after 10000 ms',
        'backend "a" timed out after 300 ms',
    ),
    "dedupStrategy": ("url+title", merged, ["one.test", "two.test", "three.test"], ["one.test", "two.test"]),
    "rerank": (True, merged, ["one.test", "two.test", "three.test"], ["two.test", "three.test", "one.test"]),
    "breakerEnabled": (False, rests, [SERVED] * 3 + [RESTED] * 2, [SERVED] * 5),
    "breakerThreshold": (1, rests, [SERVED] * 3 + [RESTED] * 2, [SERVED] + [RESTED] * 4),
    "breakerCooldownMs": (4000, rests, [SERVED] * 3 + [RESTED] * 2, [SERVED] * 5),
}


@pytest.mark.parametrize("key", SEEN_IN_TIME)
@pytest.mark.parametrize("anyio_backend", [virtual("asyncio"), virtual("trio")], ids=["asyncio", "trio"])
async def test_a_setting_is_seen_in_how_things_go(anyio_backend: object, key: str) -> None:
    value, look, before, after = SEEN_IN_TIME[key]
    assert await look({}) == before
    assert await look({key: value}) == after


def test_no_setting_is_left_out() -> None:
    kinds = ("is_switch", "is_base_url", "is_reference")
    by_kind = {
        key
        for key, option in options().items()
        if option.backend and (any(getattr(option, kind) for kind in kinds) or option.field == "rate_per_minute")
    }
    listed = [*CORE, *OWN, *SEEN_IN_TIME, *ELSEWHERE, *by_kind]
    assert sorted(listed) == sorted(options())
