"""Real hosts, real sockets, and a user's surroundings that are nobody's."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from cordis_hosts import HOSTS, Host
from fanseek.sandbox import Sandbox, running
from fanseek.surface.cordis import web

FOUR = "exa,parallel,ddg,searxng"


@pytest.fixture
def anyio_backend() -> str:
    """Every Cordis runtime for Python is bound to asyncio."""
    return "asyncio"


@pytest.fixture(params=HOSTS, ids=lambda host: host.name)
def host(request: pytest.FixtureRequest, anyio_backend: str) -> Host:
    made: Host = request.param()
    return made


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment without settings, keys or files of the user who runs the tests."""
    for name in os.environ:
        if name.startswith(("FANSEEK_", "DSH_")) or name.endswith(("_KEY", "_PROXY", "_proxy")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    return tmp_path


@pytest.fixture
def box(surroundings: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    with running() as made:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("FANSEEK_BACKENDS", FOUR)
        yield made


@pytest.fixture
def config(box: Sandbox, tmp_path: Path) -> dict[str, Any]:
    return {**box.settings(), "folder": str(tmp_path / "kept"), "cacheEnabled": False}


@pytest.fixture
async def seam(host: Host) -> Any:
    """The host's `web`: ours, since none of these hosts has one."""
    await host.mount(web)
    return host.get("web")


@pytest.fixture(autouse=True)
async def nothing_stays(anyio_backend: str) -> AsyncIterator[None]:
    """No task of ours outlives the plugin."""
    yield
    assert not [task for task in asyncio.all_tasks() if "fanseek" in task.get_name()]
