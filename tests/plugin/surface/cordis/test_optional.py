"""Optional services of a host: settings, credentials, logger, connection. Missing or broken, they cost no search."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import anyio.lowlevel
import pytest

import fanseek
from cordis_hosts import Host
from fanseek.sandbox import Sandbox
from fanseek.surface.cordis import plugin

CANARY = "canary-4c1d9e-key"


class Logger:
    """A host's logger that keeps what it is told, or raises."""

    def __init__(self, *, raises: bool = False) -> None:
        self.lines: list[str] = []
        self.raises = raises

    def warning(self, message: str) -> None:
        if self.raises:
            raise OSError("the log is full")
        self.lines.append(message)


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """The warnings and errors of Fanseek, whichever logger took them."""
    ours = ("fanseek", "ouroboros")
    return lambda: [
        record.getMessage()
        for record in caplog.records
        if record.levelno >= logging.WARNING and record.name.startswith(ours)
    ]


async def test_b16_without_a_settings_service_there_is_exactly_one_warning(
    host: Host, seam: Any, config: dict[str, Any], warnings: Callable[[], list[str]]
) -> None:
    """B16: whatever else is missing, and however often it is searched."""
    handle = await host.mount(fanseek, config)
    for number in range(3):
        await seam.search({"query": f"rust {number}"})
    assert seam.search_providers == ("unified",)
    assert len(warnings()) == 1
    assert "settings service" in warnings()[0]
    await host.unmount(handle)


class NewSettings:
    """`read(namespace)`."""

    def __init__(self, **values: Any) -> None:
        self.values: Any = values

    def read(self, namespace: str) -> Any:
        assert namespace == "unified-search"
        if isinstance(self.values, Exception):
            raise self.values
        return self.values


class OldSettings(NewSettings):
    """`install_section(namespace, schema)` with a section that is asked and disposed of."""

    read = None
    installed = 0

    def install_section(self, namespace: str, schema: Any) -> Any:
        assert namespace == "unified-search"
        assert "numResults" in schema["properties"]
        self.installed += 1
        return SimpleNamespace(get=lambda: self.values, dispose=self.gone)

    def gone(self) -> None:
        self.installed -= 1


@pytest.mark.parametrize("shape", [NewSettings, OldSettings])
async def test_b13_b16_settings_of_either_shape_are_hot(
    host: Host, seam: Any, config: dict[str, Any], warnings: Callable[[], list[str]], shape: type[NewSettings]
) -> None:
    """B13, B16: no warning, no restart; what is wrong is told once and changes nothing."""
    settings = shape(numResults=2)
    await host.provide("settings", settings)
    handle = await host.mount(fanseek, config)

    async def count() -> int:
        return len((await seam.search({"query": "rust async"}))["sources"])

    assert await count() == 2
    settings.values = {"numResults": 5}
    assert await count() == 5
    assert warnings() == []
    settings.values = {"numResults": 99}
    assert [await count(), await count()] == [5, 5]
    assert len(warnings()) == 1
    assert "numResults" in warnings()[0]
    settings.values = {}
    assert await count() == 8
    await host.unmount(handle)
    assert getattr(settings, "installed", 0) == 0


@pytest.mark.parametrize(
    "service",
    [SimpleNamespace(), SimpleNamespace(read=3), SimpleNamespace(install_section=lambda *_: 1 / 0), object(), 7],
    ids=["empty", "no method", "raises", "object", "number"],
)
async def test_b16_a_settings_service_of_no_known_shape_is_one_warning(
    host: Host, seam: Any, config: dict[str, Any], warnings: Callable[[], list[str]], service: Any
) -> None:
    await host.provide("settings", service)
    handle = await host.mount(fanseek, config)
    assert (await seam.search({"query": "rust"}))["sources"]
    assert len(warnings()) == 1
    await host.unmount(handle)


async def test_b16_settings_that_fail_later_are_one_warning(
    host: Host, seam: Any, config: dict[str, Any], warnings: Callable[[], list[str]]
) -> None:
    settings = NewSettings(numResults=2)
    await host.provide("settings", settings)
    handle = await host.mount(fanseek, config)
    assert len((await seam.search({"query": "rust"}))["sources"]) == 2
    settings.values = OSError(CANARY)
    for _ in range(3):
        assert len((await seam.search({"query": "rust"}))["sources"]) == 2
    settings.values = "no mapping"
    assert len((await seam.search({"query": "rust"}))["sources"]) == 2
    assert len(warnings()) == 1
    assert CANARY not in warnings()[0]
    await host.unmount(handle)


