"""The whole examination, against the sandbox and against proxies, on real sockets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from email.utils import formatdate
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest

from fanseek.config.layers import Origins
from fanseek.engine import open_engine
from fanseek.errors import UsageError
from fanseek.guard.key_file import KeyFile
from fanseek.registry import backends
from fanseek.sandbox import Sandbox
from fanseek.surface.doctor.examination import Case, examined
from fanseek.surface.doctor.probes import Unwatched
from fanseek.surface.doctor.report import Checked, Report
from loopback import authority, responder, response, serve
from proxies import behind_tls, closed_port, tunnel

NOW = 1_800_000_000.0
CANARY = "CANARY-7f3a9c"
HOST = "search.example.test"
ALIAS = "127.1"
"""This machine, by a name that is not taken for it: proxies are asked for it."""


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http", "https", "all", "no"):
        monkeypatch.delenv(f"{name}_proxy", raising=False)
        monkeypatch.delenv(f"{name}_proxy".upper(), raising=False)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The tests' own certificate authority is trusted."""
    authority().cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))


def case(place: Path, settings: Mapping[str, Any], environment: Mapping[str, str] | None = None, **more: Any) -> Case:
    return Case(
        **{
            "origins": Origins(overrides=settings, environment=environment or {}),
            "backends": backends(),
            "config": place / "config.toml",
            "state": place / "state",
            "cache": place / "cache",
            **more,
        }
    )


async def report(one: Case, **more: Any) -> Report:
    return await examined(one, **{"clock": lambda: NOW, "stop": anyio.Event(), "watch": Unwatched(), **more})


@asynccontextmanager
async def sandbox(**shape: Any) -> AsyncIterator[Sandbox]:
    async with Sandbox(**shape) as box:
        yield box


def of(found: Report, name: str) -> Checked:
    return next(one for one in found.backends if one.name == name)


def codes(one: Checked | Report) -> list[str]:
    return [each.code for each in (one.findings if isinstance(one, Checked) else one.surroundings)]


async def test_everyone_who_answers(tmp_path: Path) -> None:
    async with sandbox() as box:
        found = await report(case(tmp_path, box.settings(), box.environment, spend=True))
        asked = {name: log.count for name, log in box.log.items() if log.count}
    assert found.status == "ok"
    assert found.summary.code == "summary.ok"
    assert all(one.answers and one.enabled and one.addresses[0].probe.ms > 0 for one in found.backends)
    assert len(found.backends) == len(backends()) == len(asked)


async def test_each_is_asked_one_small_question(tmp_path: Path) -> None:
    """MCP needs an initialisation, the others one request."""
    async with sandbox() as box:
        found = await report(case(tmp_path, box.settings(), box.environment, spend=True))
        counts = {name: log.count for name, log in box.log.items()}
    assert {name: count for name, count in counts.items() if count != 1} == {"exa": 3, "parallel": 3}
    assert of(found, "brave").addresses[0].probe.hits <= 3


@pytest.mark.parametrize(
    ("fault", "status", "advice"),
    [
        ("captcha", "blocked", "advice.blocked"),
        ("401", "auth", "advice.auth"),
        ("503", "server", "advice.server"),
        ("rate-limit", "rate-limit", "advice.rate-limit"),
        ("hang", "timeout", "advice.timeout"),
        ("malformed", "format", "advice.format"),
        ("drop", "network", "advice.network"),
    ],
)
async def test_a_failure_has_its_class_and_advice(tmp_path: Path, fault: str, status: str, advice: str) -> None:
    async with sandbox(faults=[("brave", fault)]) as box:
        settings = {**box.settings(), "deadlineMs": 2000}
        found = await report(case(tmp_path, settings, box.environment, only=("brave", "exa")))
    brave = of(found, "brave")
    assert (brave.answers, brave.addresses[0].probe.status) == (False, status)
    assert codes(brave) == [advice]
    assert of(found, "exa").answers
    assert found.status == "ok"
    assert found.summary.fields == {"answering": 1, "asked": 2}


async def test_a_refusal_without_a_key_is_not_blamed_on_one(tmp_path: Path) -> None:
    async with sandbox(faults=[("exa", "401")]) as box:
        found = await report(case(tmp_path, box.settings(), only=("exa",)))
    (exa,) = found.backends
    assert codes(exa) == ["advice.auth.keyless"]
    assert "a key may help" in exa.findings[0].message


