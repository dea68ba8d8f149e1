"""The order by the words of the query (E6)."""

from __future__ import annotations

import random

import pytest

from fanseek.contract import Hit
from fanseek.merge import Contribution, merge
from fanseek.merge.relevance import by_query, wishes, worth
from fanseek.types import Source

CJK_QUERY = "北京天气"


def result(title: str = "", snippet: str = "", url: str = "https://x.test/") -> Source:
    return Source(id="i", url=url, title=title, snippet=snippet, domain="x.test", score=0.0, found_by=())


def weight(query: str, **fields: str) -> int:
    return worth(result(**fields), wishes(query))


def test_e6_a_title_weighs_three_a_snippet_two_an_address_one():
    assert weight("rust", title="Rust") == 3
    assert weight("rust", snippet="of rust") == 2
    assert weight("rust", url="https://rust.test/") == 1
    assert weight("rust", title="Rust", snippet="rust rust", url="https://x.test/a_rust-b") == 6
    assert weight("async rust", title="Async Rust") == 6
    assert weight("rust", title="trust", snippet="rusty") == 0


@pytest.mark.parametrize(
    ("query", "title", "expected"),
    [
        (CJK_QUERY, "北京今日天气", 6),
        (CJK_QUERY, "北京天气预报", 9),
        ("ﾃｽﾄ自動化", "テスト自動化", 15),
        ("한글 검색", "한글검색", 9),
        ("臺灣大學", "台湾大学", 9),
        ("ＲＵＳＴ", "rust", 3),
        ("погода в Москве", "ПОГОДА В МОСКВЕ", 9),
        ("ข่าว", "ข่าว", 9),
        ("猫", "猫咪视频", 3),
        ("猫 视频", "猫咪视频", 6),
    ],
)
def test_e6_words_are_told_in_every_script(query: str, title: str, expected: int):
    assert weight(query, title=title) == expected


def test_e6_an_address_is_read_as_people_read_it():
    assert weight("天气", url="https://x.test/%E5%A4%A9%E6%B0%94") == 1


@pytest.mark.parametrize("query", ["site:rust.test -rust", "", "   ", "🔥", "-rust", 'intitle:"rust async"'])
def test_e6_operators_and_unwanted_words_weigh_nothing(query: str):
    results = [result(title="Other"), result(title="Rust async")]
    assert by_query(results, query) == results


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("std::vector", "vector of std"),
        ("node:fs", "fs in Node"),
        ("http://rust.test/", "Rust in a test"),
        ("rust OR go", "Go"),
        ('"rust async"', "Async in Rust"),
        ("cats NOT rust", "Cats"),
    ],
)
def test_e6_a_colon_makes_no_operator_and_alternatives_are_wanted(query: str, title: str):
    results = [result(title="Other of NOT and rust" if "NOT" in query else "Other"), result(title=title)]
    assert by_query(results, query) == results[::-1]


def found(backend: str, *rows: tuple[str, str], priority: int = 100) -> Contribution:
    hits = [Hit(url=f"https://{host}.test/", title=title) for host, title in rows]
    return Contribution(backend=backend, family=backend, hits=hits, priority=priority)


def order(*lists: Contribution, query: str = "rust async", **options: object) -> list[str]:
    merged = merge(lists, query=query, rerank=True, **options)  # type: ignore[arg-type]
    return [source.domain.removesuffix(".test") for source in merged.sources]


def test_e6_ties_follow_priority():
    lists = [
        found("a", ("p", "Rust async"), priority=3),
        found("b", ("q", "Rust async"), priority=1),
        found("c", ("r", "Rust async"), priority=2),
    ]
    assert order(*lists) == ["q", "r", "p"]
    assert order(*lists, query="nothing of it") == ["q", "r", "p"]


def test_e6_ties_keep_their_rank_and_the_cut_comes_last():
    rows = found("a", ("one", "Rust"), ("two", "Cooking"), ("three", "Rust async"), ("four", "Rust"), ("five", "Async"))
    assert order(rows) == ["three", "one", "four", "five", "two"]
    assert order(rows, limit=2) == ["three", "one"]


def test_e6_it_is_off_by_default():
    rows = found("a", ("one", "Cooking"), ("two", "Rust async"))
    assert [source.domain for source in merge([rows], query="rust async").sources] == ["one.test", "two.test"]


def test_e6_bc_150_the_same_input_gives_the_same_order():
    lists = [
        found("a", ("p", "Rust"), ("q", "Async rust")),
        found("b", ("r", "Rust async"), ("p", "Rust")),
        found("c", ("s", "Cooking"), ("t", "rust")),
    ]
    chance = random.Random(6)
    orders = set()
    for _ in range(50):
        chance.shuffle(lists)
        orders.add(tuple(order(*lists)))
    assert len(orders) == 1


def test_bc_151_results_move_whole():
    rows = [Hit(url=f"https://d{number}.test/", title=title, snippet=f"snippet {number}", published=f"202{number}")
            for number, title in enumerate(["Cooking", "Rust", "Rust async"])]  # fmt: skip
    plain = {source.id: source for source in merge([Contribution(backend="a", family="a", hits=rows)]).sources}
    merged = merge([Contribution(backend="a", family="a", hits=rows)], query="rust async", rerank=True)
    assert [source.snippet for source in merged.sources] == ["snippet 2", "snippet 1", "snippet 0"]
    assert all(source == plain[source.id] for source in merged.sources)
