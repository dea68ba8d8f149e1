from __future__ import annotations

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fanseek.text.canonical import key
from fanseek.text.urls import LONGEST, domain, readable, result_url

BASE = "https://engine.example.test/search?q=x"


@pytest.mark.parametrize(
    "url",
    [
        "https://cdn.example.test/f.pdf?X-Sig=ab%2Bcd%3D&Expires=1&utm_source=n",
        "HTTP://Example.TEST:80/%7ejoe/../a?b&a=&a=1;c#frag",
        "https://wiki.example.test/wiki/中文_(x)|y?q=é#ü",
        "https://www.example.test//a//b/?q=a+b%20c%zz",
        "https://i❤️.ws/👩‍🚀".replace("\u200d", ""),
        "https://xn--i-7iq.ws/",
        "https://a_b.cdn.example.test/x",
        "http://[2001:db8::1]:8080/",
        "http://127.0.0.1/",
        "https://example.test?q=1",
        "https://example.test#a",
    ],
)
def test_bc_006_a_good_url_stays_byte_for_byte(url: str):
    assert result_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt://x.test/%0aalert(1)",
        " \tjava\nscript:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://x.test/1",
        "view-source:https://x.test/",
        "ftp://x.test/",
        "about:blank",
        "mailto:a@b.test",
        "jar:https://x.test!/",
        "httpsx://x.test/",
        "https&colon;//x.test",
        "h\u200bttps://x.test/",
        "https:x.test",
        "https:/x.test",
        "https:\\\\x.test",
        "/path",
        "x.test/path",
        "",
        " ",
        "#",
        "None",
    ],
)
def test_bc_095_only_http_and_https_are_links(url: str):
    assert result_url(url) is None
    assert result_url(url, BASE) is None


def test_bc_095_a_link_without_scheme_takes_that_of_an_https_base_only():
    assert result_url("//cdn.example.test/ok", BASE) == "https://cdn.example.test/ok"
    assert result_url("//cdn.example.test/ok") is None
    assert result_url("//cdn.example.test/ok", "http://engine.test/") is None


def test_white_space_around_and_line_ends_inside_go_as_in_a_browser():
    assert result_url(" \x00\thttps://a.test/b\tc\r\nd \n") == "https://a.test/bcd"
    assert result_url("\ufeffht\ntps://a.test/\u200b") == "https://a.test/"


@pytest.mark.parametrize(
    ("raw", "safe"),
    [
        ("https://bank.example.test@evil.example.test/login", "https://evil.example.test/login"),
        ("https://user:pass@evil.test:8443/x@y", "https://evil.test:8443/x@y"),
        ("https://a@b@evil.test", "https://evil.test"),
        ("https://bank.test%2F@evil.test/", "https://evil.test/"),
        ("https://@evil.test/", "https://evil.test/"),
        ("https://ok.example.test/\u202egpj.exe", "https://ok.example.test/%E2%80%AEgpj.exe"),
        (
            "https://ok.example.test/a\x1b]8;;https://evil.test\x07b",
            "https://ok.example.test/a%1B]8;;https://evil.test%07b",
        ),
        (
            "https://a.test/\u200b\u2066\u00ad\u0085?q=\u2028#\ufeffx",
            "https://a.test/%E2%80%8B%E2%81%A6%C2%AD%C2%85?q=%E2%80%A8#%EF%BB%BFx",
        ),
        ("https://a.test/b c\u3000d\u00a0e\u3164", "https://a.test/b%20c%E3%80%80d%C2%A0e%E3%85%A4"),
        ("https://a.test/\ud83dx", "https://a.test/%EF%BF%BDx"),
        ("https://a.test/\ud83d\ude00", "https://a.test/😀"),
        ("https://a.test/\x7f%00", "https://a.test/%7F%00"),
    ],
)
def test_bc_097_what_hides_or_misleads_is_removed_or_encoded(raw: str, safe: str):
    assert result_url(raw) == safe


def test_bc_097_the_host_shown_is_the_one_that_is_asked():
    url = result_url("https://bank.example.test@evil.example.test/login")
    assert url is not None
    assert domain(url) == "evil.example.test"
    assert httpx.URL(url).host == "evil.example.test"


@pytest.mark.parametrize(
    "url",
    [
        "https://",
        "https:///x",
        "https://?q",
        "https://exa mple.test/",
        "https://[::1/",
        "https://[zz]/",
        "https://a..b/",
        "https://.a.test/",
        "https://x.test:99999/",
        "https://x.test:port/",
        "https://1.2.3.4.5/",
        "https://x.test\\@evil.test/",
        "https://x.test\\.evil.test/",
        "https://ex\u202eample.test/",
        "https://ex\u200bample.test/",
        "https://good.test／evil.test/",
        "https://good.test%2Fevil.test/",
        "https://*.test/",
        "https://<b>.test/",
        "https://" + "a" * 64 + ".test/",
        "https://a.test/" + "x" * LONGEST,
        "https://a.test/" + "\u202e" * (LONGEST // 4),
        None,
        5,
        ["https://a.test/"],
        b"https://a.test/",
    ],
)
def test_implausible_addresses_are_dropped(url: object):
    assert result_url(url) is None


@given(
    st.one_of(
        st.text(st.characters(), max_size=30), st.text(st.characters(), max_size=30).map("https://a.test/".__add__)
    )
)
@example("HTTP://0\xa0")
@example("\u3000 https://a.test/\xa0\t\u200b")
def test_what_is_handed_out_is_safe_and_stays(raw: str):
    url = result_url(raw)
    if url is None:
        return
    assert url.lower().startswith(("http://", "https://"))
    assert url.isprintable()
    assert " " not in url
    assert result_url(url) == url
    assert key(url) == key(raw)
    assert domain(url)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.example.test/x", "example.test"),
        ("HTTPS://WWW.Example.Test:8443/", "example.test"),
        ("https://docs.example.test.", "docs.example.test"),
        ("https://user@www.example.test", "example.test"),
        ("https://www.test/", "www.test"),
        ("https://xn--mnchen-3ya.de/", "münchen.de"),
        ("https://münchen.de/", "münchen.de"),
        ("https://аррӏе.com/", "xn--80ak6aa92e.com"),
        ("https://[::1]:8080/", "[::1]"),
        ("https://127.0.0.1:80/", "127.0.0.1"),
        ("no url", ""),
    ],
)
def test_e14_the_domain_is_the_host_without_www(url: str, host: str):
    assert domain(url) == host


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://www.example.test/", "example.test"),
        ("https://www.example.test/a%20b/%E4%B8%AD?q=1#x", "example.test/a b/中"),
        ("https://example.test/%E2%80%AEx%1b[31m/", "example.test/x"),
        ("https://example.test/%ff", "example.test/\ufffd"),
    ],
)
def test_bc_145_a_url_can_stand_for_a_title(url: str, words: str):
    assert readable(url) == words
