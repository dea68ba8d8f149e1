from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.han import simplified
from fanseek.text.words import tokens, units


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Apple’s M4 Chip: 3x faster!", "apples m 4 chip 3 x faster"),
        ("ＡＰＰＬＥ　２０２４", "apple 2024"),
        ("U.S. GDP grew 1,234.5%", "us gdp grew 1234.5 %"),
        ("Learn C++ / C# / F#", "learn c ++ c # f #"),
        ("Disney+ & Hulu", "disney + and hulu"),
        ("Café Beyoncé Øresund naïve Straße", "cafe beyonce oresund naive strasse"),
        ("WH-1000XM5", "wh 1000 xm 5"),
        ("iPhone15发布", "iphone 15 发 布"),
        ("3.10 is not 3.1 nor 3.100", "3.10 is not 3.1 nor 3.100"),
        ("$5 £5 5€", "$ 5 £ 5 5 €"),
        ("fell to -5 °C", "fell to - 5 c"),
        ("Three wins, twelve losses", "3 wins 12 losses"),
        ("World War II, Part I, Henry VIII", "world war 2 part 1 henry 8"),
        ("Organising colour in the theatre", "organizing color in the theater"),
        ("第二十一季 第〇三期 二〇二四年", "第 21 季 第 3 期 2024 年"),
        ("第07話", "第 7 话"),
        ("Ёлка ёж", "елка еж"),
        ("ΑΘΗΝΑ Αθήνα", "αθηνα αθηνα"),
        ("٢٠٢٤ २०२४ ২০২৪ ๒๐๒๔", "2024 2024 2024 2024"),
        ("كِتَابٌ أحمد مدرسة", "كتاب احمد مدرسه"),
        ("שָׁלוֹם", "שלום"),
        ("हिन्दी में", "हिन्दी में"),
        ("ไม่ดี", "ไ ม ่ ด ี"),
        ("zero\u200bwidth so\u00adft", "zerowidth soft"),
        ("", ""),
        ("🔥🎉 ！？…", ""),
    ],
)
def test_the_units_of_a_text(text: str, expected: str):
    assert " ".join(units(text)) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ﾃｽﾄ自動化入門", "テスト自動化入門"),
        ("ｶﾞｲﾄﾞﾌﾞｯｸ", "ガイドブック"),
        ("한글 검색", unicodedata.normalize("NFD", "한글 검색")),
        ("ﾡﾢﾣ", "ㄱㄲㄳ"),
        ("한글검색", "한글 검색"),
        ("臺灣大學圖書館開放時間", "台湾大学图书馆开放时间"),
        ("プログラミング", unicodedata.normalize("NFD", "プログラミング")),
        ("独立서점·작은", "独立서점ㆍ작은"),
        ("Привет Мир", "ПРИВЕТ МИР"),
        ("don't", "don’t"),
        ("İstanbul", "istanbul"),
    ],
)
def test_bc_126_spellings_of_one_text_are_one(one: str, other: str):
    assert units(one) == units(other)


@pytest.mark.parametrize(
    "pair", [("bán nhà", "bạn nhà"), ("C++", "C#"), ("が", "か"), ("й", "и"), ("ไม่ดี", "ดี"), ("5%", "5")]
)
def test_what_differs_stays_different(pair: tuple[str, str]):
    assert units(pair[0]) != units(pair[1])


def test_runs_of_unspaced_signs_are_pairs_of_neighbours():
    assert tokens(units("机器学习 with AI")) == {"机器", "器学", "学习", "with", "ai"}
    assert tokens(units("한글 검색")) == {"한글", "글검", "검색"}
    assert tokens(units("本")) == {"本"}
    assert tokens(()) == frozenset()


def test_the_script_of_chinese_is_folded_the_same_from_both_sides():
    traditional, plain = "國際學術會議開幕，專家討論氣候變遷與經濟發展", "国际学术会议开幕，专家讨论气候变迁与经济发展"
    assert simplified(traditional) == plain
    assert simplified(plain) == plain


@given(st.text(max_size=60))
def test_folding_is_stable_and_total(text: str):
    found = units(text)
    assert units(" ".join(found)) == units(" ".join(units(" ".join(found))))
    assert simplified(simplified(text)) == simplified(text)
    assert all(found)
    tokens(found)
