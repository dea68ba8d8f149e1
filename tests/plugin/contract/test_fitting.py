"""Queries cut to what a backend takes. BC-133: operators stay, no quote is left open, only words are shortened."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract.fitting import QueryLimit, fitted, sites, worded
from fanseek.contract.query import folded, pieces

WORDS = st.sampled_from(
    re.findall(r"\w+", "how do large transformer models store factual associations in their middle layers 2026")
)
CJK = st.text(st.sampled_from("大语言模型如何存储事实知识と日本語한국어ab1"), min_size=1, max_size=40)
PHRASES = st.lists(WORDS, min_size=1, max_size=6).map(lambda words: f'"{" ".join(words)}"')
OPERATORS = st.sampled_from(
    ["site:arxiv.org", "-site:x.org", "filetype:pdf", "intitle:rust", "after:2024-01-01", "-draft", 'intitle:"a b"']
)
STRAY = st.sampled_from(['"', '5"', "\u201c", "«x", "(", ")", "OR", "'", '"a'])
QUERIES = st.lists(st.one_of(WORDS, WORDS, WORDS, CJK, PHRASES, OPERATORS, STRAY), min_size=1, max_size=60).map(
    " ".join
)
LIMITS = st.one_of(
    st.integers(1, 500).map(lambda count: QueryLimit(characters=count)),
    st.integers(1, 60).map(lambda count: QueryLimit(words=count)),
    st.integers(4, 900).map(lambda count: QueryLimit(bytes=count)),
    st.tuples(st.integers(4, 400), st.integers(1, 50), st.integers(4, 900)).map(
        lambda counts: QueryLimit(characters=counts[0], words=counts[1], bytes=counts[2])
    ),
)
DOMAINS = st.lists(st.integers(0, 40).map(lambda n: f"host-{n}.example.org"), max_size=6, unique=True)


def within(text: str, limit: QueryLimit) -> bool:
    return (
        len(text) <= (limit.characters or len(text))
        and len(text.split()) <= (limit.words or len(text))
        and len(text.encode()) <= (limit.bytes or 4 * len(text))
    )


@given(QUERIES, LIMITS)
def test_a_query_is_within_every_limit_with_no_quote_left_open(query, limit):
    text = fitted(query, limit)
    assert within(text, limit)
    assert text or not any(map(str.isalnum, query))
    if within(folded(query), limit):
        assert text == folded(query)
    else:
        assert text.count('"') % 2 == 0
    assert fitted(text, limit) == text


@given(QUERIES, LIMITS)
def test_what_is_kept_is_the_query_s_own_in_its_order(query, limit):
    """A quoted phrase is kept whole or goes whole; a word that is not CJK is never torn while another fits."""
    text = fitted(query, limit)
    phrases = {piece.text for piece in pieces(query) if piece.kind == "phrase"}
    kept = [piece for piece in pieces(text) if piece.kind == "phrase"]
    if len(kept) + sum(piece.kind == "word" for piece in pieces(text)) > 1:
        assert {piece.text for piece in kept if '"' in piece.text} <= phrases
    bare = re.sub(r"[\s\"\u201c«]", "", query)
    at = 0
    for sign in re.sub(r"[\s\"\u201c«]", "", text):
        at = bare.index(sign, at) + 1


@given(QUERIES, LIMITS)
def test_operators_go_last(query, limit):
    """All operators are kept wherever they fit alone, in their order, whatever words they cost."""
    operators = [piece.text for piece in pieces(query) if piece.kind == "operator"]
    if operators and within(" ".join(operators), limit) and all(text.count('"') % 2 == 0 for text in operators):
        kept = [piece.text for piece in pieces(fitted(query, limit)) if piece.kind == "operator"]
        assert kept == operators


@given(QUERIES, LIMITS, DOMAINS, DOMAINS)
def test_our_own_operators_are_counted(query, limit, include, exclude):
    wording = worded(query, limit, include=include, exclude=exclude)
    assert within(wording.text, limit)
    left = include[: len(include) - len(wording.left_out)]
    assert not left or sites(left) in wording.text
    assert wording.left_out == tuple(include[len(left) :])
    plain = worded(query, limit)
    if exclude and not include:
        assert wording.text.startswith(plain.text)
        assert wording.cut == plain.cut
    operators = [piece.text for piece in pieces(query) if piece.kind == "operator"]
    if operators and within(" ".join(operators), limit):
        assert all(text in wording.text for text in operators if text.count('"') % 2 == 0)


def test_bc_133_the_stated_queries():
    sixty = QueryLimit(characters=60)
    first = fitted("how do large transformer models store factual associations in layers site:arxiv.org", sixty)
    second = fitted('what is the meaning of "mechanistic interpretability of transformers" in 2026', sixty)
    assert first == "how do large transformer models store factual site:arxiv.org"
    assert second == 'what is the "mechanistic interpretability of transformers"'


@pytest.mark.parametrize(
    ("query", "limit", "text"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two"),
        ("  one   two ", 20, "one two"),
        ("one site:a.org two -x three", 20, "one site:a.org -x"),
        ('one "two three" four', 12, '"two three"'),
        ('"one two three four"', 10, "one two"),
        ('five "one two three four" six', 10, "five six"),
        ("x" * 30, 10, "x" * 10),
        ("大语言模型如何存储事实", 5, "大语言模型"),
        ("使用PostgreSQL数据库", 8, "使用"),
        ("使用PostgreSQL数据库 教程", 14, "使用PostgreSQL数据"),
        ("cats (site:a.org OR site:b.org OR site:c.org)", 28, "(site:a.org OR site:b.org)"),
        ("a OR b rust async runtime", 12, "a OR b rust"),
        ("が\u3099が\u3099が", 3, "が\u3099"),
        ('5" pipe 3" hose for gardens', 20, '5 " pipe 3" hose for'),
    ],
)
def test_words_go_from_the_end(query, limit, text):
    assert fitted(query, QueryLimit(characters=limit)) == text


def test_words_and_bytes_are_limits_too():
    assert fitted("one two three site:a.org", QueryLimit(words=2)) == "one site:a.org"
    assert fitted('one "two three" four', QueryLimit(words=2)) == '"two three"'
    assert fitted("大语言模型 rust", QueryLimit(bytes=9)) == "大语言"
    assert fitted("🦆🦆🦆", QueryLimit(bytes=9)) == "🦆🦆"
    assert str(QueryLimit(characters=400, words=50)) == "400 characters and 50 words"


def test_wished_domains_cost_words_down_to_half_and_unwanted_ones_none():
    query, limit = "word " * 12, QueryLimit(characters=60)
    wording = worded(query, limit, include=["a.org", "b.org"], exclude=["c.org"])
    assert wording.text == "word word word word word word (site:a.org OR site:b.org)"
    assert wording.cut
    many = worded(query, limit, include=[f"host-{n}.example.org" for n in range(3)])
    assert many.text == "word word word word word word word site:host-0.example.org"
    assert many.left_out == ("host-1.example.org", "host-2.example.org")
    assert worded("one two", limit, exclude=["c.org", "d.org"]).text == "one two -site:c.org -site:d.org"


@pytest.mark.parametrize(
    ("query", "include", "exclude", "text"),
    [
        ("cats site:a.test", ["a.test"], [], "cats site:a.test"),
        ("cats SITE:A.test/path", ["a.test"], [], "cats SITE:A.test/path"),
        ("cats (site:a.test OR site:b.test)", ["a.test", "b.test"], [], "cats (site:a.test OR site:b.test)"),
        ("cats site:a.test", ["docs.a.test"], [], "cats site:a.test site:docs.a.test"),
        ("cats -site:a.test", [], ["a.test", "b.test"], "cats -site:a.test -site:b.test"),
        ('cats "site:a.test"', ["a.test"], [], 'cats "site:a.test" site:a.test'),
    ],
)
def test_bc_172_a_domain_that_the_query_names_is_not_asked_for_twice(query, include, exclude, text) -> None:
    wording = worded(query, QueryLimit(characters=200), include=include, exclude=exclude)
    assert (wording.text, wording.left_out) == (text, ())


@pytest.mark.parametrize(
    ("query", "characters", "text"),
    [
        ("cats AND dogs | birds", 10, "cats"),
        ("cats AND dogs AND birds", 15, "cats AND dogs"),
        ("(tides OR (currents AND -waves)) AND harbour", 12, "tides"),
        ("(tides OR (currents AND waves)) AND harbour", 29, "tides OR currents"),
        ('"a (b" (c d', 9, '"a (b"'),
        ("cats (dogs birds", 11, "cats dogs"),
    ],
)
def test_bc_133_a_cut_leaves_no_connective_that_joins_nothing_and_no_lone_parenthesis(
    query: str, characters: int, text: str
) -> None:
    assert fitted(query, QueryLimit(characters=characters)) == text


@pytest.mark.parametrize("query", ["cats OR", "(cats", "cats)", "AND", "salt and", "rock & roll (live"])
def test_what_fits_whole_stays_as_it_was_written(query: str) -> None:
    assert fitted(query, QueryLimit(characters=60)) == query


TERM = st.sampled_from(["cats", "dogs", '"a b"', "site:x.org", "-draft", "词语词语", "x" * 18])
BOOLEAN = st.recursive(
    TERM,
    lambda term: st.tuples(st.sampled_from([" OR ", " AND ", " | "]), st.lists(term, min_size=2, max_size=4)).map(
        lambda made: f"({made[0].join(made[1])})"
    ),
    max_leaves=12,
)


@given(st.lists(BOOLEAN, min_size=1, max_size=5).map(" AND ".join), st.integers(8, 90))
def test_bc_133_a_sound_query_is_sound_after_a_cut(query: str, characters: int) -> None:
    cut = fitted(query, QueryLimit(characters=characters))
    assert len(cut) <= characters
    assert cut.count('"') % 2 == 0
    assert cut.count("(") == cut.count(")")
    assert cut.split()[-1] not in ("OR", "AND", "|", "-")
    assert cut.split()[0] not in ("OR", "AND", "|")
