from __future__ import annotations

import subprocess
import sys
import timeit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.text.canonical import has_tracking, host_of, key, source_id
from fanseek.text.tracking import NAMES, PREFIXES, is_tracking

PIECES = st.lists(
    st.sampled_from(
        [
            "http:",
            "https:",
            "HTTPS:",
            "//",
            "/",
            "\\",
            "..",
            ".",
            "www.",
            "x.test",
            "[::1]",
            ":443",
            ":80",
            "@",
            "?",
            "&",
            ";",
            "=",
            "#",
            "#!",
            "#/",
            ":~:text=",
            "%",
            "%4",
            "1",
            "%2e",
            "%2F",
            "%E4%B8%AD",
            "中",
            "é",
            "i❤",
            "xn--i-7iq",
            "。",
            "／",
            "utm_x=1",
            "+",
            "%20",
            " ",
            "\t",
            "\ud83d",
            "\u200b",
            "a",
            "A",
            "0x7f",
            "jsessionid=1",
            ";jsessionid=",
            "%25",
            "&amp;",
            "amp;",
            "[",
            "]",
            "İ",
            "Σ",
        ]
    ),
    max_size=14,
).map("".join)

ONE_PAGE = {
    "BC-002 scheme": ["http://example.test/post/7", "https://example.test/post/7", "HTTP://example.test/post/7"],
    "BC-004": [
        "https://shop.example.test/p?id=42&utm_source=x&utm_medium=y",
        "https://shop.example.test/p?utm_campaign=z&id=42&fbclid=Q",
        "https://shop.example.test/p?gclid=1&id=42#reviews",
        "https://shop.example.test/p?id=42&FBCLID=Q&UTM_Source=x&MsClkId=1",
        "https://shop.example.test/p?utm_id=1&utm_source_platform=b&utm_x-y=1&utm%5Fterm=c&id=42&",
        "https://shop.example.test/p?&&id=42&utm_source[]=1&_hsenc=a&mc_eid=b&srsltid=c&yclid=d",
        "https://shop.example.test/p?id=42;utm_source=x",
        "https://shop.example.test/p/?id=42#:~:text=review",
    ],
    "E2": ["https://a.test/?utm_source=x&fbclid=y", "https://a.test", "https://a.test/?"],
    "BC-007": [
        "https://wiki.example.test/wiki/%E4%B8%AD%E6%96%87",
        "https://wiki.example.test/wiki/%e4%b8%ad%e6%96%87",
        "https://wiki.example.test/wiki/中文",
        "HTTPS://WIKI.Example.TEST:443/wiki/中文",
        "http://wiki.example.test:80/wiki/中%e6%96%87",
        "https://wiki.example.test.:0443/wiki/%E4%B8%AD%E6%96%87/",
    ],
    "unreserved characters": [
        "https://a.test/~joe/a-b.c",
        "https://a.test/%7Ejoe/%61%2Db%2Ec",
        "https://a.test/%7ejoe/a-b.c",
    ],
    "parentheses": ["https://a.test/Foo_(bar),x", "https://a.test/Foo_%28bar%29%2Cx"],
    "dot segments": [
        "https://a.test/b/c",
        "https://a.test/x/../b/./c",
        "https://a.test/../%2e%2E/b/%2e/c",
        "https://a.test/b\\c",
    ],
    "root": [
        "https://a.test",
        "https://a.test/",
        "https://a.test/.",
        "https://a.test//",
        "https://a.test:/",
        "https://a.test/#",
    ],
    "www": ["https://www.a.test/x", "https://a.test/x", "http://WWW.A.test:80/x/"],
    "parameter order": ["https://a.test/?b=2&a=1&b=1", "https://a.test/?b=2&b=1&a=1", "https://a.test/?a=1&b=2&b=1"],
    "spaces in a query": ["https://a.test/?q=a+b", "https://a.test/?q=a%20b", "https://a.test/?q=a b"],
    "separators copied out of HTML": [
        "https://a.test/?b=1&a=2",
        "https://a.test/?b=1&amp;a=2&AMP;utm_source=x",
        "https://a.test/?a=2&amp;amp;b=1",
    ],
    "brackets in a query": ["https://a.test/?a[]=1", "https://a.test/?a%5B%5D=1", "https://a.test/?a%5b]=1"],
    "a URL in a query": ["https://a.test/?u=https://b.test/?c=d", "https://a.test/?u=https%3A%2F%2Fb.test%2F%3Fc%3Dd"],
    "session in the path": ["https://a.test/x;jsessionid=0A1B", "https://a.test/x", "https://a.test/x;JSESSIONID=ff"],
    "userinfo": ["https://user:pw@a.test/x", "https://a.test/x", "https://b.test@a.test/x"],
    "BC-092 emoji": ["https://xn--i-7iq.ws/", "https://i❤.ws/", "https://i❤\ufe0f.ws/", "https://I❤.WS"],
    "IDN": [
        "https://bücher.test/",
        "https://BÜCHER.test/",
        "https://xn--bcher-kva.test",
        "https://XN--BCHER-KVA.test/",
        "https://bu\u0308cher.test/",
    ],
    "fullwidth": [
        "https://ｅｘａｍｐｌｅ。test/",
        "https://example.test",
        "https://example．test",
        "https://example｡test",
        "https://ex%61mple.test",
    ],
    "sigma": ["https://σοφός.test/", "https://ΣΟΦός.test/"],
    "IPv6": ["https://[::1]/", "https://[0:0:0:0:0:0:0:1]:443/", "http://[0000::0001]:80", "https://[::0.0.0.1]"],
    "IPv4": [
        "https://127.0.0.1/",
        "https://0x7f.1/",
        "https://2130706433/",
        "https://0177.0.0.01/",
        "https://127.0.0.1./",
    ],
    "white space around": ["https://a.test/x", " \thttps://a.test/x\n", "https://a.t\nest/\tx"],
    "hash-bang root": ["https://a.test/#!/", "https://a.test/#/", "https://a.test/#!", "https://a.test"],
}

