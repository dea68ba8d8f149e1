"""Every backend of the registry through the real command, each by its own wire format."""

from __future__ import annotations

import urllib.request

import pytest

from fanseek.config.options import options
from fanseek.contract import KeyedSettings
from fanseek.registry import backends
from fanseek.sandbox import Sandbox
from processes import CANARY, Command

MODELS = [name for name, one in backends().items() if "model" in one.settings.__struct_fields__]


@pytest.mark.parametrize("named", [True, False])
def test_a_search_of_all_backends_lists_an_outcome_of_each(fanseek: Command, names: list[str], *, named: bool) -> None:
    """Model-based ones that are named are asked too; in a sandbox all are, with keys of its own."""
    ran = fanseek("search", "tidal turbines", "--sandbox", "--json", *(["--backends", ",".join(names)] * named))
    outcomes = {outcome["backend"]: outcome for outcome in ran.json["outcomes"]}
    assert len(names) >= 11
    assert list(outcomes) == names
    assert {outcome["status"] for outcome in outcomes.values()} == {"ok"}
    assert all(outcome["hits"] > 0 for outcome in outcomes.values())
    assert (ran.code, ran.json["status"]) == (0, "ok")


def test_every_key_reaches_its_backend_and_nothing_else(
    fanseek: Command, box: Sandbox, at_box: dict[str, str], names: list[str]
) -> None:
    """A6, BC-040: the key in each variable arrives where it belongs; the command's fixture looks for it elsewhere."""
    asked = fanseek("search", "tidal turbines", "--json", "--backends", ",".join(names), env=at_box).json
    assert {outcome["status"] for outcome in asked["outcomes"]} == {"ok"}
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    told = direct.open(f"{box.url}/__log").read()
    assert b"tidal" in told
    assert CANARY.encode() not in told
    for name, backend in backends().items():
        carried = [CANARY in f"{one.target} {one.headers}" for one in box.log[name]]
        assert carried
        assert all(carried) is issubclass(backend.settings, KeyedSettings)


def test_all_failing_in_words_of_their_own_shows_no_key(
    fanseek: Command, box: Sandbox, at_box: dict[str, str], names: list[str]
) -> None:
    """BC-040, BC-025: what services themselves say when they say no is a failure of each, in words."""
    for name, backend in backends().items():
        box.faults.set(name, next(iter(backend.mimic.faults)) if backend.mimic and backend.mimic.faults else "http")
    ran = fanseek("search", "tidal turbines", "--json", "--backends", ",".join(names), env=at_box)
    assert ran.code == 4
    for outcome in ran.json["outcomes"]:
        assert outcome["status"] not in {"ok", "partial", "empty"}
        assert outcome["message"]


def test_the_address_of_each_is_a_setting_by_its_own_name(fanseek: Command, box: Sandbox, names: list[str]) -> None:
    """C23: `braveBaseURL` and its kin, in a host's settings, a file or a flag."""
    told = box.settings()
    flags = [flag for name in names for flag in ("--set", f"{name}BaseURL={told[f'{name}BaseURL']}")]
    fanseek("search", "q", "--backends", ",".join(names), *flags)
    assert [name for name in names if not box.log[name].count] == []


@pytest.mark.parametrize("name", MODELS)
def test_the_model_is_a_setting(fanseek: Command, box: Sandbox, at_box: dict[str, str], name: str) -> None:
    """C23."""
    table = {option.field: option for option in options().values() if option.backend == name}
    extra = {table["mode"].variable: "messages"} if "mode" in table else {}
    env = {**at_box, **extra, table["model"].variable: "some-model-7"}
    assert fanseek("search", "q", "--backends", name, env=env).code == 0
    assert b'"some-model-7"' in next(iter(box.log[name])).body
