"""`Config`, with pydantic and without."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pydantic
import pytest

import fanseek
from fanseek.errors import ConfigError
from fanseek.surface.cordis import web
from fanseek.surface.cordis.settings import mounted

CANARY = "canary-91ab-secret"


@pytest.mark.parametrize("given", [None, {}, {"numResults": 3}, {"numResults": 3, "folder": "/tmp/x"}], ids=str)
def test_a_model_is_read_as_what_it_was_made_of(given: Any) -> None:
    """A3: hosts hand over nothing, a mapping, or a model made by either way."""
    expected = mounted(given)
    for config in (given, fanseek.Config.model_validate(given), fanseek.Config.validate(given), expected):
        assert mounted(config) == expected
    model = fanseek.Config.validate(given)
    assert fanseek.Config.validate(model) is model


@pytest.mark.parametrize(
    ("given", "names"),
    [
        ({"numResults": 99}, "numResults"),
        ({"braveApiKey": CANARY}, "braveApiKey"),
        ({"unheardOf": CANARY}, "unheardOf"),
        ({"folder": "relative/" + CANARY}, "folder"),
        ({"folder": 7}, "folder"),
        (["numResults"], "mapping"),
        ("numResults", "mapping"),
        (7, "mapping"),
    ],
    ids=str,
)
def test_both_ways_refuse_the_same_without_a_value(given: Any, names: str) -> None:
    with pytest.raises(ConfigError, match=names) as plain:
        mounted(given)
    with pytest.raises(pydantic.ValidationError, match=names) as modelled:
        fanseek.Config.model_validate(given)
    assert CANARY not in str(plain.value) + str(modelled.value)


def test_a_host_can_make_a_form_of_it() -> None:
    schema = fanseek.Config.model_json_schema()
    assert {"numResults", "concurrency"} <= set(schema["properties"])
    assert set(web.Config.model_json_schema()["properties"]) == {"searchProvider", "fetchProvider"}


def test_the_function_carries_what_the_module_declares() -> None:
    """A3: mounting `apply` is mounting the module."""
    module = importlib.import_module("fanseek.surface.cordis")
    for name in ("inject", "affects", "Config"):
        assert getattr(fanseek.apply, name) is getattr(module, name) is getattr(fanseek, name)
    assert (fanseek.name, fanseek.inject, fanseek.affects) == ("unified-search", ["web"], "environment")


@pytest.mark.parametrize("given", [{"searchProvider": 3}, {"unheardOf": "x"}, 7])
def test_the_web_services_own_configuration_is_checked(given: Any) -> None:
    with pytest.raises(ConfigError):
        web.chosen(given)


WITHOUT = """
import asyncio, os, sys
sys.modules["pydantic"] = None
import fanseek
from deepseek_cordis import Context
from fanseek.sandbox import running
from fanseek.surface.cordis import web

async def main(box):
    ctx = Context()
    await ctx.plugin(web, {"searchProvider": "unified"})
    handle = ctx.plugin(fanseek, {**box.settings(), "numResults": 2, "folder": sys.argv[1]})
    await handle
    print(len((await ctx.get("web").search({"query": "rust"}))["sources"]))
    await handle.dispose()
    try:
        await ctx.plugin(fanseek, {"numResults": 99})
    except fanseek.errors.ConfigError as problem:
        print(problem)

with running() as box:
    os.environ.update(box.environment)
    asyncio.run(main(box))
print(fanseek.Config.__name__)
"""


def test_it_works_without_pydantic(tmp_path: Path) -> None:
    """Mandatory dependencies only; the host is one that needs no pydantic either."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT, str(tmp_path / "kept")],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin"},
        timeout=60,
    )
    count, refused, kind = ran.stdout.splitlines() or [ran.stderr, "", ""]
    assert (count, kind) == ("2", "PlainConfig"), ran.stderr
    assert "numResults" in refused
