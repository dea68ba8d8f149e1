"""Sentences that are translated by themselves."""

from __future__ import annotations

import re

import pytest

from fanseek.catalogue.sentences import SLOT, translated
from fanseek.catalogue.zh_settings import SENTENCES
from fanseek.config.schema import GROUPS, WORDS, worded

CHINESE = re.compile("[\u4e00-\u9fff]")


def test_b12_every_setting_of_every_backend_here_is_worded_in_both_languages() -> None:
    english, chinese = worded("en"), worded("zh")
    assert english["properties"].keys() == chinese["properties"].keys()
    for key, words in chinese["properties"].items():
        assert words.keys() == english["properties"][key].keys(), key
        for part, text in words.items():
            assert CHINESE.search(text), (key, part, text)
            assert not CHINESE.search(english["properties"][key][part]), (key, part)
    assert chinese["groups"].keys() == GROUPS.keys()
    assert all(CHINESE.search(title) for title in chinese["groups"].values())


@pytest.mark.parametrize(
    ("sentence", "chinese"),
    [
        ("Acme key variable", "Acme 密钥变量"),
        ("Name of the variable that holds an Acme key; optional.", "存放 Acme 密钥的变量名；可选。"),
        ("Name of the variable that holds an Acme key.", "存放 Acme 密钥的变量名。"),
        ("How Acme counts {braces}.", "How Acme counts {braces}."),
        ("Acme {0} model", "Acme {0} 模型"),
    ],
)
def test_a_third_partys_sentence_is_translated_where_it_can_be_and_else_stays(sentence: str, chinese: str) -> None:
    assert translated(sentence, "zh") == chinese
    assert translated(sentence, "en") == sentence


def test_no_translation_is_for_nothing() -> None:
    """A sentence that no setting has any more leaves the table with it."""
    english = {text for words in worded("en")["properties"].values() for text in words.values()} | set(GROUPS.values())
    shared = {text for pair in WORDS.values() for text in pair} | {"calls per day"}
    for sentence in SENTENCES.keys() - shared:
        pattern = re.escape(sentence).replace(re.escape(SLOT), ".+")
        assert any(re.fullmatch(pattern, text) for text in english), sentence
