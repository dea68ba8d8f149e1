"""X6, G13: a whole number in range is taken, one out of range falls back and is told, or is refused where that is set."""

from __future__ import annotations

import pytest

from fanseek.config.settings import Settings
from fanseek.errors import UsageError
from fanseek.select.request import LONGEST_EXCERPT, wish

LENIENT, STRICT = Settings(), Settings(strict_arguments=True)


@pytest.mark.parametrize("settings", [LENIENT, STRICT])
@pytest.mark.parametrize("name", ["max_results", "max_chars_per_result"])
@pytest.mark.parametrize("wrong", ["8", "x", 8.0, True, [8], float("nan"), b"8", {}], ids=repr)
def test_x6_a_wrong_type_is_refused_always(settings: Settings, name: str, wrong: object):
    with pytest.raises(UsageError, match=f"{name} must be an integer from 1 to"):
        wish(settings, "q", **{name: wrong})


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        *[("max_results", wanted) for wanted in (0, 51, -1, 99_999, 10**400)],
        *[("max_chars_per_result", wanted) for wanted in (0, -5, 10**6, 10**400)],
    ],
    ids=lambda value: repr(value)[:20],
)
def test_x6_out_of_range_falls_back_and_is_told_or_is_refused(name: str, wanted: int):
    got = wish(LENIENT, "q", **{name: wanted})
    assert (got.request.limit, got.excerpt) == (8, None)
    (note,) = got.notes
    assert note.kind == f"{name}_out_of_range"
    assert len(note.message) < 200
    assert f"{name} {wanted}" in note.message or wanted > 10**12
    with pytest.raises(UsageError, match=f"{name} .* is not between 1 and"):
        wish(STRICT, "q", **{name: wanted})


def test_g13_the_longest_text_that_may_be_asked_for():
    assert (wish(LENIENT, "q", max_chars_per_result=100_000).excerpt, LONGEST_EXCERPT) == (100_000, 100_000)
    (note,) = wish(LENIENT, "q", max_chars_per_result=100_001).notes
    assert note.message == ("max_chars_per_result 100001 is not between 1 and 100000; results were not shortened by it")


@pytest.mark.parametrize("settings", [LENIENT, STRICT])
@pytest.mark.parametrize("wanted", [1, 8, 50])
def test_x6_in_range_is_in_range(settings: Settings, wanted: int):
    got = wish(settings, "q", max_results=wanted, max_chars_per_result=wanted)
    assert (got.request.limit, got.excerpt, got.notes) == (wanted, wanted, ())
    assert wish(settings, "q").request.limit == 8
