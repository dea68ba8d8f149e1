"""A query taken apart and put together again."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract.query import QUOTES, folded, pieces, together

BITS = ["a", "bc", "OR", "AND", "NOT", "|", "-x", "+y", "site:a.org", "-site:b.org", "(", ")", "-(", ":", "潮汐", "和"]
SIGNS = [*QUOTES, *(end for ends in QUOTES.values() for end in ends), " ", "  ", "intitle:", "3..5", "don't", "re:x"]
texts = st.one_of(st.text(max_size=60), st.lists(st.sampled_from(BITS + SIGNS), max_size=24).map("".join))


def kinds(query: str) -> list[tuple[str, str]]:
    return [(piece.text, piece.kind) for piece in pieces(query)]


@given(texts)
def test_the_pieces_put_together_are_the_query_but_for_blanks(query):
    again = folded(query)
    assert "".join(again.split()) == "".join(query.split())
    assert folded(again) == again
    assert [piece.text for piece in pieces(again)] == [piece.text for piece in pieces(query)]


@given(texts)
def test_every_piece_has_text(query):
    assert all(piece.text.strip() for piece in pieces(query))
    assert not pieces(query) or not pieces(query)[0].glued


@pytest.mark.parametrize("opening", QUOTES)
def test_a_quoted_string_is_one_piece_with_any_kind_of_quotes(opening):
    for closing in QUOTES[opening]:
        phrase = f"{opening}rust and  go, please{closing}"
        assert (phrase, "phrase") in kinds(f"one {phrase} two")
        assert (f"intitle:{phrase}", "operator") in kinds(f"one intitle:{phrase} two")
        assert (f"-{phrase}", "operator") in kinds(f"one -{phrase} two")
        assert folded(f"one  {phrase}  two") == f"one {phrase} two"


@pytest.mark.parametrize(
    "operator",
    [
        *[
            "site:x.org",
            "-site:x.org",
            "filetype:pdf",
            "intitle:rust",
            "before:2020-01-01",
            "after:2019",
            "-draft",
            "+exact",
        ],
        *[
            "lang:de",
            "inurl:docs",
            "10..20",
            "$5..$9",
            "(site:a.org OR site:b.org)",
            "site:a.org OR site:b.org",
            "-(a b)",
        ],
        *["NOT draft", "site:a.org | site:b.org", "SITE:x.org", "site:x.org/path?a=b"],
    ],
)
def test_an_operator_is_one(operator):
    assert kinds(f"tidal {operator} power") == [("tidal", "word"), (operator, "operator"), ("power", "word")]


@pytest.mark.parametrize(
    "word",
    ["std::vector", "http://x.org/a", "12:30", "C:\\", "C++", "hi-fi", "AT&T", "f(x)", "don't", '5"', "3:2", "a-b"],
)
def test_a_word_is_none(word):
    assert (word, "word") in kinds(f"tidal {word} power")
    assert "operator" not in {piece.kind for piece in pieces(f"tidal {word} power")}


def test_alternatives_of_plain_words_are_a_group():
    assert kinds("cats OR dogs food") == [("cats OR dogs", "group"), ("food", "word")]
    assert kinds("(cats OR (big dogs)) food") == [("(cats OR (big dogs))", "group"), ("food", "word")]
    assert [piece.text for piece in pieces("(a b) c")] == ["(", "a", "b", ")", "c"]
    assert kinds("cats OR dogs site:a.org")[-1] == ("site:a.org", "operator")


def test_an_operator_behind_cjk_letters_is_one():
    assert kinds("北京天气site:w.cn") == [("北京天气", "word"), ("site:w.cn", "operator")]
    assert folded("北京天气site:w.cn 预报") == "北京天气site:w.cn 预报"


def test_joints_that_join_nothing_are_words():
    for query in ("OR", "a OR", "OR b", "NOT", "a OR OR b", "| |", "a OR |"):
        assert folded(query) == query


@pytest.mark.parametrize(
    "sign", ["(", '"', "\u201c", "'a ", ")", "-(", "a'", "\u201c ", "( a OR ", "x:", "NOT ", "a OR "]
)
def test_long_junk_takes_time_in_proportion(sign):
    """Twice as much takes about twice as long, whatever is never closed."""

    def seconds(count: int) -> float:
        began = time.process_time()
        pieces(sign * count)
        return time.process_time() - began

    seconds(100)
    assert min(seconds(8_000) for _ in range(3)) < 16 * max(0.005, min(seconds(2_000) for _ in range(3)))


@given(texts)
def test_pieces_of_pieces_are_themselves(query):
    whole = pieces(query)
    assert together(whole) == folded(query)
