"""R8: every setting of the source document with its default, as design.md leaves it; nothing else changed unseen."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fanseek.config.schema import GROUPS

ROOT = Path(__file__).resolve().parents[3]
SHAPES: dict[str, dict[str, Any]] = json.loads((ROOT / "settings_schema.json").read_bytes())["properties"]

CORE = {
    "numResults": 8,
    "concurrency": 6,
    "deadlineMs": 25_000,
    "backendTimeoutMs": 30_000,
    "recency": "any",
    "language": "",
    "region": "",
    "timeZone": "",
    "safeSearch": True,
    "shapeQuery": True,
    "maxDomains": 5,
    "strictArguments": False,
    "dedupStrategy": "url",
    "rerank": False,
    "multiQueryEnabled": False,
    "deepCoverage": False,
    "resultTelemetry": True,
    "lang": "auto",
    "cacheEnabled": True,
    "cacheTtl": 900,
    "historyEnabled": True,
    "breakerEnabled": True,
    "breakerThreshold": 3,
    "breakerCooldownMs": 60_000,
    "proxy": "auto",
}
RANGES = {
    "numResults": (1, 50),
    "concurrency": (1, 50),
    "deadlineMs": (100, 600_000),
    "backendTimeoutMs": (50, 600_000),
    "maxDomains": (1, 50),
    "cacheTtl": (1, 86_400),
    "breakerThreshold": (1, 100),
    "breakerCooldownMs": (0, 86_400_000),
}
KEYLESS = ("exa", "parallel", "ddg", "searxng")
KEYED = ("brave", "tavily", "serper", "mojeek", "deepseek", "anthropic", "openai")
BASE_URLS = {
    "exa": "https://mcp.exa.ai/mcp",
    "parallel": "https://search.parallel.ai/mcp",
    "ddg": "https://html.duckduckgo.com/html/",
    "searxng": "",
    "brave": "https://api.search.brave.com/res/v1",
    "tavily": "https://api.tavily.com",
    "serper": "https://google.serper.dev",
    "mojeek": "https://api.mojeek.com",
    "deepseek": "https://api.deepseek.com",
    "anthropic": "https://api.anthropic.com",
    "openai": "https://api.openai.com",
}
MODELS = ("deepseek", "anthropic", "openai")


def test_r8_the_core_s_defaults_and_ranges() -> None:
    assert {key: shape["default"] for key, shape in SHAPES.items() if key in CORE} == CORE
    for key, (low, high) in RANGES.items():
        assert (SHAPES[key]["minimum"], SHAPES[key]["maximum"]) == (low, high), key


def test_r8_what_may_be_chosen() -> None:
    assert SHAPES["recency"]["enum"] == ["any", "day", "week", "month", "year"]
    assert SHAPES["dedupStrategy"]["enum"] == ["url", "url+title"]
    assert set(SHAPES["tavilySearchDepth"]["enum"]) >= {"basic", "advanced"}


@pytest.mark.parametrize("name", KEYLESS + KEYED)
def test_r8_every_backend_has_its_switch_its_address_and_its_pace(name: str) -> None:
    """The source document's toggles are `auto` here: on where nothing is needed or the key is there."""
    camel = name[0].upper() + name[1:]
    assert SHAPES[f"enable{camel}"]["default"] == "auto"
    assert SHAPES[f"enable{camel}"]["enum"] == ["auto", "on", "off", True, False]
    assert SHAPES[f"{name}BaseURL"]["default"] == BASE_URLS[name]
    assert SHAPES[f"{name}RatePerMinute"]["default"] == 0


@pytest.mark.parametrize("name", [*KEYED, "exa", "parallel", "searxng"])
def test_r8_n14_every_key_is_a_reference_by_its_usual_name(name: str) -> None:
    """B12: with where a key is to be had."""
    shape = SHAPES[f"{name}ApiKeyEnv"]
    assert shape["default"] == f"{name.upper()}_API_KEY"
    assert re.fullmatch(r"https://\S+", shape["x-get-key-url"])


@pytest.mark.parametrize("name", MODELS)
def test_r8_model_based_ones_have_a_model(name: str) -> None:
    assert SHAPES[f"{name}Model"]["default"]


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_a8_the_readme_names_every_setting_of_the_core_and_those_of_one_backend_alone(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    shared = re.compile(r"enable[A-Z]\w+|\w+(BaseURL|ApiKeyEnv|RatePerMinute)")
    assert not [key for key in SHAPES if not shared.fullmatch(key) and f"`{key}`" not in text]


def test_r8_no_backend_but_these_and_no_core_setting_but_those() -> None:
    rest = {key for key in SHAPES if key not in CORE}
    own = re.compile("|".join(f"{name}|enable{name[0].upper()}{name[1:]}$" for name in KEYLESS + KEYED))
    assert not [key for key in rest if not own.match(key)]
    assert sum(key.startswith("enable") for key in rest) == 11


def test_b12_every_setting_has_words_a_group_and_its_unit() -> None:
    for key, shape in SHAPES.items():
        assert shape["title"], key
        assert shape["description"], key
        assert shape["x-group"] in GROUPS, key
        assert ("x-get-key-url" in shape) == key.endswith("ApiKeyEnv"), key
        if key.endswith(("Ms", "Ttl", "PerMinute")):
            assert shape["unit"] in ("milliseconds", "seconds", "calls per minute"), key
        if key.endswith(("Ms", "Ttl")):
            assert re.search(r"\((ms|s)\)$", shape["title"]), key


def test_b12_each_group_has_what_belongs_to_it() -> None:
    of = {name: {key for key, shape in SHAPES.items() if shape["x-group"] == name} for name in GROUPS}
    assert of["cache"] == {"cacheEnabled", "cacheTtl"}
    assert of["breaker"] == {"breakerEnabled", "breakerThreshold", "breakerCooldownMs"}
    assert of["history"] == {"historyEnabled"}
    assert {"numResults", "rerank", "language", "dedupStrategy"} < of["results"]
    assert {"enableExa", "braveApiKeyEnv", "proxy", "deadlineMs"} < of["sources"]


def test_a_time_zone_is_one_this_machine_knows() -> None:
    from fanseek.config import load
    from fanseek.errors import ConfigError

    for right in ("", "UTC", "Asia/Shanghai"):
        assert load({"timeZone": right}).time_zone == right
    for wrong in ("Asia/Nowhere", "../etc/passwd", "/etc/localtime", "UTC\n", "x" * 60):
        with pytest.raises(ConfigError, match="timeZone must be a time zone such as Asia/Shanghai"):
            load({"timeZone": wrong})


@pytest.mark.parametrize(
    ("key", "wrong"), [("language", "not a tag"), ("language", "en\n"), ("region", "usa1"), ("region", "us\n")]
)
def test_a_code_is_checked_where_it_is_set(key: str, wrong: str) -> None:
    from fanseek.config import load
    from fanseek.errors import ConfigError

    with pytest.raises(ConfigError, match=f"{key} must be a code such as"):
        load({key: wrong})
    for right in ("", SHAPES[key]["examples"][0], SHAPES[key]["examples"][1]):
        load({key: right})
