"""The generated schema of the settings."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fanseek.config import load
from fanseek.config.options import options
from fanseek.config.schema import composed, settings_schema, worded
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError

ROOT = Path(__file__).resolve().parents[3]
Known = Mapping[str, AnyBackend]


def test_the_committed_file_is_what_the_types_say_byte_for_byte() -> None:
    assert (ROOT / "settings_schema.json").read_bytes() == settings_schema()


def test_the_module_and_the_command_write_the_same_bytes(tmp_path: Path) -> None:
    target = tmp_path / "schema.json"
    subprocess.run([sys.executable, "-m", "fanseek.config.schema", str(target)], check=True)
    assert target.read_bytes() == settings_schema()


def test_it_is_a_valid_schema_and_every_default_fits_it() -> None:
    schema = json.loads(settings_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    defaults = {key: shape["default"] for key, shape in schema["properties"].items()}
    jsonschema.validate(defaults, schema, cls=jsonschema.Draft202012Validator)
    assert load(defaults) == load({})


@pytest.mark.parametrize("source", ["registry", "made-up"])
def test_every_setting_says_what_it_is(known: Known, source: str) -> None:
    shapes: dict[str, Any] = composed(None if source == "registry" else known)["properties"]
    for key, shape in shapes.items():
        assert shape["title"], key
        assert "default" in shape, key
        if key.endswith("Ms"):
            assert shape["unit"] == "milliseconds", key
        if shape.get("type") == "integer":
            assert {"minimum", "maximum"} <= shape.keys(), key
    assert all(shape["description"] for key, shape in shapes.items() if key != "demoModel"), shapes
    assert len({shape["title"] for shape in shapes.values()}) == len(shapes)


def test_no_secret_is_a_setting() -> None:
    """N11: keys are references."""
    assert not [key for key in composed()["properties"] if key.lower().endswith(("key", "token", "password", "secret"))]


def test_schema_and_loader_agree_on_what_is_allowed(known: Known) -> None:
    """The same values pass, the same fail: at, below and above every bound, and of the wrong type."""
    schema = composed(known)
    validator = jsonschema.Draft202012Validator(schema)
    for key, option in options(known).items():
        shape = schema["properties"][key]
        low, high = shape.get("minimum", 0), shape.get("maximum", 3)
        for value in (
            low,
            high,
            low - 1,
            high + 1,
            2.5,
            True,
            "text",
            "on",
            None,
            [],
            ["https://a.example"],
            shape["default"],
        ):
            if option.is_base_url and isinstance(value, str):
                continue
            if (
                option.field in ("proxy", "api_key_env", "time_zone")
                and isinstance(value, str)
                and value != shape["default"]
            ):
                continue
            try:
                load({key: value}, known)
                loads = True
            except ConfigError:
                loads = False
            assert loads == validator.is_valid({key: value}), (key, value)


def test_it_is_the_same_every_time(known: Known) -> None:
    assert settings_schema(known) == settings_schema(dict(reversed(list(known.items()))))


def test_b12_a_key_says_where_to_get_it_and_a_form_can_group_by_backend() -> None:
    """B12: x-get-key-url on every reference, x-group of the groups there are, x-backend where there is one."""
    schema = composed()
    groups = {group["name"] for group in schema["x-groups"]}
    for key, option in options().items():
        shape = schema["properties"][key]
        assert shape["x-group"] in groups, key
        assert shape.get("x-backend", "") == option.backend, key
        assert ("x-get-key-url" in shape) == option.is_reference, key
        if option.is_reference:
            assert shape["x-get-key-url"].startswith("https://"), key
        if unit := shape.get("unit"):
            assert unit in worded("en")["properties"][key]["unit"]
