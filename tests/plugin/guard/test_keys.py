"""Keys by reference."""

from __future__ import annotations

import pytest

from fanseek.contract import BackendSettings, KeyedSettings
from fanseek.guard.keys import Keys


@pytest.mark.parametrize(
    ("own", "found"),
    [
        (KeyedSettings(key="given", api_key_env="NAME"), "given"),
        (KeyedSettings(api_key_env="NAME"), "variable"),
        (KeyedSettings(api_key_env="BLANK"), ""),
        (KeyedSettings(api_key_env="ABSENT"), ""),
        (KeyedSettings(), ""),
        (BackendSettings(), ""),
    ],
)
def test_b5_a_key_is_found_where_the_settings_point(own, found):
    assert Keys({"NAME": " variable\n", "BLANK": "  "}).find(own) == found


def test_n11_a_found_key_is_hidden_from_then_on():
    hidden = []
    Keys({"NAME": "canary"}, hidden.append).find(KeyedSettings(api_key_env="NAME"))
    assert hidden == ["canary"]


def test_a_key_set_later_is_found():
    environment = {}
    keys = Keys(environment)
    assert keys.find(KeyedSettings(api_key_env="NAME")) == ""
    environment["NAME"] = "late"
    assert keys.find(KeyedSettings(api_key_env="NAME")) == "late"
