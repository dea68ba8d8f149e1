"""BC-141, G10: one form of a language and a country; what is unknown is left out and told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.errors import UsageError
from fanseek.select.tongue import tongue


def of(language: object = None, region: object = None, default: tuple[str, str] = ("", "")):
    found = tongue(language, region, *default)
    return found.language, found.region, [note.kind for note in found.notes]


@pytest.mark.parametrize(
    ("language", "region", "expected"),
    [
        ("zh-CN", None, ("zh-CN", "", [])),
        ("zh_CN", None, ("zh-CN", "", [])),
        ("ZH-cn", None, ("zh-CN", "", [])),
        ("cn-zh", None, ("zh-CN", "", [])),
        ("zh-Hant-HK", None, ("zh-Hant-HK", "", [])),
        ("zh_CN.UTF-8", None, ("zh-CN", "", [])),
        (" en ", " US ", ("en", "us", [])),
        ("en", "uk", ("en", "gb", [])),
        (None, "cn-zh", ("zh-CN", "cn", [])),
        (None, "zh-CN", ("zh-CN", "cn", [])),
        (None, "jp-jp", ("", "jp", [])),
        ("en", "cn-zh", ("en", "cn", [])),
        ("xx-YY", None, ("", "", ["language_unknown"])),
        ("xx", "us", ("", "us", ["language_unknown"])),
        ("en-ZZ", None, ("en", "", ["language_unknown"])),
        ("es-419", None, ("es", "", ["language_unknown"])),
        ("en", "zz", ("en", "", ["region_unknown"])),
        ("en", "usa", ("en", "", ["region_unknown"])),
        ("en", "419", ("en", "", ["region_unknown"])),
        ("any", "wt-wt", ("", "", [])),
        ("", "", ("", "", [])),
        (None, None, ("", "", [])),
    ],
)
def test_one_form_and_a_note_on_what_is_unknown(language: object, region: object, expected: tuple):
    assert of(language, region) == expected


def test_the_settings_hold_where_nothing_is_said_and_are_read_the_same_way():
    """G11."""
    assert of(default=("zh_CN", "UK")) == ("zh-CN", "gb", [])
    assert of(default=("xx", "zz")) == ("", "", ["language_unknown", "region_unknown"])
    assert of("de", default=("zh_CN", "cn")) == ("de", "cn", [])
    assert of("", "", default=("zh_CN", "cn")) == ("", "", [])


@pytest.mark.parametrize(
    "wrong", ["english please", "e", "en us", "en;q=1", 5, True, ["en"], "zh-", "x" * 30, "en\n", "中文"]
)
def test_what_is_no_code_is_refused(wrong: object):
    with pytest.raises(UsageError, match="language must be a code"):
        of(language=wrong)


@pytest.mark.parametrize(
    "wrong", ["u", "united states", "us,de", 5, False, ["us"], "cn-zh-hans1", "12", "us\n", "中国"]
)
def test_g10_a_region_is_short(wrong: object):
    with pytest.raises(UsageError, match="region must be a code"):
        of(region=wrong)


@given(st.one_of(st.text(), st.none(), st.integers()), st.one_of(st.text(), st.none()))
def test_anything_is_a_code_or_refused(language: object, region: object):
    try:
        found, where, _ = of(language, region)
    except UsageError:
        return
    assert found.isascii()
    assert len(where) in (0, 2)
