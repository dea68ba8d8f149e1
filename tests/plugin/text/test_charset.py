from __future__ import annotations

import base64
import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.charset import decode, decoded, labelled
from fanseek.text.labels import BY_LANGUAGE, CODECS

HTML = "text/html"


def test_bc_118_gb2312_means_gbk():
    body = base64.b64decode(
        "PGh0bWw+PGhlYWQ+PG1ldGEgaHR0cC1lcXVpdj0nQ29udGVudC1UeXBlJyBjb250ZW50PSd0ZXh0L2h0bWw7IGNoYXJzZXQ9Z2IyMzEyJz48dGl0bGU+1uzp"
        "Rrv50+v9iM+6PC90aXRsZT48L2hlYWQ+PGJvZHk+PHA+1eLKx9K7ts7Tw8C0suLK1LHgwuu1xNX9zsSjrLD8uqzpRtfW0+u3sczl/YjX1qOss6S2yNfjubux"
        "u9TEtsHG97GjwfTPwsC0oaM8L3A+PC9ib2R5PjwvaHRtbD4="
    )
    read = decoded(body, HTML)
    assert "<title>朱镕基与龍虾</title>" in read.text
    assert "包含镕字与繁体龍字" in read.text
    assert not read.guessed


def test_bc_119_a_page_that_declares_nothing_is_marked_as_guessed():
    body = base64.b64decode(
        "PGh0bWw+PGhlYWQ+PHRpdGxlPvns5e08L3RpdGxlPjwvaGVhZD48Ym9keT48cD7m5OUg6Pfx6CDh8uH46fog4Pjl6iDu8fTp9yDr4+kg+eT35fjgIOn57uX4"
        "IODl+uUuPC9wPjwvYm9keT48L2h0bWw+"
    )
    read = decoded(body, HTML)
    assert read.guessed
    assert "\ufffd" not in read.text


def test_bc_119_its_language_is_taken_for_a_hint():
    body = '<html dir=rtl lang="he-IL"><title>שלום</title>'.encode("cp1255")
    assert decoded(body, HTML) == decoded(body, "")
    assert "שלום" in decode(body, HTML)
    assert decoded(body, HTML).guessed


@pytest.mark.parametrize(
    ("language", "encoding", "text"),
    [
        ("zh", "gb18030", "中文网页"),
        ("zh-TW", "big5", "中文網頁"),
        ("ja", "cp932", "日本語のページ"),
        ("ja", "euc_jp", "日本語のページ"),
        ("ko", "cp949", "한국어 페이지"),
        ("ru", "cp1251", "Привет"),
        ("el", "cp1253", "Καλημέρα"),
        ("th", "cp874", "สวัสดี"),
    ],
)
def test_bc_119_languages(language: str, encoding: str, text: str):
    assert text in decode(f"<html lang={language}><p>{text}</p></html>".encode(encoding), HTML)


def test_bc_121_one_bad_byte_is_one_replacement():
    body = b"<title>ok</title><p>" + "正文内容。".encode() * 200 + b"\x94</p>"
    for header in (f"{HTML}; charset=utf-8", HTML):
        text = decode(body, header)
        assert text.count("正文内容") == 200
        assert text.count("\ufffd") == 1


@pytest.mark.parametrize("at", [0, 20, 9_000])
@pytest.mark.parametrize("label", ["gb2312", "euc-kr", "big5", "utf-8", "shift_jis"])
def test_bc_121_a_bad_byte_never_changes_the_charset(label: str, at: int):
    encoding = labelled(label)[0]
    before, after = "<p>" + "中 " * at, "中 " * (10_000 - at)
    text = decode(before.encode(encoding) + b"\xff" + after.encode(encoding), f"text/html;charset={label}")
    assert text.count("\ufffd") <= 1
    assert text.count("中") >= 9_999


def test_bc_121_a_byte_order_mark_decides_even_against_the_header_and_when_doubled():
    body = base64.b64decode("//7//jwAdABpAHQAbABlAD4AbwBrADwALwB0AGkAdABsAGUAPgA8AHAAPgB0AGUAeAB0ADwALwBwAD4A")
    assert decode(body, "text/html; charset=utf-8") == "<title>ok</title><p>text</p>"
    assert decode(codecs.BOM_UTF16_BE + "日本".encode("utf-16-be"), "text/html; charset=gbk") == "日本"
    assert decode(codecs.BOM_UTF8 + "日本".encode(), "text/html; charset=iso-8859-1") == "日本"


@pytest.mark.parametrize(
    "header",
    [
        "text/html; charset=gbk",
        'text/html; charset="GB2312"',
        "text/html;CHARSET = 'gb18030' ",
        "text/html; boundary=x; charset=x-gbk",
        "text/html; charset=nonsense; charset=gbk",
        "text/html; charset=chinese, text/html",
    ],
)
def test_the_header_names_the_charset_in_any_spelling(header: str):
    assert decode("中文".encode("gbk"), header) == "中文"