DIFFERENT_PAGES = {
    "BC-005": [
        "https://forum.example.test/t?id=1",
        "https://forum.example.test/t?id=2",
        "https://video.example.test/watch?v=abc",
        "https://video.example.test/watch?v=abd",
        "https://s.example.test/x?ref=v1.2",
        "https://s.example.test/x?ref=v1.3",
        "https://s.example.test/x?source=a",
        "https://s.example.test/x?source=b",
        *(
            f"https://s.example.test/x?{name}=1"
            for name in ("from", "t", "s", "p", "page", "lang", "utm", "utmost", "gclids", "si", "sid")
        ),
    ],
    "BC-008": [
        "https://app.example.test/#!/guide/install",
        "https://app.example.test/#!/guide/deploy",
        "https://app.example.test/#/a",
        "https://app.example.test/#/b",
        "https://app.example.test/page#sec1",
        "https://app.example.test/#!guide",
        "https://app.example.test/#/a?x=1",
    ],
    "BC-093": [
        "https://a_b.cdn.example.test/x",
        "https://r2---sn-huoa.example.test/crossdomain.xml",
        "https://ab--cd.example.test/",
    ],
    "letter case": [
        "https://a.test/Path",
        "https://a.test/path",
        "https://a.test/?q=A",
        "https://a.test/?q=a",
        "https://a.test/?Q=a",
    ],
    "ports": ["http://a.test:443/", "https://a.test:80/", "https://a.test:8080/", "https://a.test/"],
    "hosts": [
        "https://a.test/",
        "https://m.a.test/",
        "https://ww.a.test/",
        "https://www.test/",
        "https://test/",
        "https://www2.a.test/",
    ],
    "encoded delimiters": [
        "https://a.test/x%2Fy",
        "https://a.test/x/y",
        "https://a.test/x%3Fy",
        "https://a.test/x?y",
        "https://a.test/x%23y",
    ],
    "plus": ["https://a.test/?q=a%2Bb", "https://a.test/?q=a+b", "https://a.test/c+b", "https://a.test/c%20b"],
    "repeated names": ["https://a.test/?a=1&a=2", "https://a.test/?a=2&a=1"],
    "no value and an empty one": ["https://a.test/?a", "https://a.test/?a=", "https://a.test/"],
    "double encoding": ["https://a.test/%2541", "https://a.test/A", "https://a.test/%252F"],
    "empty segments": ["https://a.test/b//c", "https://a.test/b/c"],
    "ß is not ss": ["https://faß.test/", "https://fass.test/"],
    "index pages": ["https://a.test/index.html", "https://a.test/"],
}


@pytest.mark.parametrize("urls", ONE_PAGE.values(), ids=ONE_PAGE)
def test_one_page_has_one_key(urls: list[str]):
    assert {key(url) for url in urls} == {key(urls[0])}


@pytest.mark.parametrize("urls", DIFFERENT_PAGES.values(), ids=DIFFERENT_PAGES)
def test_different_pages_have_different_keys(urls: list[str]):
    assert len({key(url) for url in urls}) == len(urls)