async def test_who_is_off_and_why(tmp_path: Path) -> None:
    settings = {"enableExa": "off", "tavilyApiKeyEnv": "", "enableSerper": "on"}
    environment = {
        "FANSEEK_ENABLE_DDG": "off",
        "OPENAI_API_KEY": CANARY,
        "BRAVE_API_KEY": "your-key-here",
        "MOJEEK_API_KEY_X": "k",
    }
    found = await report(case(tmp_path, settings, environment, offline=True))
    (exa,) = of(found, "exa").findings
    assert exa.message == "off: enableExa is off (flag)"
    assert of(found, "ddg").findings[0].message == "off: enableDdg is off (FANSEEK_ENABLE_DDG)"
    assert codes(of(found, "tavily")) == ["off.reference"]
    assert of(found, "serper").findings[0].level == "problem"
    assert "get one: https://serper.dev" in of(found, "serper").findings[0].message
    assert codes(of(found, "openai")) == ["off.costs"]
    assert codes(of(found, "brave")) == ["off.key", "key.unusable"]
    assert codes(of(found, "mojeek")) == ["off.key", "key.stranger"]
    assert [one.name for one in found.backends if one.enabled] == ["parallel", "searxng"]
    assert CANARY not in repr(found)


async def test_where_a_key_was_found(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    keys.store("BRAVE_API_KEY", [f"{CANARY}-one", f"{CANARY}-two"])
    environment = {"SERPER_API_KEY": f"{CANARY}-three"}
    found = await report(case(tmp_path, {}, environment, key_file=keys, offline=True))
    brave, serper, exa = (of(found, name).key for name in ("brave", "serper", "exa"))
    assert (brave.place, brave.keys, brave.required) == ("key file", 2, True)
    assert (serper.place, serper.keys) == ("environment", 1)
    assert (exa.place, exa.required, exa.reference) == ("", False, "EXA_API_KEY")
    assert CANARY not in msgspec.json.encode(found).decode()


async def test_offline_asks_nobody(tmp_path: Path) -> None:
    async with sandbox() as box:
        found = await report(case(tmp_path, box.settings(), box.environment, offline=True))
        assert sum(log.count for log in box.log.values()) == 0
    assert (found.status, found.summary.code) == ("unasked", "summary.offline")
    assert all(one.answers is None for one in found.backends)


async def test_who_costs_tokens_is_asked_only_when_told(tmp_path: Path) -> None:
    dear = {name for name, backend in backends().items() if backend.costs_tokens}
    async with sandbox() as box:
        found = await report(case(tmp_path, box.settings(), box.environment))
        asked = {name for name, log in box.log.items() if log.count}
    assert dear
    assert not asked & dear
    assert {one.name for one in found.backends if "unasked.costs" in codes(one)} == dear
    assert found.status == "ok"


async def test_named_backends_are_asked_although_they_are_off(tmp_path: Path) -> None:
    async with sandbox() as box:
        settings = {**box.settings(), "enableDdg": "off"}
        found = await report(case(tmp_path, settings, box.environment, only=("ddg",)))
    (ddg,) = found.backends
    assert (ddg.enabled, ddg.answers, codes(ddg)) == (False, True, ["off.setting"])


async def test_an_unknown_backend_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown backend 'nobody'; known: "):
        await report(case(tmp_path, {}, only=("nobody",)))


async def test_every_searxng_instance_is_asked_by_itself(tmp_path: Path) -> None:
    with closed_port() as port:
        async with sandbox() as good, sandbox(faults=[("searxng", "captcha")]) as bad:
            bases = [f"http://127.0.0.1:{port}", good.settings()["searxngBaseURL"], bad.settings()["searxngBaseURL"]]
            settings = {"searxngBaseURL": ",".join(bases), "deadlineMs": 5000}
            found = await report(case(tmp_path, settings, only=("searxng",)))
            counts = (good.log["searxng"].count, bad.log["searxng"].count)
    (searxng,) = found.backends
    assert [(address.probe.origin, address.probe.status) for address in searxng.addresses] == [
        (f"http://127.0.0.1:{port}", "network"),
        (good.url, "ok"),
        (bad.url, "blocked"),
    ]
    assert searxng.answers
    assert codes(searxng) == []
    assert counts[0] == 1
    assert counts[1] >= 1


@pytest.mark.parametrize(("ahead", "expected"), [(0, []), (3600, ["clock.ahead"]), (-3600, ["clock.behind"])])
async def test_the_clock_is_compared_with_the_services(tmp_path: Path, ahead: float, expected: list[str]) -> None:
    headers = [("content-type", "application/json"), ("date", formatdate(NOW - ahead, usegmt=True))]
    async with serve(responder(lambda _: response(b'{"results": []}', headers=headers))) as service:
        found = await report(case(tmp_path, {"searxngBaseURL": service.url}, only=("searxng",)))
    assert found.backends[0].answers
    assert [code for code in codes(found) if code.startswith("clock.")] == expected


@asynccontextmanager
async def earlier(place: Path, box: Sandbox, **settings: Any) -> AsyncIterator[Case]:
    """A case whose state an engine has left a moment before `NOW`, after a search of its own."""
    given, began = {**box.settings(), **settings}, anyio.current_time()
    async with open_engine(
        given,
        environment=box.environment,
        state_dir=place / "state",
        clock=lambda: NOW - 10 + anyio.current_time() - began,
    ) as engine:
        await engine.search("q", backends=["ddg", "brave", "parallel"])
    yield case(place, given, box.environment)


async def test_nothing_is_left_behind_and_the_breaker_s_memory_is_shown(tmp_path: Path) -> None:
    async with sandbox(faults=[("ddg", "captcha")]) as box, earlier(tmp_path, box) as one:
        before = set(tmp_path.rglob("*"))
        found = await report(msgspec.structs.replace(one, only=("ddg", "parallel")))
        assert box.log["ddg"].count == 2
        async with open_engine(box.settings(), state_dir=one.state, clock=lambda: NOW) as engine:
            (after,) = [status for status in engine.status() if status.name == "ddg"]
    ddg = of(found, "ddg")
    assert (ddg.answers, ddg.reason) == (False, "blocked")
    assert NOW + 890 <= ddg.cooling_until.timestamp() < NOW + 900
    assert of(found, "parallel").cooling_until is None
    assert after.failures == 1
    assert set(tmp_path.rglob("*")) <= before | {one.state / "state.sqlite3-shm", one.state / "state.sqlite3-wal"}


@pytest.mark.parametrize(
    ("fault", "reason", "asked"),
    [("captcha", "blocked", False), ("rate-limit", "rate-limit", False), ("hang", "timeout", True)],
)
async def test_who_must_not_be_asked_again_at_once_is_left_alone_unless_named(
    tmp_path: Path, fault: str, reason: str, asked: bool
) -> None:
    settings = {"breakerThreshold": 1, "breakerCooldownMs": 600_000, "deadlineMs": 1000}
    async with sandbox(faults=[("ddg", fault)]) as box, earlier(tmp_path, box, **settings) as one:
        box.faults.clear()
        found = await report(one)
        named = await report(msgspec.structs.replace(one, only=("ddg",)))
    ddg = of(found, "ddg")
    assert ddg.reason == reason
    assert ddg.answers is (True if asked else None)
    assert ("unasked.resting" in codes(ddg)) is not asked
    assert of(named, "ddg").answers


async def test_keys_that_all_rest_are_shown(tmp_path: Path) -> None:
    """Also where the breaker, which is told of the same failure, is switched off."""
    async with sandbox(faults=[("brave", "402")]) as box, earlier(tmp_path, box, breakerEnabled=False) as one:
        found = await report(one)
    brave = of(found, "brave")
    assert (brave.reason, codes(brave)) == ("quota", ["unasked.resting"])
    assert brave.cooling_until


async def test_broken_settings_are_said_and_the_rest_is_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("numResults = 99\n", encoding="utf-8")
    broken = Case(origins=Origins(file=file), backends=backends(), config=file, state=tmp_path, cache=tmp_path)
    found = await report(broken)
    assert (found.status, found.summary.code) == ("broken", "summary.broken")
    assert "numResults must be" in found.summary.message
    assert {"versions", "folder.state", "proxy.none"} <= set(codes(found))
    assert found.backends == ()


async def test_stopped_half_way_it_tells_what_it_has(tmp_path: Path) -> None:
    stop = anyio.Event()

    class Stopper(Unwatched):
        def note(self, _outcome: Any, /) -> None:
            stop.set()

    async with sandbox(faults=[("ddg", "hang")]) as box:
        one = case(tmp_path, box.settings(), box.environment, only=("ddg", "exa"))
        with anyio.fail_after(10):
            found = await report(one, stop=stop, watch=Stopper())
    assert found.summary.code == "summary.stopped"
    assert of(found, "exa").answers
    assert of(found, "ddg").addresses[0].probe.status == "cancelled"


async def test_the_deadline_is_one_for_all(tmp_path: Path) -> None:
    async with sandbox(faults=[("*", "hang")]) as box:
        settings = {**box.settings(), "deadlineMs": 1000}
        found = await report(case(tmp_path, settings, box.environment, spend=True))
    assert found.status == "none"
    assert found.summary.code == "summary.none"
    assert {one.addresses[0].probe.status for one in found.backends} == {"timeout"}
    assert 800 <= found.ms < 5000


# by proxy and direct


def at(host: str, port: int, scheme: str) -> dict[str, Any]:
    return {"exaBaseURL": f"{scheme}://{host}:{port}/exa/mcp", "deadlineMs": 4000}


async def through(
    place: Path, proxy: str, settings: Mapping[str, Any], environment: Mapping[str, str] | None = None
) -> tuple[Report, Checked]:
    found = await report(case(place, {**settings, "proxy": proxy}, environment, only=("exa",)))
    assert "PROXYPASS" not in msgspec.json.encode(found).decode()
    return found, found.backends[0]


@pytest.mark.usefixtures("trusted")
async def test_a_proxy_that_works(tmp_path: Path) -> None:
    async with sandbox() as box, behind_tls(box.port, HOST) as front, tunnel(front.host, front.port) as (proxy, heads):
        way = f"http://user:PROXYPASS@127.0.0.1:{proxy.port}"
        found, exa = await through(tmp_path, way, at(HOST, 443, "https"))
    assert exa.answers
    assert (exa.addresses[0].probe.way, exa.addresses[0].probe.proxy) == ("proxy", f"http://127.0.0.1:{proxy.port}")
    assert exa.addresses[0].other is None
    assert heads[0].startswith(f"CONNECT {HOST}:443 ".encode())
    assert found.status == "ok"


@pytest.mark.parametrize("manner", ["refuses", "hangs", "absent"])
async def test_direct_works_where_the_proxy_does_not(tmp_path: Path, manner: Any) -> None:
    """The words of the task: answers direct, not by proxy."""
    async with sandbox() as box, tunnel("127.0.0.1", 1, "works" if manner == "absent" else manner) as (proxy, _):
        with closed_port() as closed:
            port = closed if manner == "absent" else proxy.port
            way = f"http://user:PROXYPASS@127.0.0.1:{port}"
            async with behind_tls(box.port, ALIAS) as front:
                settings = {**at(ALIAS, front.port, "https"), "backendTimeoutMs": 1500}
                found, exa = await _trusting(tmp_path, way, settings)
    assert exa.answers is False
    assert exa.addresses[0].probe.status == ("timeout" if manner == "hangs" else "network")
    assert exa.addresses[0].other.answered
    assert codes(exa) == ["other.direct"]
    assert exa.findings[0].message.startswith(
        f"https://{ALIAS}:{front.port} answers direct, not by proxy http://127.0.0.1:{port}: set proxy to direct"
    )
    assert (found.status, found.summary.code) == ("none", "summary.other.direct")


async def _trusting(place: Path, way: str, settings: Mapping[str, Any]) -> tuple[Report, Checked]:
    with pytest.MonkeyPatch.context() as patch:
        authority().cert_pem.write_to_path(str(place / "authority.pem"))
        patch.setenv("SSL_CERT_FILE", str(place / "authority.pem"))
        return await through(place, way, settings)


@pytest.mark.usefixtures("trusted")
async def test_the_environment_s_proxy_works_where_direct_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sandbox() as box, behind_tls(box.port, HOST) as front, tunnel(front.host, front.port) as (proxy, _):
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:PROXYPASS@127.0.0.1:{proxy.port}")
        found, exa = await through(tmp_path, "direct", at(HOST, 443, "https"))
    assert exa.answers is False
    assert exa.addresses[0].probe.way == "direct"
    assert exa.addresses[0].other.answered
    assert codes(exa) == ["other.proxy"]
    assert found.summary.code == "summary.other.proxy"
    assert f"by proxy http://127.0.0.1:{proxy.port} they do" in found.summary.message
    assert "proxy.unused" in codes(found)


@pytest.mark.usefixtures("trusted")
async def test_no_way_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closed_port() as closed:
        monkeypatch.setenv("HTTPS_PROXY", f"http://user:PROXYPASS@127.0.0.1:{closed}")
        found, exa = await through(tmp_path, "auto", at(HOST, 443, "https"))
        assert exa.addresses[0].other.status == "network"
        assert found.summary.code == "summary.unreachable.both"
        assert f"neither direct nor by proxy http://127.0.0.1:{closed}" in found.summary.message
        alone, _ = await through(tmp_path, "direct", at("127.0.0.1", closed, "http"))
    assert alone.summary.code == "summary.unreachable"


async def test_a_refusal_of_the_service_is_not_tried_the_other_way(tmp_path: Path) -> None:
    async with sandbox(faults=[("exa", "401")]) as box, tunnel("127.0.0.1", 1) as (proxy, heads):
        way = f"http://127.0.0.1:{proxy.port}"
        _, exa = await through(tmp_path, way, at("127.0.0.1", box.port, "http"))
    assert exa.addresses[0].probe.status == "auth"
    assert exa.addresses[0].other is None
    assert heads == []
