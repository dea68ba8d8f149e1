"""The harness's half knows every setting."""

from __future__ import annotations

import json
from importlib.resources import files

from fanseek import registry
from fanseek.config.options import options
from fanseek.surface.dsh.fields import as_bytes, fields


def test_the_shipped_file_is_in_step_with_the_settings() -> None:
    shipped = files("fanseek") / "bundles" / "dsh" / "fields.json"
    assert shipped.read_bytes() == as_bytes()


def test_every_setting_has_a_field_with_its_limits() -> None:
    known = fields()
    assert list(known) == list(options())
    assert known["numResults"] | {"description": ""} == {
        "type": "integer",
        "minimum": 1,
        "maximum": 50,
        "default": 8,
        "description": "",
    }
    assert known["dedupStrategy"]["choices"] == ["url", "url+title"]
    assert known["language"]["maximum"] == 35


def test_names_of_keys_are_marked_and_nothing_else_is() -> None:
    marked = {name for name, field in fields().items() if field.get("reference")}
    assert marked == {option.key for option in options().values() if option.is_reference}


def test_a_backend_of_another_package_is_in_it() -> None:
    one = next(iter(registry.backends().values()))
    assert set(fields({one.name: one})) < set(fields())
    assert json.loads(as_bytes({one.name: one}))["fields"] == fields({one.name: one})
