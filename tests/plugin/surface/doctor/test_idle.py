"""Settings without effect."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fanseek.config.layers import Origins
from fanseek.config.load import load
from fanseek.config.options import options
from fanseek.surface.doctor.idle import idle


def found(
    *,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    file: Path | None = None,
    off: tuple[str, ...] = (),
) -> list[str]:
    origins = Origins(overrides=flags or {}, environment=environment or {}, file=file)
    layers = origins.layers()
    settings = load(layers.flat())
    enabled = {name: name not in off for name in settings.backends}
    return [one.message for one in idle(layers, options(), settings, enabled, environment or {})]


def test_nothing_set_is_nothing_idle() -> None:
    assert found() == []
    assert found(flags={"numResults": 3, "cacheTtl": 5, "braveBaseURL": "https://b.test"}) == []


def test_a_variable_that_is_no_setting() -> None:
    (message,) = found(environment={"FANSEEK_NUM_RESULT": "5"})
    assert message == "FANSEEK_NUM_RESULT is not a setting and has no effect; the nearest one is FANSEEK_NUM_RESULTS"


def test_a_key_in_a_setting_s_place_is_not_repeated() -> None:
    (message,) = found(environment={"FANSEEK_BRAVE_API_KEY": "CANARY-7f3a9c"})
    assert "CANARY" not in message
    assert "no effect" in message


def test_a_value_that_a_higher_layer_outranks(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('numResults = 5\nlanguage = "en"\n', encoding="utf-8")
    messages = found(flags={"numResults": 7}, environment={"FANSEEK_LANGUAGE": "de"}, file=file)
    assert messages == [
        "numResults of file, line 1 has no effect: flag outranks it",
        "language of file, line 2 has no effect: FANSEEK_LANGUAGE outranks it",
    ]


def test_the_same_value_twice_is_no_matter() -> None:
    assert found(flags={"numResults": 7}, environment={"FANSEEK_NUM_RESULTS": "7"}) == []


def test_what_another_setting_switches_off() -> None:
    assert found(flags={"cacheEnabled": False, "cacheTtl": 5}) == ["cacheTtl has no effect while cacheEnabled is off"]
    off = {"breakerEnabled": False, "breakerThreshold": 5, "breakerCooldownMs": 1}
    assert [message.split(" ")[0] for message in found(flags=off)] == ["breakerThreshold", "breakerCooldownMs"]


def test_what_is_told_to_a_backend_that_is_not_asked() -> None:
    flags = {"braveBaseURL": "https://b.test", "enableBrave": "off", "exaBaseURL": "https://e.test/mcp"}
    assert found(flags=flags, off=("brave",)) == ["braveBaseURL has no effect: brave is not asked"]
