from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.hosts import bare, canonical, shown, split_port


@pytest.mark.parametrize(
    ("host", "ascii_form"),
    [
        ("EXAMPLE.Test", "example.test"),
        ("example.test.", "example.test"),
        ("a_b.example.test", "a_b.example.test"),
        ("r2---sn.example.test", "r2---sn.example.test"),
        ("-lead.test", "-lead.test"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("faß.test", "xn--fa-hia.test"),
        ("ｅxample。test", "example.test"),
        ("bücher.test.", "xn--bcher-kva.test"),
        ("bücher。test。", "xn--bcher-kva.test"),
        ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("i❤️.ws", "xn--i-7iq.ws"),
        ("ex%41mple.test", "example.test"),
        ("exam\u00adple.test", "example.test"),
        ("127.1", "127.0.0.1"),
        ("0xC0.0250.257", "192.168.1.1"),
        ("[2001:DB8::1]", "[2001:db8:0:0:0:0:0:1]"),
        ("localhost", "localhost"),
        ("1and1.test", "1and1.test"),
        ("123.test", "123.test"),
    ],
)
def test_every_spelling_of_a_host_has_one_form(host: str, ascii_form: str):
    assert canonical(host) == ascii_form
    assert canonical(ascii_form) == ascii_form


@pytest.mark.parametrize(
    "host",
    [
        "",
        ".",
        "..",
        "a..b",
        ".a.test",
        "a b.test",
        "a,b.test",
        "*.test",
        "[::1",
        "[zz]",
        "[]",
        "[fe80::1%25eth0]",
        "1.2.3.4.5",
        "256.1.1.1",
        "a.b.0x",
        "1.2.3.08",
        "℀.test",
        "good.test／evil",
        "a%2Fb.test",
        "a%00.test",
        "a" * 64 + ".test",
        "é" * 60 + ".test",
        "a." * 127 + "test",
        "a\u202eb.test",
    ],
)
def test_what_can_be_no_host(host: str):
    assert canonical(host) is None


@pytest.mark.parametrize(
    ("ascii_form", "display"),
    [
        ("example.test", "example.test"),
        ("xn--mnchen-3ya.de", "münchen.de"),
        ("xn--r8jz45g.xn--zckzah", "例え.テスト"),
        ("xn--i-7iq.ws", "i❤.ws"),
        ("xn--80ak6aa92e.com", "xn--80ak6aa92e.com"),
        ("xn--ggle-55da.com", "xn--ggle-55da.com"),
        ("xn--80aswg.xn--p1ai", "сайт.рф"),
        ("xn--d1abbgf6aiiy.xn--p1ai", "президент.рф"),
        ("xn--", "xn--"),
        ("xn--zzzzzzzz99999.test", "xn--zzzzzzzz99999.test"),
        ("xn--example.test", "xn--example.test"),
        ("[0:0:0:0:0:0:0:1]", "[::1]"),
    ],
)
def test_names_are_shown_in_unicode_unless_they_could_pass_for_others(ascii_form: str, display: str):
    assert shown(ascii_form) == display


def test_a_slash_look_alike_is_never_shown():
    disguised = canonical("good.test\u2571evil.example.test")
    assert disguised is not None
    assert "\u2571" not in shown(disguised)


def test_www_goes_only_where_a_site_is_left():
    assert bare("www.example.test") == "example.test"
    assert bare("www.test") == "www.test"
    assert bare("www2.example.test") == "www2.example.test"


@pytest.mark.parametrize(
    ("authority", "parts"),
    [
        ("a.test", ("a.test", "")),
        ("a.test:80", ("a.test", "80")),
        ("a.test:", ("a.test", "")),
        ("[::1]:8", ("[::1]", "8")),
        ("[::1]", ("[::1]", "")),
        ("u:p@a.test:1", ("a.test", "1")),
        ("u@b@a.test", ("a.test", "")),
        ("a.test:x", ("a.test:x", "")),
        ("a.test:٤", ("a.test:٤", "")),
    ],
)
def test_host_and_port(authority: str, parts: tuple[str, str]):
    assert split_port(authority) == parts


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_any_text_has_a_form_that_stays_or_none(host: str):
    form = canonical(host)
    if form is not None:
        assert canonical(form) == form
        assert form.isascii()
        assert shown(form)
