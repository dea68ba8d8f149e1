"""Text in the columns of a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.columns import fitted, padded, width, wrapped

TEXTS = st.text(st.characters(categories=["L", "N", "P", "Zs", "Mn"]), max_size=80)


@pytest.mark.parametrize(
    ("text", "columns"),
    [("abc", 3), ("搜索", 4), ("a搜，", 5), ("ｆ", 2), ("e\u0301", 1), ("한국", 4), ("✓ ok", 4), ("", 0), ("🙂", 2)],
)
def test_cjk_takes_two_columns_and_marks_take_none(text: str, columns: int) -> None:
    assert width(text) == columns


@given(TEXTS, st.integers(0, 60))
def test_what_is_fitted_fits_and_is_the_beginning(text: str, columns: int) -> None:
    part = fitted(text, columns)
    assert text.startswith(part)
    assert width(part) <= columns
    assert part == text or width(text) > columns


def test_padding_counts_columns() -> None:
    assert padded("搜", 4) == "搜  "
    assert padded("long", 2) == "long"


def test_lines_break_at_spaces_and_hang() -> None:
    assert wrapped("✗ exa  the limit is reached: wait", 20, hang=4) == ["✗ exa  the limit is", "    reached: wait"]


def test_chinese_breaks_between_characters_but_not_before_a_comma() -> None:
    lines = wrapped("请求过于频繁，请等待，或换用代理。", 13)
    assert lines == ["请求过于频", "繁，请等待，", "或换用代理。"]
    assert all(width(line) <= 13 for line in lines)


def test_an_address_is_never_broken() -> None:
    address = "https://api-dashboard.search.brave.com/app/keys"
    assert wrapped(f"get one: {address} there", 20, hang=2) == ["get one:", f"  {address}", "  there"]


@given(TEXTS, st.integers(8, 60), st.integers(0, 4))
def test_nothing_is_lost(text: str, columns: int, hang: int) -> None:
    lines = wrapped(text, columns, hang=hang)
    assert "".join("".join(lines).split()) == "".join(text.split())
