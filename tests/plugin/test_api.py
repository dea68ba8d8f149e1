"""The library as users import it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

import fanseek
from fanseek.sandbox import Sandbox, running


def test_every_public_name_is_there_and_lazy() -> None:
    """A6."""
    assert {
        "open_engine",
        "search_sync",
        "SearchRequest",
        "SearchResult",
        "Source",
        "Outcome",
        "Settings",
        "errors",
    } <= set(fanseek.__all__)
    for name in fanseek.__all__:
        assert getattr(fanseek, name) is not None
        assert name in dir(fanseek)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = fanseek.nonsense


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_every_name_a_readme_gives_is_there(readme: str) -> None:
    """A6, A8: `fanseek.errors.AllFailed` and the like, in text and in snippets."""
    text = (Path(__file__).resolve().parents[2] / readme).read_text(encoding="utf-8")
    named = set(re.findall(r"(?:`|await |with |= )fanseek\.((?:errors\.)?[A-Za-z_]+)(?=[`(])", text))
    assert {"open_engine", "search_sync", "errors.AllFailed"} <= named
    for name in named:
        assert attrgetter(name)(fanseek) is not None


def test_importing_is_cheap() -> None:
    look = (
        "import json, sys; import fanseek; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    ran = subprocess.run([sys.executable, "-c", look], capture_output=True, check=True)
    assert not set(json.loads(ran.stdout)) & {"httpx", "selectolax", "rapidfuzz", "anyio", "msgspec"}


async def test_the_readme_s_health_snippet() -> None:
    """A6: one line per provider, `name configured state`; search, status, then closed."""
    with running() as box:
        async with fanseek.open_engine(box.settings(), environment=box.environment) as engine:
            result = await engine.search("solar panels", max_results=3)
            lines = [f"{one.name} {one.enabled} {one.state}" for one in engine.status()]
    assert len(result.sources) == 3
    assert lines == [f"{name} True healthy" for name in box.log]
    with pytest.raises(fanseek.errors.UsageError):
        await engine.search("too late")


def test_search_sync_without_a_loop() -> None:
    heard: list[str] = []
    with running() as box:
        result = fanseek.search_sync(
            "solar panels",
            settings=box.settings(),
            on_event=lambda event: heard.append(type(event).__name__),
            max_results=2,
        )
    assert len(result.sources) == 2
    assert (heard[0], heard[-1]) == ("SearchStarted", "SearchEnded")
    assert result.to_dict()["query"] == "solar panels"
    assert result.sources[0].url.split("?")[0] in result.to_text(max_chars=2000)


def test_search_sync_takes_settings_from_where_an_engine_does(tmp_path: Path) -> None:
    """X20: flag over environment over harness over file."""
    file = tmp_path / "config.toml"
    file.write_text("numResults = 1\n", encoding="utf-8")
    layers = {
        "config_file": file,
        "settings": {"numResults": 2},
        "environment": {"FANSEEK_NUM_RESULTS": "3"},
        "overrides": {"numResults": 4},
    }
    with running() as box:
        given: dict[str, Any] = {"settings": box.settings()}
        for number, (name, value) in enumerate(layers.items(), 1):
            given[name] = {**given["settings"], **value} if name == "settings" else value
            assert len(fanseek.search_sync("solar panels", **given).sources) == number


async def test_search_sync_inside_a_running_loop() -> None:
    with running() as box:
        result = fanseek.search_sync("solar panels", settings=box.settings(), environment=box.environment)
    assert result.status == "ok"


def test_search_sync_on_any_thread_and_leaves_none_behind() -> None:
    before = threading.active_count()
    found: list[fanseek.SearchResult] = []
    with running() as box:
        own: Any = {"settings": box.settings(), "environment": box.environment}
        threads = [threading.Thread(target=lambda: found.append(fanseek.search_sync("q", **own))) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    assert [result.status for result in found] == ["ok"] * 3
    assert threading.active_count() == before


def test_search_sync_raises_what_search_raises() -> None:
    with running(faults=[("*", "drop")]) as box, pytest.raises(fanseek.errors.AllFailed) as caught:
        fanseek.search_sync("q", settings=box.settings(), environment=box.environment)
    assert {outcome.backend for outcome in caught.value.outcomes} == set(box.log)
    with pytest.raises(fanseek.errors.UsageError):
        fanseek.search_sync("")


def files_in(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


async def test_the_library_touches_no_disk_and_reads_no_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "DSH_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("FANSEEK_NUM_RESULTS", "1")
    async with Sandbox() as box, fanseek.open_engine(box.settings()) as engine:
        result = await engine.search("solar panels")
    assert len(result.sources) == 8
    assert files_in(tmp_path) == []
