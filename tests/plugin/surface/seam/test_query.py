"""What a query says beside its words (HF1)."""

from __future__ import annotations

from contextlib import suppress
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.errors import UsageError
from fanseek.surface.seam import asked

TODAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("query", "left", "time_range"),
    [
        ("rust", "rust", None),
        ("rust after:2026-02-20", "rust", "2026-02-20..2026-12-01"),
        ("after:2026-02-20 rust before:2026-03-01", "rust", "2026-02-20..2026-02-28"),
        ("rust before:2020", "rust", "1970-01-01..2019-12-31"),
        ("rust after:2020", "rust", "2020-01-01..2026-12-01"),
        ("rust AFTER:2020/3", "rust", "2020-03-01..2026-12-01"),
        ("rust after:2020.3.5 async", "rust async", "2020-03-05..2026-12-01"),
        ("rust after：2020", "rust", "2020-01-01..2026-12-01"),
        ('rust after:"2020-01-02"', "rust", "2020-01-02..2026-12-01"),
        ("rust after:2019 after:2021 before:2024 before:2023", "rust", "2021-01-01..2022-12-31"),
        ("rust after:2027-05-01", "rust", "2027-05-01..2027-05-01"),
        (
            '"two  blanks" site:a.example -site:b.example after:2020',
            '"two  blanks" site:a.example -site:b.example',
            "2020-01-01..2026-12-01",
        ),
    ],
)
def test_hf1_dates_become_the_time_range(query: str, left: str, time_range: str | None) -> None:
    """HF1."""
    found = asked(query, TODAY)
    assert (found.query, found.time_range) == (left, time_range)
    assert found.wishes == ({"time_range": time_range} if time_range else {})


@pytest.mark.parametrize(
    "query",
    [
        '"after:2020" rust',
        "rust -after:2020",
        "rust after:2020 OR before:2010",
        "rust (after:2020 before:2021)",
        "rust after:yesterday",
        "rust after:2026-13-45",
        "rust after:0000",
        "rust before:0001-01-01",
        "rust after:20266",
        "after:2020",
        "what comes after: 2020",
        "https://a.example/after:2020",
        "site:example.org",
        "",
    ],
)
def test_hf1_what_is_no_plain_date_operator_stays(query: str) -> None:
    """HF1: words stay words."""
    found = asked(query, TODAY)
    assert (found.query, found.time_range) == (query, None)


def test_dates_that_leave_no_day_are_told() -> None:
    with pytest.raises(UsageError, match=r"after:2026-02-01 before:2026-01-01 leaves no day"):
        asked("rust after:2026-02-01 before:2026-01-01", TODAY)


@pytest.mark.parametrize("query", [None, 7, ["a"], b"x"])
def test_a_query_is_text(query: object) -> None:
    with pytest.raises(UsageError, match="query must be a string"):
        asked(query, TODAY)


@given(st.text(max_size=80) | st.from_regex(r'((after|before):[0-9-]{0,10}|"| |a|site:x){0,8}', fullmatch=True))
def test_any_text_is_a_query(query: str) -> None:
    with suppress(UsageError):
        assert asked(query, TODAY).query.strip() or not query.strip()
