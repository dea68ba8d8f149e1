"""Results as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.surface.json_text import as_json
from fanseek.types import NOTICE, SCHEMA, SearchResult


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters()),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
    )
)
def test_it_means_the_same_and_is_safe_to_print(value: object) -> None:
    """BC-102, BC-105."""
    text = as_json(value)
    assert json.loads(text) == value
    assert all(line.isprintable() for line in text.split("\n"))
    text.encode("utf-8")


def test_what_people_read_stays_readable() -> None:
    assert as_json({"q": "天气 é"}) == '{\n  "q": "天气 é"\n}\n'
    assert as_json("\x9b\u202e\x7f\U000e0041") == '"\\u009b\\u202e\\u007f\\udb40\\udc41"\n'


def test_numbers_json_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        as_json(float("nan"))


def test_the_marks_stand_in_it(result: SearchResult) -> None:
    """H11; the schema's name and version."""
    whole = json.loads(as_json(result.to_dict()))
    assert whole["notice"] == NOTICE
    assert whole["schema"] == SCHEMA == "fanseek.search/1"