async def test_b14_a_logger_that_raises_breaks_nothing(
    host: Host, seam: Any, config: dict[str, Any], warnings: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """B14: Python's own log takes what the host's would not."""
    read = plugin.service
    logger = Logger(raises=True)
    monkeypatch.setattr(plugin, "service", lambda ctx, name: logger if name == "logger" else read(ctx, name))
    handle = await host.mount(fanseek, config)
    assert (await seam.search({"query": "rust"}))["sources"]
    assert len(warnings()) == 1
    await host.unmount(handle)


async def test_b14_the_hosts_own_logger_is_used(
    host: Host, seam: Any, config: dict[str, Any], warnings: Callable[[], list[str]]
) -> None:
    """B14; ouroboros brings a logger of its own, the others are given one."""
    logger = Logger()
    if host.name != "cordis-ouroboros":
        await host.provide("logger", logger)
    handle = await host.mount(fanseek, config)
    said = logger.lines or warnings()
    assert len(said) == 1
    assert "settings service" in said[0]
    await host.unmount(handle)


def as_text(name: str, held: dict[str, str]) -> Any:
    return held.get(name)


def as_mapping(name: str, held: dict[str, str]) -> Any:
    return {"value": held.get(name), "source": "stored"}


def as_object(name: str, held: dict[str, str]) -> Any:
    return SimpleNamespace(value=held.get(name))


async def awaited(name: str, held: dict[str, str]) -> Any:
    await anyio.lowlevel.checkpoint()
    return as_mapping(name, held)


@pytest.mark.parametrize("answer", [as_text, as_mapping, as_object, awaited])
async def test_b4_a_key_that_is_stored_joins_the_next_search(
    *,
    host: Host,
    seam: Any,
    box: Sandbox,
    config: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    answer: Callable[..., Any],
) -> None:
    """B4: credentials before environment, no restart, and the key is in no log, result or file."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.delenv("BRAVE_API_KEY")
    monkeypatch.setenv("FANSEEK_BACKENDS", "brave,exa")
    held: dict[str, str] = {}
    await host.provide("credentials", SimpleNamespace(resolve=lambda name: answer(name, held)))
    handle = await host.mount(fanseek, config)
    await seam.search({"query": "rust"})
    assert len(box.log["brave"]) == 0
    held["BRAVE_API_KEY"] = CANARY
    found = await seam.search({"query": "rust"})
    assert [asked.headers["x-subscription-token"] for asked in box.log["brave"]] == [CANARY]
    held.clear()
    await seam.search({"query": "rust"})
    assert len(box.log["brave"]) == 1
    await host.unmount(handle)
    assert CANARY not in caplog.text + json.dumps(found)
    kept = [path for path in Path(config["folder"]).rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if CANARY.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    "resolve",
    [lambda _name: 1 / 0, 3, lambda _name: {"value": 7}, lambda _name: object()],
    ids=["raises", "no method", "no text", "odd"],
)
async def test_b16_credentials_that_fail_leave_the_environment(
    *, host: Host, seam: Any, box: Sandbox, config: dict[str, Any], warnings: Callable[[], list[str]], resolve: Any
) -> None:
    await host.provide("credentials", SimpleNamespace(resolve=resolve))
    handle = await host.mount(fanseek, config)
    for _ in range(3):
        assert (await seam.search({"query": "rust"}))["sources"]
    assert len([line for line in warnings() if "credentials" in line]) <= 1
    assert len(warnings()) <= 2
    await host.unmount(handle)


class Connection:
    """A `connection` service: routes by method and path, answered as a server would."""

    def __init__(self) -> None:
        self.routes: dict[tuple[str, str], Any] = {}
        self.fetch = SimpleNamespace(register=self.register)

    def register(self, route: dict[str, Any]) -> Callable[[], None]:
        keys = [(method, route["path"]) for method in route["methods"]]
        self.routes.update(dict.fromkeys(keys, route["fetch"]))

        def dispose() -> None:
            for key in keys:
                self.routes.pop(key, None)

        return dispose

    async def ask(self, method: str, path: str, **headers: str) -> tuple[int, Any]:
        fetch = self.routes.get((method, path))
        if fetch is None:
            return 404, None
        answer = await fetch(
            SimpleNamespace(headers={name.replace("_", "-"): value for name, value in headers.items()})
        )
        assert answer.headers["content-type"] == "application/json"
        return answer.status, json.loads(answer.body)


HISTORY, CLEAR = "/api/websearch/history", "/api/websearch/history/clear"


async def test_o4_o5_b18_the_history_has_routes_while_the_plugin_is_mounted(
    host: Host, seam: Any, config: dict[str, Any]
) -> None:
    """O4, O5, B18."""
    connection = Connection()
    await host.provide("connection", connection)
    assert await connection.ask("GET", HISTORY) == (404, None)
    handle = await host.mount(fanseek, config)
    await seam.search({"query": "rust async"})
    with anyio.fail_after(5):
        while not (body := (await connection.ask("GET", HISTORY))[1])["entries"]:  # noqa: ASYNC110 - it is written behind the answer
            await anyio.sleep(0.01)
    assert set(body) == {"ok", "entries", "backends"}
    assert [entry["query"] for entry in body["entries"]] == ["rust async"]
    assert {one["id"] for one in body["backends"]} == {"exa", "parallel", "ddg", "searxng"}
    assert (await connection.ask("POST", CLEAR, Content_Type="text/plain"))[0] == 415
    assert (await connection.ask("POST", CLEAR))[0] == 415
    assert await connection.ask("POST", CLEAR, Content_Type="application/json; charset=utf-8") == (
        200,
        {"ok": True, "cleared": True},
    )
    assert (await connection.ask("GET", HISTORY))[1]["entries"] == []
    await host.unmount(handle)
    assert await connection.ask("GET", HISTORY) == (404, None)
    assert await connection.ask("POST", CLEAR, Content_Type="application/json") == (404, None)


@pytest.mark.parametrize("good", [0, 1], ids=["first fails", "second fails"])
async def test_b16_a_connection_that_takes_no_routes_is_one_warning(
    host: Host, seam: Any, config: dict[str, Any], warnings: Callable[[], list[str]], good: int
) -> None:
    connection = Connection()
    left = [good]

    def register(route: dict[str, Any]) -> Any:
        if not left[0]:
            raise TypeError("no")
        left[0] -= 1
        return connection.register(route)

    await host.provide("connection", SimpleNamespace(fetch=SimpleNamespace(register=register)))
    handle = await host.mount(fanseek, config)
    assert (await seam.search({"query": "rust"}))["sources"]
    assert len([line for line in warnings() if "connection" in line]) == 1
    assert not connection.routes
    await host.unmount(handle)
