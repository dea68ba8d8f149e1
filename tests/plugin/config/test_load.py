"""From the flat wire form to settings: names, rules, and messages that never repeat a secret."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.config import Settings, load
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError

Known = Mapping[str, AnyBackend]


def test_nothing_given_is_every_default(known: Known) -> None:
    """R8, as design.md leaves it: 25 s, eight results, six calls at once."""
    settings = load({}, known)
    assert (settings.num_results, settings.concurrency, settings.deadline_ms) == (8, 6, 25_000)
    assert (settings.breaker_threshold, settings.breaker_cooldown_ms, settings.result_telemetry) == (3, 60_000, True)
    assert (settings.recency, settings.language, settings.safe_search, settings.proxy) == ("any", "", True, "auto")
    assert list(settings.backends) == ["demo", "meta"]
    assert settings.backends["demo"].enabled == "auto"


def test_wire_names_are_the_source_documents_spelling(known: Known) -> None:
    settings = load(
        {
            "numResults": 5,
            "breakerCooldownMs": 0,
            "demoBaseURL": "http://127.0.0.1:8080/v2",
            "demoApiKeyEnv": "OTHER_KEY",
            "demoModel": "small",
            "demoRatePerMinute": 30,
            "demoSearchDepth": 3,
            "enableDemo": "on",
            "enableMeta": False,
            "metaBaseURLs": ["https://one.example/sub"],
        },
        known,
    )
    demo, meta = settings.backends["demo"], settings.backends["meta"]
    assert (settings.num_results, settings.breaker_cooldown_ms) == (5, 0)
    assert (demo.base_url, demo.api_key_env, demo.model) == ("http://127.0.0.1:8080/v2", "OTHER_KEY", "small")
    assert (demo.rate_per_minute, demo.search_depth, demo.enabled) == (30.0, 3, "on")
    assert (meta.enabled, meta.base_urls, meta.base_url) == ("off", ("https://one.example/sub",), "")


@pytest.mark.parametrize(("given", "enabled"), [(True, "on"), (False, "off"), ("auto", "auto"), ("off", "off")])
def test_a_switch_is_a_word_or_a_truth_value(known: Known, given: object, enabled: str) -> None:
    assert load({"enableDemo": given}, known).backends["demo"].enabled == enabled


@pytest.mark.parametrize(
    ("key", "nearest"),
    [
        ("numResult", "numResults"),
        ("demoBaseUrl", "demoBaseURL"),
        ("NUMRESULTS", "numResults"),
        ("enabledemo", "enableDemo"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_one(known: Known, key: str, nearest: str) -> None:
    """R10."""
    with pytest.raises(ConfigError, match=rf"unknown setting {key}; the nearest one is {nearest}$"):
        load({key: 1}, known)


def test_an_unknown_key_near_to_nothing_is_refused_alone(known: Known) -> None:
    with pytest.raises(ConfigError, match=r"^unknown setting zzzzqqqq$"):
        load({"zzzzqqqq": 1}, known)


@pytest.mark.parametrize(
    ("key", "value", "rule"),
    [
        ("numResults", 0, "a whole number from 1 to 50, not 0"),
        ("numResults", 51, "a whole number from 1 to 50, not 51"),
        ("numResults", -1, "from 1 to 50"),
        ("numResults", 10**400, "a number that large"),
        ("numResults", 2.5, "not 2.5"),
        ("numResults", "3", "a whole number from 1 to 50"),
        ("numResults", True, "not true"),
        ("numResults", None, "not null"),
        ("numResults", math.inf, "not inf"),
        ("deadlineMs", 600_001, "from 100 to 600 000"),
        ("demoRatePerMinute", math.inf, "a number of at least 0"),
        ("demoRatePerMinute", math.nan, "a number of at least 0"),
        ("demoRatePerMinute", -0.1, "a number of at least 0, not -0.1"),
        ("recency", "hour", "one of any, day, week, month, year"),
        ("language", "x" * 36, "a code such as en or zh-CN, or empty"),
        ("safeSearch", "yes", "true or false"),
        ("safeSearch", 1, "true or false, not 1"),
        ("enableDemo", "maybe", "one of auto, on, off, true, false"),
        ("demoSearchDepth", [1], "a whole number from 1 to 3, not a list"),
        ("metaBaseURLs", "https://a.example", "a list, each item text"),
        ("metaBaseURLs", [1], "a list, each item text"),
        ("demoModel", {}, "text, not a table"),
        ("demoApiKeyEnv", "lower", "the name of an environment variable"),
        ("proxy", "ftp://proxy.example", "auto, direct or a proxy URL"),
        ("proxy", "", "auto, direct or a proxy URL"),
    ],
)
def test_a_wrong_value_is_refused_with_key_and_rule(known: Known, key: str, value: Any, rule: str) -> None:
    """R10: fails at load, names the setting, the rule and the range."""
    with pytest.raises(ConfigError) as caught:
        load({key: value}, known)
    assert str(caught.value).startswith(f"{key} must be ")
    assert rule in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "htps://me:hunter2@search.example.org",
        "https://me:hunter2@search.example.org",
        "https://hunter2@search.example.org/",
        "me:hunter2@search.example.org",
        "https://me:hunter2@",
        "https://hunter2,example",
        "https://hunter2;example/",
        "https://(hunter2)",
        "https://me:hunter2@search.example.org:99999",
        "https://me:hunter2@[::1",
        "https://search.example.org/ hunter2",
        "https://search.example.org/\x1bhunter2",
        "https://search.example.org\\@hunter2",
        "//hunter2.example",
        "file:///hunter2",
        "javascript:hunter2",
        "hunter2",
        "",
        "https://search.example.org/#hunter2",
    ],
)
def test_a_bad_base_url_is_refused_without_its_value(known: Known, url: str) -> None:
    """BC-041."""
    for key, value in (("demoBaseURL", url), ("metaBaseURLs", ["https://fine.example", url])):
        with pytest.raises(ConfigError) as caught:
            load({key: value}, known)
        assert key in str(caught.value)
        assert "hunter2" not in str(caught.value) + repr(caught.value)
        assert caught.value.__cause__ is None


@pytest.mark.parametrize("texts", ["", "https://a.example", "https://a.example, http://127.0.0.1:8888/x"])
def test_an_address_that_may_be_left_empty_may_be_several(known: Known, texts: str) -> None:
    """X28: a list is tried in turn; every part of it is checked."""
    assert load({"metaBaseURL": texts}, known).backends["meta"].base_url == texts
    with pytest.raises(ConfigError, match="metaBaseURL"):
        load({"metaBaseURL": f"https://a.example,{texts},"}, known)
    with pytest.raises(ConfigError, match="demoBaseURL"):
        load({"demoBaseURL": "https://a.example,https://b.example"}, known)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/", "https://[::1]:8443/a?b=c", "https://搜索.example/路径", "HTTPS://X.example"]
)
def test_a_good_base_url_is_kept_as_it_is(known: Known, url: str) -> None:
    assert load({"demoBaseURL": url}, known).backends["demo"].base_url == url


@pytest.mark.parametrize("key", ["demoKey", "demoApiKey", "demo_api_key", "someToken", "proxyPassword"])
def test_a_key_is_no_setting(known: Known, key: str) -> None:
    """N11."""
    with pytest.raises(ConfigError, match="keys are never settings") as caught:
        load({key: "CANARY-5b1"}, known)
    assert "CANARY-5b1" not in str(caught.value)


@pytest.mark.parametrize(
    "pasted", ["sk-CANARY5b1", "0123456789abcdef0123456789abcdef", "tvly-dev-CANARY5b1", "Bearer CANARY5b1"]
)
def test_a_key_pasted_as_its_reference_is_refused_unrepeated(known: Known, pasted: str) -> None:
    """N14: the setting names a variable."""
    with pytest.raises(ConfigError) as caught:
        load({"demoApiKeyEnv": pasted}, known)
    assert pasted not in str(caught.value)


@given(
    st.dictionaries(
        st.text(max_size=30), st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30)
    )
)
def test_whatever_is_loaded_loads_or_is_a_printable_config_error(mapping: dict[str, Any]) -> None:
    try:
        outcome: object = load(mapping, {})
    except ConfigError as problem:
        outcome = problem
    assert isinstance(outcome, Settings) or str(outcome).isprintable()


def test_two_backends_must_not_share_a_setting(known: Known) -> None:
    with pytest.raises(ConfigError, match="two settings are named"):
        load({}, {**known, "demo_base": known["demo"], "demo_base_url": known["demo"], "Demo": known["demo"]})
