"""BC-134, BC-136: what nobody typed is taken out of a query; blanks are ordinary ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.select.spelling import spelled


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("a\u00a0b\u3000c", "a b c"),
        ("  x  ", "x"),
        ("a\n\tb\r\nc", "a b c"),
        ("a\u2003\u2009\u202f\u205fb", "a b"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
        ("a\x00b\x07\x1fc", "ab c"),
        ("\x1b[31mrust\x1b[0m \x1b]0;title\x07async", "rust async"),
        ("ru\u200bst \ufeffas\u00adync\u202e", "rust async"),
        ("a\ud800b", "a\ufffdb"),
        ("\ud83e\udd86 duck", "🦆 duck"),
        ("क्\u200dष 👩\u200d💻 می\u200cخواهم", "क्\u200dष 👩\u200d💻 می\u200cخواهم"),
        ('one  two "a  b" three', 'one two "a  b" three'),
        ('"a\u00a0\u00a0b"  x', '"a  b" x'),
        ("中文 标点，。", "中文 标点，。"),
        ("ＡＢ　Ｃ", "ＡＢ Ｃ"),
        ("e\u0301 Å", "e\u0301 Å"),
        ("\x00\x07", ""),
        ("   \u3000\n", ""),
        ("\u200b\u200e", ""),
        ("?", "?"),
    ],
)
def test_blanks_are_ordinary_and_controls_go(query, text):
    assert spelled(query) == text


@given(st.text())
def test_a_spelled_query_can_be_sent_and_stays(query):
    once = spelled(query)
    once.encode()
    assert spelled(once) == once
    assert once == once.strip()
    assert not any(sign < " " or sign in "\x7f\u00a0\u3000\u200b" for sign in once)


@given(st.text(st.characters(exclude_categories=["C", "Z"])))
def test_visible_characters_all_stay(query):
    assert spelled(query) == query or any(sign in query for sign in "\u115f\u1160\u3164\uffa0")
