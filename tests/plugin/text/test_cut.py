from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.clean import plain
from fanseek.text.cut import ELLIPSIS, cut, excerpt

PIECES = st.lists(
    st.sampled_from(
        [
            "word",
            "sentence.",
            "Ende!",
            "中文",
            "句子。",
            "👩\u200d🚀",
            "🇩🇪",
            "e\u0301",
            "क\u094dष",
            "👍🏽",
            "1\ufe0f\u20e3",
            " ",
            "&amp;",
            "[text](https://a.test/x)",
            "https://long.example.test/a/b?c=d",
            "<b>",
            "\n",
            "한",
            "(",
            "）",
            "…",
        ]
    ),
    max_size=40,
)
WHOLE = re.compile(r"\[text\]\(https://a\.test/x\)|https://long\.example\.test/a/b\?c=d|&amp;|<b>")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Tom &amp; Jerry &amp; friends forever", "Tom &amp; Jerry…"),
        ("see <b>bold</b> text here please", "see <b>bold</b>…"),
        ("[link](https://example.test/very/long) tail", "…"),
        ("look at https://example.test/very/long now", "look at…"),
        ("image ![alt text](a.png) more", "image…"),
        ("short enough", "short enough"),
        ("exactly twenty chars", "exactly twenty chars"),
        ("exactly twenty-1 chars", "exactly twenty-1…"),
        ("One sentence here. Two words", "One sentence here. …"),
        ("中文句子，第二个很长很长很长很长很长很长", "中文句子，第二个很长很长很长很长很长很长"),
        ("中文句子，第二个很长很长。很长很长很长很长很长", "中文句子，第二个很长很长。…"),
        ("一二三四五六七八九十一二三四五六七八九，一二", "一二三四五六七八九十一二三四五六七八…"),
        ("x" * 30, "x" * 19 + "…"),
        ("👩\u200d🚀" * 10, "👩\u200d🚀" * 6 + "…"),
        ("🇩🇪" * 15, "🇩🇪" * 9 + "…"),
        ("e\u0301" * 15, "e\u0301" * 9 + "…"),
    ],
)
def test_bc_178_cut_at_twenty(text: str, shown: str):
    assert cut(text, 20) == shown


def test_bc_178_clean_first_then_cut():
    shown = cut(plain("Tom &amp; Jerry &amp; friends forever", html=True), 20)
    assert shown == "Tom & Jerry &…"


def test_an_excerpt_has_600_characters_or_300_of_cjk():
    assert 500 < len(excerpt("word " * 400)) <= 600
    assert 250 < len(excerpt("中文内容" * 200)) <= 300
    assert 500 < len(excerpt("English words with 中文 between them. " * 40)) <= 600
    assert 250 < len(excerpt("日本語のテキスト、" * 100)) <= 300
    assert excerpt("x" * 600) == "x" * 600
    assert len(excerpt("x" * 601)) == 600


@given(PIECES.map("".join), st.integers(-1, 60))
def test_cutting_keeps_to_the_limit_and_to_what_belongs_together(text: str, limit: int):
    shown = cut(text, limit)
    assert len(shown) <= max(limit, 0)
    if shown == text or limit < 1:
        return
    assert shown.endswith(ELLIPSIS)
    end = len(shown.removesuffix(ELLIPSIS).rstrip())
    assert text.startswith(shown[:end])
    at = next((at for at in range(end, len(text)) if not text[at].isspace()), len(text))
    for whole in WHOLE.finditer(text):
        assert not whole.start() < end < whole.end()
    if at == end and 0 < end < len(text):
        assert not unicodedata.combining(text[end])
        assert text[end] not in "\u200d\ufe0f\u20e3\U0001f3fd"
        assert text[end - 1] not in "\u200d\u094d"
        flags = re.search("[\U0001f1e6-\U0001f1ff]*\\Z", text[:end])
        assert flags is not None
        assert not ("\U0001f1e6" <= text[end] <= "\U0001f1ff" and len(flags[0]) % 2)


@given(st.text(max_size=200), st.integers(1, 100))
def test_any_text_can_be_cut(text: str, limit: int):
    assert len(cut(text, limit)) <= limit
    assert cut(cut(text, limit), limit) == cut(text, limit)


def test_hostile_texts_cost_little():
    for part in ("[a](", "<a ", "🇩", "\u0301", "see https://x.test/ ", "&#1", "![", "。"):
        assert len(excerpt(part * 5_000)) <= 600
