"""Which language is spoken."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.catalogue import CATALOGUES
from fanseek.catalogue.language import language


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_TW"}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "", "LC_MESSAGES": ""}, "zh"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "en"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "zh_CN"}, "en"),
        ({"LC_CTYPE": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"}, "en"),
    ],
    ids=str,
)
def test_auto_is_the_language_of_the_locale(environment: Mapping[str, str], expected: str) -> None:
    assert language("auto", environment) == expected


@pytest.mark.parametrize("chosen", ["en", "zh"])
def test_the_setting_outranks_the_locale(chosen: Any) -> None:
    assert language(chosen, {"LC_ALL": "zh_CN.UTF-8"}) == chosen
    assert language(chosen, {"LC_ALL": "en_US.UTF-8"}) == chosen


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a language of its own")
def test_no_locale_is_english() -> None:
    assert language("auto", {}) == "en"


@given(st.dictionaries(st.sampled_from(["LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"]), st.text(max_size=20)))
def test_no_locale_is_an_error(environment: dict[str, str]) -> None:
    assert language("auto", environment) in CATALOGUES
