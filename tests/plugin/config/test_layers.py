"""Precedence: every pair of layers (X20, as design.md leaves it), and who is said to have won."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import fanseek
from fanseek.config.layers import Layer, Origins
from fanseek.config.options import options
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError, UsageError
from fanseek.sandbox import Sandbox

Known = Mapping[str, AnyBackend]

RANKED = ("call", "flag", "environment", "harness", "file", "default")


def origins(said: Mapping[str, int], folder: Path) -> Origins:
    """Each layer of `said` giving its own number of results."""
    file = folder / "config.toml"
    if "file" in said:
        file.write_text(f"numResults = {said['file']}\n", encoding="utf-8")
    return Origins(
        overrides={"numResults": said["flag"]} if "flag" in said else {},
        environment={"FANSEEK_NUM_RESULTS": str(said["environment"])} if "environment" in said else {},
        settings={"numResults": said["harness"]} if "harness" in said else {},
        file=file if "file" in said else None,
    )


@pytest.mark.parametrize(("high", "low"), list(combinations(RANKED[1:], 2)))
def test_x20_the_higher_layer_wins_and_is_said_to(known: Known, tmp_path: Path, high: Layer, low: Layer) -> None:
    said = {low: 3, high: 5} if low != "default" else {high: 5}
    layers = origins(said, tmp_path).layers(known)
    option = options(known)["numResults"]
    told = layers.said(option)
    assert [layer for layer, _ in told] == list(dict.fromkeys((high, low, "default")))
    assert told[0][1].value == 5
    assert told[1][1].value == (8 if low == "default" else 3)
    assert layers.flat() == {"numResults": 5}
    assert origins(said, tmp_path).load(known).num_results == 5


@pytest.mark.parametrize("low", RANKED[1:])
@pytest.mark.parametrize("high", RANKED[:-1])
async def test_x20_in_a_search(tmp_path: Path, high: str, low: str) -> None:
    """The same through `open_engine` and `search`: what counts is seen in the number of results."""
    said = {low: 3, high: 5}
    given = origins(said, tmp_path)
    async with (
        Sandbox() as box,
        fanseek.open_engine(
            {**box.settings(), **given.settings},
            overrides=given.overrides,
            environment=given.environment,
            config_file=given.file,
        ) as engine,
    ):
        wish = {"max_results": said["call"]} if "call" in said else {}
        found = len((await engine.search("solar panels", **wish)).sources)
    ranked = [layer for layer in RANKED if layer in said]
    assert found == (8 if ranked[0] == "default" else said[ranked[0]])


def test_a_layer_that_says_nothing_of_a_key_leaves_it_to_those_below(known: Known, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("concurrency = 7\n[demo]\nmodel = 'file'\n", encoding="utf-8")
    settings = Origins(
        overrides={"rerank": True},
        environment={"FANSEEK_DEADLINE_MS": "900"},
        settings={"demoModel": "harness"},
        file=file,
    ).load(known)
    assert (settings.rerank, settings.deadline_ms, settings.concurrency) == (True, 900, 7)
    assert settings.backends["demo"].model == "harness"


def test_each_source_is_told(known: Known, tmp_path: Path) -> None:
    layers = origins({"environment": 3, "file": 4}, tmp_path).layers(known)
    assert (layers.environment["numResults"].source, layers.file["numResults"].source) == (
        "FANSEEK_NUM_RESULTS",
        "line 1",
    )


@pytest.mark.parametrize("variable", ["FANSEEK_BACKENDS", "DSH_UNIFIED_SEARCH_BACKENDS"])
def test_b15_the_list_outranks_every_switch_below_a_flag(known: Known, tmp_path: Path, variable: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[demo]\nenabled = 'on'\n[meta]\nenabled = 'on'\n", encoding="utf-8")
    environment = {variable: "meta", "FANSEEK_ENABLE_DEMO": "on"}
    given = Origins(environment=environment, settings={"enableDemo": "on", "enableMeta": "off"}, file=file)
    backends = given.load(known).backends
    assert (backends["demo"].enabled, backends["meta"].enabled) == ("off", "on")
    assert given.layers(known).environment["enableDemo"].source == variable


@pytest.mark.parametrize("layer", ["overrides", "settings"])
def test_a_wrong_value_is_refused_in_any_layer_even_where_another_wins(known: Known, layer: str) -> None:
    wrong: dict[str, Any] = {layer: {"numResults": 0}}
    with pytest.raises(ConfigError, match="numResults must be a whole number from 1 to 50, not 0"):
        Origins(environment={"FANSEEK_NUM_RESULTS": "3"}, **wrong).load(known)
    with pytest.raises(ConfigError, match="unknown setting nope"):
        Origins(**{layer: {"nope": 1}}).load(known)


async def test_a_whole_settings_leaves_nothing_to_override(tmp_path: Path) -> None:
    whole = fanseek.Settings(num_results=3)
    async with fanseek.open_engine(whole, environment={"FANSEEK_NUM_RESULTS": "5"}) as engine:
        assert engine.settings is whole
    for more in ({"overrides": {"numResults": 4}}, {"config_file": tmp_path / "config.toml"}):
        with pytest.raises(UsageError, match="wire form"):
            async with fanseek.open_engine(whole, **more):
                pass


async def test_the_library_reads_a_file_only_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "fanseek" / "config.toml"
    file.parent.mkdir()
    file.write_text("numResults = 3\n", encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("FANSEEK_CONFIG", str(file))
    async with fanseek.open_engine() as engine:
        assert engine.settings.num_results == 8
    for named in (file, str(file)):
        async with fanseek.open_engine(config_file=named) as engine:
            assert engine.settings.num_results == 3
    with pytest.raises(ConfigError, match="can't be read"):
        async with fanseek.open_engine(config_file=tmp_path / "absent.toml"):
            pass
