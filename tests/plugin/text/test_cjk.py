from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.cjk import bigrams, folded, is_cjk, mostly_cjk, tokens


@pytest.mark.parametrize("char", ["中", "々", "あ", "ア", "ｱ", "한", "ㄅ", "𠀀", "〇", "ㅎ"])
def test_cjk_letters(char: str):
    assert is_cjk(char)


@pytest.mark.parametrize("char", ["a", "é", "1", "。", "Ａ", "я", "😀", " ", "א", ""])
def test_other_characters(char: str):
    assert not is_cjk(char)


def test_mostly_cjk_counts_letters_only():
    assert mostly_cjk("中文 (a)，，。。!!!")
    assert mostly_cjk("Python 3 中文教程入门指南")
    assert not mostly_cjk("mostly English with 中文")
    assert not mostly_cjk("")
    assert not mostly_cjk("。。。")


def test_tokens_are_words_and_bigrams_in_ordinary_width():
    assert tokens("Ｐｙｔｈｏｎ 3.14 中文教程, it's ｶﾞ") == ["python", "3", "14", "中文", "文教", "教程", "it's", "ガ"]
    assert bigrams("中") == ["中"]


def test_only_width_is_folded():
    assert folded("ＡＢＣ１２３！　ｶﾞｷﾞ ﾡ") == "ABC123! ガギ ᄀ"
    assert folded("① ﬁ ²  Å") == "① ﬁ ²  Å"


@given(st.text(max_size=50))
def test_folding_is_idempotent_and_tokens_never_raise(text: str):
    assert folded(folded(text)) == folded(text)
    assert all(tokens(text))