def test_the_header_goes_before_the_page():
    assert decode("<meta charset=utf-8>é".encode("latin-1"), "text/html; charset=iso-8859-1") == "<meta charset=utf-8>é"


@pytest.mark.parametrize(
    "meta",
    [
        "<meta charset=shift_jis>",
        "<META CHARSET='Shift-JIS' />",
        '<meta name=x content="y"><meta  charset = "sjis">',
        '<meta content="text/html; charset=windows-31j" http-equiv="content-type">',
        '<!-- <meta charset=gbk> --><meta charset="ms_kanji">',
        '<?xml version="1.0" encoding="Shift_JIS"?>',
        '<meta charset="no-such"><meta charset="sjis">',
    ],
)
def test_the_page_names_the_charset_in_any_spelling(meta: str):
    body = f"<html>{meta}".removeprefix("<html>" if meta.startswith("<?") else "") + "<p>日本語①</p>"
    read = decoded(body.encode("cp932"), HTML)
    assert "<p>日本語①</p>" in read.text
    assert not read.guessed


def test_only_the_first_1024_bytes_are_asked():
    late = b"<p>" + b" " * 1100 + b"<meta charset=gbk>"
    assert not decode(late + "中".encode("gbk"), HTML).endswith("中")


def test_a_page_that_names_utf_16_in_ascii_is_utf_8():
    assert decode('<meta charset="utf-16">日本'.encode(), HTML).endswith("日本")


def test_an_unknown_label_is_ignored():
    for label in ("bogus", "utf-9000", "", "none", "rot13", "base64", "unicode_escape", "idna"):
        assert labelled(label) == ()
        assert decode("naïve 日本".encode(), f"text/html; charset={label}") == "naïve 日本"


def test_latin_1_and_ascii_labels_mean_windows_1252():
    for label in ("iso-8859-1", "latin1", "us-ascii", "x-user-defined", "ISO8859-1"):
        assert decode(b"\x93caf\xe9\x94 \x80", f"text/html; charset={label}") == "“café” €"


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("euc-kr", "cp949", "똠방각하"),
        ("ks_c_5601-1987", "cp949", "펲시"),
        ("big5", "big5hkscs", "香港嘅冚唪唥"),
        ("euc-jp", "euc_jis_2004", "①日本"),
        ("iso-2022-jp", "iso2022_jp", "日本語"),
        ("koi8-r", "koi8_r", "Привет"),
        ("iso-8859-9", "cp1254", "İstanbul"),
        ("tis-620", "cp874", "สวัสดี"),
        ("utf-16le", "utf-16-le", "日本"),
        ("hz-gb-2312", "hz", "中文"),
    ],
)
def test_labels_mean_what_the_web_means(label: str, encoding: str, text: str):
    assert decode(text.encode(encoding), f"text/html; charset={label}") == text


def test_a_wrong_label_of_utf_8_gives_way_to_the_page_and_then_to_a_guess():
    declared = '<meta charset="windows-1251">Добрый день, это страница'.encode("cp1251")
    assert "Добрый день" in decode(declared, "text/html; charset=utf-8")
    western = "à é è ç ù ê î ô û ä ö ü".encode("cp1252")
    read = decoded(western, "text/html; charset=utf-8")
    assert read.text == "à é è ç ù ê î ô û ä ö ü"
    assert read.guessed


def test_without_any_label_strict_utf_8_is_no_guess_and_else_windows_1252():
    assert decoded("日本".encode()).guessed is False
    assert decoded(b"plain").guessed is False
    assert (decode(b"caf\xe9"), decoded(b"caf\xe9").guessed) == ("café", True)


def test_a_body_cut_inside_a_character_loses_only_that():
    assert decode("中文".encode()[:-1], HTML) == "中"
    assert decode("中文".encode("gbk")[:-1], "text/html; charset=gbk") == "中"


def test_every_codec_named_exists_and_labels_are_lower_case():
    for names in [*CODECS.values(), *BY_LANGUAGE.values()]:
        for name in names:
            codecs.lookup(name)
    assert all(label == label.lower() for label in [*CODECS, *BY_LANGUAGE])
    assert len(CODECS) > 200


@given(st.binary(max_size=300), st.sampled_from([*sorted(CODECS), "bogus"]), st.text(max_size=20))
def test_decoding_never_raises(body: bytes, label: str, noise: str):
    assert isinstance(decode(body, f"text/html; charset={label}"), str)
    assert isinstance(decode(b"<meta charset=" + label.encode() + b">" + body, noise), str)


def test_hostile_heads_cost_little():
    for part in (b"<!--", b"<meta ", b"<meta charset=", b"<html ", b"<html lang", b"<?xml "):
        decode(part * 300_000, HTML)
