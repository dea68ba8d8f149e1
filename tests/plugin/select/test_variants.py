"""E7, E8: which queries are asked in parts too, and in which."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import pieces
from fanseek.select.spelling import spelled
from fanseek.select.variants import LONG, MOST, variants

LONG_QUERY = "how do large transformer models store factual associations in their middle layers"


@pytest.mark.parametrize(
    ("query", "parts"),
    [
        ("sftp vs rsync", ("sftp", "rsync")),
        ("AT&T vs. Verizon", ("AT&T", "Verizon")),
        ("C++ VS C#", ("C++", "C#")),
        ("postgres versus mysql performance", ("postgres", "mysql performance")),
        ("tides and currents", ("tides", "currents")),
        ("苹果vs华为", ("苹果", "华为")),
        ("sftp 和面板", ("sftp", "面板")),
        ("sftp和 面板", ("sftp", "面板")),
        ("“甲”和“乙”", ("“甲”", "“乙”")),
        ("rust，和go", ("rust", "go")),
        ("rust 比较 go", ("rust", "go")),
        ("比较 rust 和 go", ("rust", "go")),
        ("iPhone 15 和 Pixel 8 对比", ("iPhone 15", "Pixel 8")),
        ("difference between tcp and udp", ("tcp", "udp")),
        ("微信 和 支付宝 的区别", ("微信", "支付宝")),
        ("a1 and b2 and c3 and d4", ("a1", "b2", "c3")),
        (
            "What is the capital of Ghana? How many people live there, what do they eat?",
            ("What is the capital of Ghana", "How many people live there", "what do they eat"),
        ),
        (LONG_QUERY, ("large transformer models store factual associations middle layers",)),
        ("台湾的首都在哪里，" * 5 + "有多少人口？他们吃什么，" * 3, ("台湾的首都在哪里", "有多少人口", "他们吃什么")),
    ],
)
def test_e7_a_compound_or_long_query_has_parts(query, parts):
    assert variants(query) == parts


@pytest.mark.parametrize(
    "query",
    [
        "rust async runtime",
        "andes mountains",
        "brand new versus",
        "vs",
        "and",
        "柔和光线",
        "和平精英",
        "和平",
        "比较文学",
        "日本 和牛 价格",
        "游戏 和平精英 攻略",
        "建设 和谐社会",
        "对比度 调整",
        "VS Code",
        "install vs code on ubuntu",
        "cats AND dogs",
        "salt OR pepper",
        '"rock and roll" history',
        "“罗密欧 和 朱丽叶” 剧情",
        'intitle:"salt and pepper"',
        "«war and peace» 1869",
        "x" * 100,
        "请" * 70,
        "the and of",
        "a" * LONG,
        "evs.test",
        "vs.code",
    ],
)
def test_e7_e8_other_queries_are_asked_once(query):
    assert variants(query) == ()


def test_e7_more_than_sixty_characters_are_long():
    at_the_bound = "how do large transformers store associations in their layers"
    assert len(at_the_bound) == 60
    assert variants(at_the_bound) == ()
    assert variants(at_the_bound[:-1] + "rs") == ("large transformers store associations layerrs",)
    assert MOST == 3


@pytest.mark.parametrize("word", ["和", "比较", "对比"])
@pytest.mark.parametrize("side", [" ", "，", "。", "（", "“", "-", "\u3000"])
def test_e8_a_blank_or_punctuation_on_one_side_is_enough(word, side):
    assert variants(spelled(f"光线{word}阴影")) == ()
    assert len(variants(spelled(f"光线{side}{word}阴影"))) == 2
    assert len(variants(spelled(f"光线{word}{side}阴影"))) == 2


def test_operators_go_with_every_part_and_quotes_stay_whole():
    assert variants('rust and "go and c" site:x.org -draft') == (
        "rust site:x.org -draft",
        '"go and c" site:x.org -draft',
    )
    assert variants("site:x.org rust vs go") == ("rust site:x.org", "go site:x.org")
    assert variants("rust vs go (site:a.org OR site:b.org)")[0] == "rust (site:a.org OR site:b.org)"


def test_parts_that_say_nothing_new_are_dropped():
    assert variants("rock and rock") == ("rock",)
    assert variants("Rust vs rust") == ("Rust",)
    assert variants("what is the vs rust") == ("rust",)
    assert variants("rust and site:x.org") == ()
    assert variants("go 和 的 和 rust") == ("go", "rust")


TEXTS = st.lists(
    st.sampled_from(
        [
            "rust",
            "go",
            "and",
            "vs",
            "和",
            "比较",
            "，",
            "? ",
            '"a and b"',
            "site:x.org",
            "the",
            "潮汐发电",
            " ",
            "-x",
            "OR",
            "(",
            ")",
        ]
    ),
    max_size=30,
).map(lambda bits: spelled(" ".join(bits)))


@given(TEXTS)
def test_parts_are_few_new_and_of_the_query(query):
    found = variants(query)
    assert len(found) <= MOST
    assert len({part.casefold() for part in found}) == len(found)
    assert query not in found
    operators = [piece.text for piece in pieces(query) if piece.kind == "operator"]
    for part in found:
        assert part.strip() == part != ""
        assert part.endswith(" ".join(operators))
        assert part.count('"') % 2 == 0
        assert set("".join(part.split())) <= set(query)


@given(st.text(max_size=120))
def test_any_text_can_be_split(query):
    assert len(variants(spelled(query))) <= MOST
