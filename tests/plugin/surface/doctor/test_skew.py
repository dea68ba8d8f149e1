"""The clock, by the Date of answers."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from fanseek.contract import Response
from fanseek.surface.doctor.skew import Skew

NOW = 1_790_000_000.0


def found(*offsets: float | str) -> list[tuple[str, int]]:
    skew = Skew(lambda: NOW)
    for offset in offsets:
        date = offset if isinstance(offset, str) else formatdate(NOW - offset, usegmt=True)
        skew.hear(Response(status=200, headers={"date": date}))
    return [(one.code, one.fields["minutes"]) for one in skew.findings()]


@pytest.mark.parametrize(
    ("offset", "expected"),
    [(0, []), (119, []), (-119, []), (600, [("clock.ahead", 10)]), (-7200, [("clock.behind", 120)])],
)
def test_a_clock_that_is_off_is_found(offset: float, expected: list[tuple[str, int]]) -> None:
    assert found(offset) == expected


def test_one_service_whose_clock_is_off_is_not_ours() -> None:
    assert found(0, 1, 90_000) == []


@pytest.mark.parametrize("date", ["", "yesterday", "Thu, 99 Foo 2026 00:00:00 GMT", "0", "\x00"])
def test_a_date_that_is_none_says_nothing(date: str) -> None:
    assert found(date) == []


def test_no_date_says_nothing() -> None:
    skew = Skew(lambda: NOW)
    skew.hear(Response(status=200))
    assert list(skew.findings()) == []