def test_bc_008_a_plain_anchor_is_no_identity():
    assert key("https://app.example.test/page#sec1") == key("https://app.example.test/page#sec2")
    assert key("https://app.example.test/#/a:~:text=x") == key("https://app.example.test/#/a")


def test_bc_006_the_key_is_no_url_to_fetch():
    assert key("https://cdn.example.test/f.pdf?X-Sig=ab%2Bcd%3D&Expires=1&utm_source=n").startswith(
        "//cdn.example.test/"
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not a url",
        "mailto:a@b.test",
        "javascript:alert(1)",
        "/relative",
        "https:",
        "https://",
        "http:///x",
        "https://[",
        "https://%",
        "https://a b/",
        "https://xn--/",
        "https://xn--a-ecp.ru/",
        "https://xn--0.test/",
        "https://..",
        "https://a..b/",
        "https://" + "é" * 9000,
        "https://a:99999999999999999999999/",
        "https://a:x/",
        "https://1.2.3.4.5/",
        "https://0x/",
        "https://09.1/",
        "\ud83d",
        "https://\ud83d/\ude00",
        "https://" + "a" * 5000,
        "https://a.test/" + "%zz" * 3000,
        "https://a.test/?" + "&" * 9000,
        "https://a.test:" + "9" * 6000,
        "//",
        "///",
        "https://i⁄evil.test",
        "https://℀.test/",
        "https://[fe80::1%25eth0]/",
        "https://[::1]x/",
        "https://a@b@c/",
        "https://٣.test:٤/",
    ],
)
def test_bc_092_no_text_raises_and_the_key_of_a_key_is_itself(text: str):
    assert key(key(text)) == key(text)
    host_of(key(text))


@given(st.one_of(PIECES, st.text(st.characters(), max_size=40), PIECES.map("https://".__add__)))
def test_the_key_is_total_and_idempotent(text: str):
    once = key(text)
    assert key(once) == once
    once.encode("utf-8")
    assert len(source_id(once)) == 8
    has_tracking(text)


@given(st.permutations(["b=2", "a=1", "utm_source=x", "c", "d=", "fbclid=1"]))
def test_the_order_of_parameters_is_no_identity(fields: list[str]):
    assert key("https://a.test/?" + "&".join(fields)) == key("https://a.test/?a=1&b=2&c&d=")


def test_names_on_the_list_are_lower_case_and_leave_content_alone():
    assert len(NAMES) > 80
    assert all(name == name.lower() for name in [*NAMES, *PREFIXES])
    assert not any(
        map(
            is_tracking,
            ("ref", "source", "id", "v", "from", "t", "s", "q", "page", "scm", "cid", "utm", "trk", "feature", ""),
        )
    )
    assert all(map(is_tracking, ("FBCLID", "utm_anything", "hsCtaTracking", "ScCid", "_GL", "ranMID")))


def test_tracking_in_a_url_is_told():
    assert has_tracking("https://a.test/?id=1&utm%5Fsource=x")
    assert has_tracking("https://a.test/?id=1;GCLID=x#a")
    assert not has_tracking("https://a.test/utm_source=x?id=1#?utm_source=x")


def test_x24_an_id_is_eight_characters_and_the_same_in_every_process():
    here = source_id(key("https://www.a.test/x?utm_source=y"))
    assert here == source_id(key("http://a.test/x/"))
    assert len(here) == 8
    assert here.isascii()
    assert here == here.lower()
    code = "from fanseek.text.canonical import key, source_id; print(source_id(key('https://a.test/x')), end='')"
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8").stdout
    assert there == here
    assert here != source_id(key("https://a.test/y"))


def test_the_host_of_a_key():
    assert host_of(key("https://user@www.A.test:8080/x")) == "a.test"
    assert host_of(key("https://[::1]:8080/")) == "[0:0:0:0:0:0:0:1]"
    assert host_of(key("no url")) == ""


def test_a_key_is_cheap():
    fresh = key.__wrapped__
    urls = [
        "https://docs.python.org/3/library/asyncio.html",
        "https://www.a.test/watch?v=abc&utm_source=x",
        "https://zh.a.test/wiki/%E4%B8%AD",
    ]
    assert timeit.timeit(lambda: [fresh(url) for url in urls], number=200) / 600 < 0.001
    for part in ("www.", "a.", "%41", "/..", "&a=1", ";a=1", "é", "xn--"):
        assert (
            timeit.timeit(
                lambda part=part: fresh("https://" + part * (8000 // len(part)) + "/" + part * 2000), number=1
            )
            < 2
        )
