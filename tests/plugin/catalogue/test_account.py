"""How a search ended, in sentences of both languages."""

from __future__ import annotations

from typing import Any

import pytest

from fanseek.catalogue import Lang
from fanseek.catalogue.account import not_made, nothing_found, reason, reasons, span, without_results
from fanseek.types import Outcome, SearchResult


def outcomes(*statuses: str, rest: float | None = None) -> list[Outcome]:
    return [
        Outcome(backend=f"b{place}", status=status, message=f"why {place}", retry_after_s=rest)
        for place, status in enumerate(statuses)
    ]


@pytest.mark.parametrize(
    ("lang", "two", "one", "left_out"),
    [
        (
            "en",
            "2 backends agree: no results.",
            "1 backend answered: no results.",
            "No results: everything that was found was left out, as the search had asked.",
        ),
        (
            "zh",
            "没有结果：2 个引擎都已应答，一致认为没有。",
            "没有结果：1 个引擎已应答。",
            "没有结果：找到的内容都按搜索的要求排除了。",
        ),
    ],
)
def test_bc_023_nothing_found(lang: Lang, two: str, one: str, left_out: str) -> None:
    assert nothing_found(outcomes("empty", "empty"), lang) == two
    assert nothing_found(outcomes("empty"), lang) == one
    assert nothing_found([Outcome(backend="b", status="ok", hits=3)], lang) == left_out


def test_bc_026_degraded_is_not_nothing() -> None:
    """X16."""
    assert nothing_found(outcomes("empty", "timeout", "late", rest=30)) == (
        "Nothing was found, but the search was degraded: 2 of 3 backends failed or were not heard, so this does not mean "
        "that there is nothing; try again in 30 s."
    )
    assert nothing_found(outcomes("empty", "timeout"), "zh") == (
        "什么也没找到，但搜索不完整：2 个引擎中有 1 个失败或未能应答，因此不等于真的没有；请稍后再试。"
    )


NETWORK = "The network, or this address of yours, may be restricted"


@pytest.mark.parametrize(
    ("lang", "resting", "ordinary"),
    [
        (
            "en",
            (
                "The search could not be made: every backend that was asked has failed and now rests. The network, or "
                "this address of yours, may be restricted: wait, or go by a proxy (the setting proxy, FANSEEK_PROXY)."
            ),
            "The search could not be made: every backend that was asked has failed.",
        ),
        (
            "zh",
            (
                "搜索未能完成：询问的引擎全部失败，现在都在冷却。可能是网络受限，或者你的地址被限制："
                "请等待，或使用代理（设置 proxy，即 FANSEEK_PROXY）。"
            ),
            "搜索未能完成：询问的引擎全部失败。",
        ),
    ],
)
def test_m9_all_cooling_is_told_from_ordinary_failure(lang: Lang, resting: str, ordinary: str) -> None:
    """M9: two golden messages, in both languages."""
    assert not_made(outcomes("blocked", "timeout", "network", "rate-limit", "server", rest=60), lang) == resting
    assert not_made(outcomes("timeout", "server"), lang) == ordinary


@pytest.mark.parametrize(
    "several",
    [
        [*outcomes("blocked", rest=900), *outcomes("timeout")],
        outcomes("auth", "blocked", rest=900),
        outcomes("quota", rest=900),
        outcomes("format", rest=60),
        outcomes("late", "cancelled"),
        outcomes("skipped", rest=60),
        [],
    ],
    ids=lambda several: " ".join(outcome.status for outcome in several),
)
def test_m9_the_network_is_not_blamed_for_what_it_did_not_do(several: list[Outcome]) -> None:
    """One that may be asked at once, a bad key, an odd answer: none is a restricted network."""
    assert NETWORK not in not_made(several)


def test_m9_a_backend_that_was_not_asked_does_not_count() -> None:
    assert NETWORK in not_made([*outcomes("blocked", rest=9), Outcome(backend="k", status="skipped", message="no key")])


def test_no_network_is_said_as_such() -> None:
    assert "no backend could be reached" in not_made(outcomes("network", "network", rest=60))
    assert "连不上" in not_made(outcomes("network"), "zh")
    assert "reached" not in not_made(outcomes("network", "timeout"))
    assert "reached" not in not_made(outcomes("skipped", "skipped"))
    assert "reached" in not_made(outcomes("skipped", "network"))


@pytest.mark.parametrize(
    ("lang", "expected"),
    [("en", "b: rate-limit: HTTP 429 (asked again in 30 s)"), ("zh", "b：请求过于频繁：HTTP 429（30 秒后再询问）")],
)
def test_q3_when_it_is_asked_again_is_said(lang: Lang, expected: str) -> None:
    assert reason(Outcome(backend="b", status="rate-limit", message="HTTP 429", retry_after_s=30), lang) == expected


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "b: rate-limit: HTTP 429 (asked again in 30 s; exa can be asked meanwhile)"),
        ("zh", "b：请求过于频繁：HTTP 429（30 秒后再询问；其间可以询问 exa）"),
    ],
)
def test_q3_who_can_be_asked_instead_is_said(lang: Lang, expected: str) -> None:
    limited = Outcome(
        backend="b", status="rate-limit", message="HTTP 429", retry_after_s=30, retry_after=30, suggested_engine="exa"
    )
    assert reason(limited, lang) == expected


def test_a_backend_that_was_skipped_has_said_when_itself() -> None:
    outcome = Outcome(backend="b", status="skipped", message="circuit open, retry in 30 s", retry_after_s=30)
    assert reason(outcome) == "b: skipped: circuit open, retry in 30 s"


def test_reasons_leave_out_who_answered_and_keep_warnings() -> None:
    several = [
        Outcome(backend="a", status="ok", warnings=("one engine failed",)),
        Outcome(backend="b", status="partial"),
        Outcome(backend="c", status="skipped"),
        Outcome(backend="d", status="auth", message="bad\x1b[31m key\nat all"),
    ]
    assert reasons(several) == ["a: one engine failed", "b: partial", "d: auth: bad key at all"]
    assert reasons(several, "zh") == ["a：one engine failed", "b：部分结果", "d：密钥被拒绝或未获授权：bad key at all"]


@pytest.mark.parametrize(
    ("seconds", "english", "chinese"),
    [(0.2, "1 s", "1 秒"), (119, "119 s", "119 秒"), (900, "15 min", "15 分钟"), (21_600, "6 h", "6 小时")],
)
def test_spans(seconds: float, english: str, chinese: str) -> None:
    assert span(seconds) == english
    assert span(seconds, "zh") == chinese


@pytest.mark.parametrize("status", ["ok", "partial", "error"])
def test_each_end_has_its_own_sentence(status: Any) -> None:
    several = {"ok": ("empty",), "partial": ("empty", "timeout"), "error": ("timeout",)}
    result = SearchResult(query="q", status=status, outcomes=tuple(outcomes(*several[status])))
    said = without_results(result)
    start = {"ok": "1 backend answered", "partial": "Nothing was found, but", "error": "The search could not"}
    assert said.startswith(start[status])
