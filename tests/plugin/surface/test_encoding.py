"""Text for outputs that can't show everything."""

from __future__ import annotations

import pytest

from fanseek.surface.encoding import encodable

LINE = "[websearch backends] a ✓5ms/3 · b ✗30000ms · c ⏸cooled 42s · d ⌛late 9ms — “q” …"


@pytest.mark.parametrize("encoding", ["gbk", "cp1252", "ascii", "cp437", "latin-1", "shift_jis", "utf-8", "utf-16"])
def test_it_can_always_be_encoded(encoding: str) -> None:
    """BC-072's kind."""
    for text in (LINE, "天气 🌧 naïve Ω", "\ud83d"):
        shown = encodable(text, encoding)
        assert shown.encode(encoding)
        assert len(shown) >= len(text)


def test_our_signs_become_words_and_others_question_marks() -> None:
    assert encodable(LINE, "ascii") == (
        '[websearch backends] a ok 5ms/3 | b FAILED 30000ms | c cooled 42s | d late 9ms - "q" ...'
    )
    assert encodable("天气 🌧", "gbk") == "天气 ?"


def test_what_fits_is_untouched() -> None:
    assert encodable(LINE, "utf-8") == LINE
    assert encodable("plain", "ascii") == "plain"


def test_an_encoding_nobody_knows_is_taken_for_ascii() -> None:
    assert encodable("a·b", "no-such-codec") == "a|b"
