"""BC-141: whatever way a language and a country are spelled, they are read once, into BCP 47."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import locale
from fanseek.contract.locale import COUNTRIES, LANGUAGES, country_of


@pytest.mark.parametrize(
    ("language", "region", "tag"),
    [
        ("zh-CN", "", "zh-CN"),
        ("zh_CN", "", "zh-CN"),
        ("ZH-cn", "", "zh-CN"),
        ("zh_CN.UTF-8", "", "zh-CN"),
        ("de_DE@euro", "", "de-DE"),
        ("cn-zh", "", "zh-CN"),
        ("jp-ja", "", "ja-JP"),
        ("us-en", "", "en-US"),
        ("uk-en", "", "en-GB"),
        ("en-UK", "", "en-GB"),
        ("en-GB", "", "en-GB"),
        ("pt-BR", "", "pt-BR"),
        ("PT_br", "", "pt-BR"),
        ("zh-TW", "", "zh-TW"),
        ("zh-Hant-HK", "", "zh-Hant-HK"),
        ("zh-hant-hk", "", "zh-Hant-HK"),
        ("zh_Hans", "", "zh-Hans"),
        ("sr-Latn-RS", "", "sr-Latn-RS"),
        ("ja", "", "ja"),
        ("jpn", "", "ja"),
        ("chi", "", "zh"),
        ("iw-IL", "", "he-IL"),
        ("fil", "", "fil"),
        ("yue-HK", "", "yue-HK"),
        ("en-US-x-private", "", "en-US"),
        ("de-DE-u-co-phonebk", "", "de-DE"),
        ("es-419", "", "es"),
        ("en", "gb", "en-GB"),
        ("en-US", "gb", "en-GB"),
        ("en", "zz", "en"),
        ("en", "cn-zh", "en-CN"),
        ("en-ZZ", "", "en"),
        ("xx-YY", "", ""),
        ("xx", "us", ""),
        ("", "us", ""),
        ("", "", ""),
        ("  ", "", ""),
        ("-", "-", ""),
    ],
)
def test_one_form(language: str, region: str, tag: str):
    assert locale(language, region).tag == tag
    assert locale(tag).tag == tag


@pytest.mark.parametrize(
    ("region", "country"),
    [
        ("us", "US"), ("US", "US"), ("uk", "GB"), ("gb", "GB"), ("cn-zh", "CN"), ("zh-CN", "CN"), ("br-pt", "BR"), ("pt-BR", "BR"),
        ("tw-tzh", "TW"), ("de_DE", "DE"), ("zz", ""), ("wt-wt", ""), ("419", ""), ("", ""), ("usa", ""),
    ],
)  # fmt: skip
def test_a_country_alone_or_with_a_language(region: str, country: str):
    assert country_of(region) == country


def test_the_tables_are_whole():
    assert len(COUNTRIES) == 250
    assert {"US", "CN", "TW", "HK", "MO", "GB", "JP", "KR", "BR", "XK"} <= COUNTRIES
    assert len(LANGUAGES) > 180
    assert {"zh", "ja", "ko", "en", "pt", "nb", "nn"} <= LANGUAGES


@given(st.text(), st.text())
def test_nothing_raises_and_the_tag_is_stable(language: str, region: str):
    found = locale(language, region)
    assert locale(found.tag, found.country).tag == found.tag
