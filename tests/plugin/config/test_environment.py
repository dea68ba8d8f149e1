"""Settings from FANSEEK_* variables and from key=value."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import pytest

from fanseek.config import from_environment, from_text, load
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError

Known = Mapping[str, AnyBackend]


def test_variables_become_the_wire_form_with_their_types(known: Known) -> None:
    variables = {
        "FANSEEK_NUM_RESULTS": " 3 ",
        "FANSEEK_SAFE_SEARCH": "off",
        "FANSEEK_RECENCY": "Week",
        "FANSEEK_DEMO_BASE_URL": "https://mirror.example/x",
        "FANSEEK_DEMO_RATE_PER_MINUTE": "2.5",
        "FANSEEK_DEMO_API_KEY_ENV": "OTHER_KEY",
        "FANSEEK_ENABLE_DEMO": "Yes",
        "FANSEEK_ENABLE_META": "off",
        "FANSEEK_META_BASE_URLS": "https://a.example, https://b.example,",
        "FANSEEK_LANGUAGE": "",
        "PATH": "/bin",
    }
    assert from_environment(variables, known) == {
        "numResults": 3,
        "safeSearch": False,
        "recency": "week",
        "demoBaseURL": "https://mirror.example/x",
        "demoRatePerMinute": 2.5,
        "demoApiKeyEnv": "OTHER_KEY",
        "enableDemo": "on",
        "enableMeta": "off",
        "metaBaseURLs": ["https://a.example", "https://b.example"],
    }
    assert load(from_environment(variables, known), known).num_results == 3


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("FANSEEK_NUM_RESULTS", "many"),
        ("FANSEEK_NUM_RESULTS", "51"),
        ("FANSEEK_NUM_RESULTS", "3.5"),
        ("FANSEEK_NUM_RESULTS", "٣"),
        ("FANSEEK_NUM_RESULTS", "1_0"),
        ("FANSEEK_NUM_RESULTS", "9" * 5000),
        ("FANSEEK_DEMO_RATE_PER_MINUTE", "inf"),
        ("FANSEEK_DEMO_RATE_PER_MINUTE", "nan"),
        ("FANSEEK_SAFE_SEARCH", "perhaps"),
        ("FANSEEK_ENABLE_DEMO", "2"),
        ("FANSEEK_DEMO_BASE_URL", "htps://me:hunter2@search.example"),
        ("FANSEEK_PROXY", "hunter2"),
    ],
)
def test_a_wrong_variable_is_named_and_not_repeated(known: Known, variable: str, text: str) -> None:
    """BC-041."""
    with pytest.raises(ConfigError) as caught:
        from_environment({variable: text}, known)
    assert str(caught.value).startswith(f"{variable} (")
    assert "hunter2" not in str(caught.value)


def test_an_unknown_variable_is_a_warning_with_the_nearest_one(known: Known, caplog: pytest.LogCaptureFixture) -> None:
    assert from_environment({"FANSEEK_NUM_RESULT": "CANARY-5b1"}, known) == {}
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "FANSEEK_NUM_RESULT is not a setting" in record.getMessage()
    assert "FANSEEK_NUM_RESULTS" in record.getMessage()
    assert "CANARY-5b1" not in caplog.text


def test_a_key_in_our_namespace_is_pointed_elsewhere(known: Known, caplog: pytest.LogCaptureFixture) -> None:
    """N11: never suggests to put the key where a name belongs."""
    assert from_environment({"FANSEEK_DEMO_API_KEY": "CANARY-5b1"}, known) == {}
    assert "FANSEEK_DEMO_API_KEY has no effect" in caplog.text
    assert "_ENV" not in caplog.text
    assert "CANARY-5b1" not in caplog.text


@pytest.mark.parametrize("variable", ["FANSEEK_BACKENDS", "DSH_UNIFIED_SEARCH_BACKENDS"])
def test_a_list_forces_the_enabled_backends(known: Known, variable: str) -> None:
    """B15: exactly those, whatever the toggles say."""
    found = from_environment({variable: " Meta ,", "FANSEEK_ENABLE_DEMO": "on", "FANSEEK_ENABLE_META": "off"}, known)
    assert found == {"enableDemo": "off", "enableMeta": "on"}


def test_our_own_list_wins_over_the_harness_one(known: Known) -> None:
    found = from_environment({"FANSEEK_BACKENDS": "demo", "DSH_UNIFIED_SEARCH_BACKENDS": "meta"}, known)
    assert found == {"enableDemo": "on", "enableMeta": "off"}


def test_a_list_of_strangers_is_refused_and_one_among_friends_warned_of(
    known: Known, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(ConfigError, match="FANSEEK_BACKENDS must name at least one of demo, meta"):
        from_environment({"FANSEEK_BACKENDS": "nobody"}, known)
    caplog.clear()
    assert from_environment({"FANSEEK_BACKENDS": "nobody,demo"}, known)["enableDemo"] == "on"
    assert "FANSEEK_BACKENDS names no backend" in caplog.text


@pytest.mark.parametrize("text", ["", " ", " , "])
def test_an_empty_list_forces_nothing(known: Known, text: str) -> None:
    assert from_environment({"FANSEEK_BACKENDS": text}, known) == {}


def test_pairs_are_read_in_order_and_the_later_wins(known: Known) -> None:
    assert from_text(["numResults=3", "demoBaseURL=https://x.example/?a=b", "numResults = 4"], known) == {
        "numResults": 4,
        "demoBaseURL": "https://x.example/?a=b",
    }


@pytest.mark.parametrize(
    ("pair", "said"), [("numResults", "key=value"), ("nope=1", "unknown setting nope"), ("numResults=x", "numResults")]
)
def test_a_bad_pair_is_refused(known: Known, pair: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        from_text([pair], known)


def test_l6_a_switch_may_be_named_by_what_it_switches():
    for variables, value in (
        ({"FANSEEK_CACHE": "off"}, False),
        ({"FANSEEK_CACHE": "off", "FANSEEK_CACHE_ENABLED": "on"}, True),
        ({"FANSEEK_CACHE_ENABLED": "off", "FANSEEK_CACHE": "on"}, False),
    ):
        assert from_environment(variables)["cacheEnabled"] is value
    assert from_environment({"FANSEEK_HISTORY": "no"}) == {"historyEnabled": False}
