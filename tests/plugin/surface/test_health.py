"""The health line."""

from __future__ import annotations

from typing import get_args

import pytest

from fanseek.errors import FailureKind
from fanseek.surface.health import health, health_line
from fanseek.types import Outcome, SearchResult


def test_the_line_of_the_source_document() -> None:
    """H8: in the order of the outcomes, with milliseconds and hits."""
    outcomes = [
        Outcome(backend="c", status="ok", ms=5.4, hits=3),
        Outcome(backend="b", status="timeout", ms=30000),
        Outcome(backend="a", status="skipped", retry_after_s=42.2),
    ]
    assert (
        health_line(SearchResult(query="q", status="partial", outcomes=tuple(outcomes)))
        == "[websearch backends] c ✓5ms/3 · b ✗30000ms · a ⏸cooled 42s"
    )


@pytest.mark.parametrize("kind", get_args(FailureKind))
def test_every_kind_of_failure_is_a_cross(kind: FailureKind) -> None:
    assert health(Outcome(backend="b", status=kind, ms=12.6, hits=0)) == "b ✗13ms"


def test_what_is_neither_success_nor_failure_has_its_own_sign() -> None:
    parts = [
        health(Outcome(backend="b", status="empty", ms=3)),
        health(Outcome(backend="b", status="partial", ms=3, hits=2)),
        health(Outcome(backend="b", status="late", ms=25000)),
        health(Outcome(backend="b", status="cancelled", ms=7)),
        health(Outcome(backend="b", status="skipped", message="no key")),
    ]
    assert parts == ["b ✓3ms/0", "b ~3ms/2", "b ⌛late 25000ms", "b ⌛cancelled 7ms", "b ⏸skipped"]


def test_x27_the_line_in_chinese_keeps_its_label() -> None:
    """Hosts look for the label."""
    outcomes = (
        Outcome(backend="a", status="late", ms=25000),
        Outcome(backend="b", status="cancelled", ms=7),
        Outcome(backend="c", status="skipped"),
        Outcome(backend="d", status="skipped", retry_after_s=42),
    )
    line = health_line(SearchResult(query="q", status="error", outcomes=outcomes), "zh")
    assert line == "[websearch backends] a ⌛迟到 25000ms · b ⌛已取消 7ms · c ⏸未询问 · d ⏸冷却 42 秒"
    cached = SearchResult(query="q", status="ok", cached_age_s=240.4)
    assert health_line(cached, "zh") == "[websearch cache] 缓存命中，240 秒前的结果"


def test_a_result_from_the_cache_says_so_instead() -> None:
    """H9."""
    result = SearchResult(query="q", status="ok", cached_age_s=240.4)
    assert health_line(result) == "[websearch cache] cache hit, age 240s"


@pytest.mark.parametrize("count", [1, 11, 12, 13, 40])
def test_e9_the_line_never_has_more_than_twelve_entries(count: int) -> None:
    outcomes = tuple(Outcome(backend=f"b{number}", status="ok", ms=1, hits=2) for number in range(count))
    line = health_line(SearchResult(query="q", status="ok", outcomes=outcomes))
    assert line.count("✓") == min(count, 12)
    assert len(line.split(" · ")) == min(count, 12)
    assert line.endswith(f"(and {count - 12} more)") == (count > 12)
