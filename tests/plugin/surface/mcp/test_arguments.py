"""Arguments as models send them."""

from __future__ import annotations

from typing import Any

import pytest

from fanseek.errors import UsageError
from fanseek.surface.mcp import tools
from fanseek.surface.mcp.arguments import SEARCH, STATUS, Arguments, taken, whole


def known(**given: Any) -> dict[str, Any]:
    return taken(given, SEARCH).known


@pytest.mark.parametrize(
    "absent", [None, "", " ", "null", "NULL", "none", "undefined", [], ["null"], [None], [""], [[]]]
)
@pytest.mark.parametrize("name", sorted(set(SEARCH) - {"query"}))
def test_what_is_as_good_as_absent_is_absent(name: str, absent: Any) -> None:
    """BC-164."""
    assert known(query="q", **{name: absent}) == {"query": "q"}


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("max_results", "5", 5),
        ("max_results", 5.0, 5),
        ("max_results", "7.0", 7),
        ("max_results", -3, -3),
        ("include_domains", "a.test", ["a.test"]),
        ("include_domains", '["a.test", "b.test"]', ["a.test", "b.test"]),
        ("include_domains", "a.test, b.test", ["a.test", "b.test"]),
        ("include_domains", ["a.test", None, "null", " b.test "], ["a.test", "b.test"]),
        ("backends", "Brave,EXA", ["brave", "exa"]),
        ("freshness", "Week ", "week"),
        ("freshness", ["week"], "week"),
        ("region", " us", "us"),
        ("deep", "true", True),
        ("deep", 0, False),
        ("deep", "No", False),
        ("structured", 1, True),
        ("query", 2026, "2026"),
        ("query", "null", "null"),
        ("query", "none", "none"),
        ("query", ["one"], "one"),
        ("time_range", "2026-01-01..2026-01-31", "2026-01-01..2026-01-31"),
    ],
)
def test_a_value_is_read_in_any_spelling(name: str, given: Any, read: Any) -> None:
    """BC-164: a refusal costs a turn."""
    assert known(**{name: given})[name] == read
    assert type(known(**{name: given})[name]) is type(read)


@pytest.mark.parametrize(
    ("name", "given", "rule"),
    [
        ("query", {"a": 1}, "a text"),
        ("query", True, "a text"),
        ("query", ["a", "b"], "a text"),
        ("max_results", "many", "a whole number"),
        ("max_results", 2.5, "a whole number"),
        ("max_results", True, "a whole number"),
        ("max_results", "9" * 30, "a whole number"),
        ("max_results", "1e9", "a whole number"),
        ("max_results", float("inf"), "a whole number"),
        ("deep", "perhaps", "true or false"),
        ("deep", 2, "true or false"),
        ("deep", [True], "true or false"),
        ("include_domains", 7, "a list of texts"),
        ("include_domains", [1], "a list of texts"),
        ("include_domains", '["a.test"', "a list of texts"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_rule(name: str, given: Any, rule: str) -> None:
    with pytest.raises(UsageError, match=f"{name} must be {rule}"):
        known(**{name: given})


def test_a_missing_query_is_missing() -> None:
    for query in (None, "", "  "):
        assert "query" not in known(query=query)


def test_an_unknown_argument_is_told_and_costs_nothing() -> None:
    assert taken({"query": "q", "bogus": 1, "other": 2}, SEARCH) == Arguments(
        known={"query": "q"}, unknown=("bogus", "other")
    )


@pytest.mark.parametrize("given", [None, "", {}, "{}"])
def test_no_arguments_at_all(given: Any) -> None:
    assert whole(given) == {}


def test_arguments_as_text_are_an_object_too() -> None:
    assert whole('{"query": "q"}') == {"query": "q"}


@pytest.mark.parametrize("given", ["q", 7, [], [1], '["q"]', True])
def test_what_is_no_object_is_refused(given: Any) -> None:
    with pytest.raises(UsageError, match="must be an object"):
        whole(given)


def test_what_is_listed_is_what_is_read() -> None:
    listed = {tool["name"]: set(tool["inputSchema"]["properties"]) for tool in tools.TOOLS}
    assert listed == {"search": set(SEARCH), "status": set(STATUS)}
