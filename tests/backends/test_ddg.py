"""What only this page does: links that redirect, advertisements, region codes, commands."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.reading import read
from fanseek_backends._duck_links import target
from fanseek_backends.ddg import BACKEND, Settings

SEARCH = BACKEND.operations["search"]


def fields(**wishes: object) -> dict[str, str]:
    request = SEARCH.build(SearchRequest(**{"query": "cats", **wishes}), Settings())
    return {name: values[0] for name, values in parse_qs(request.body.decode(), keep_blank_values=True).items()}


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("/l/?uddg=https%3A%2F%2Fa.example.test%2F%3Fq%3D1%26r%3D2&rut=00", "https://a.example.test/?q=1&r=2"),
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Fb.example.test%2F%E8%B7%AF", "https://b.example.test/路"),
        ("https://duckduckgo.com/l/?rut=1&uddg=https%3A%2F%2Fc.example.test%2F", "https://c.example.test/"),
        ("https://html.duckduckgo.com/l/?uddg=https%3A%2F%2Fd.example.test%2F", "https://d.example.test/"),
        (
            "https://other.example.test/l/?uddg=https%3A%2F%2Fe.example.test%2F",
            "https://other.example.test/l/?uddg=https%3A%2F%2Fe.example.test%2F",
        ),
        ("https://organic.example.test/page?uddg=1", "https://organic.example.test/page?uddg=1"),
        ("HTTPS://DuckDuckGo.com/l/?uddg=https%3A%2F%2Ff.example.test%2F#x", "https://f.example.test/"),
        (
            "http://lite.duckduckgo.com:80/l?uddg=http%3A%2F%2Fg.example.test%2Fa%2520b%2Bc",
            "http://g.example.test/a%20b+c",
        ),
        ("//plain.example.test/x", "https://plain.example.test/x"),
        (
            "https://evilduckduckgo.com/l/?uddg=https%3A%2F%2Fh.example.test",
            "https://evilduckduckgo.com/l/?uddg=https%3A%2F%2Fh.example.test",
        ),
        ("https://duckduckgo.com.evil.test/p", "https://duckduckgo.com.evil.test/p"),
    ],
)
def test_a_link_leads_where_the_reader_would_land(href: str, url: str) -> None:
    """BC-013, C3: every spelling of the redirect, decoded once; organic links left alone."""
    assert target(href) == url


@pytest.mark.parametrize(
    "href",
    [
        "https://duckduckgo.com/y.js?ad_domain=shop.example&ad_provider=bingv7aa&u3=x",
        "//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad_domain%3Dx&rut=00",
        "/l/?uddg=https%3A%2F%2Fwww.bing.com%2Faclick%3Fld%3De8",
        "https://www.bing.com/aclick?ld=e8",
        "https://shop.example.test/?x=1&ad_type=txad",
        "https://duckduckgo.com/about",
        "https://user@duckduckgo.com/about",
        "/about",
        "javascript:alert(1)",
        "/l/?rut=1",
        "/l/?uddg=javascript%3Aalert(1)",
        "",
    ],
)
def test_an_advertisement_or_own_page_is_no_result(href: str) -> None:
    """BC-014: also through the redirect."""
    assert target(href) is None


@pytest.mark.parametrize(
    ("language", "region", "code"),
    [
        ("zh-CN", "", "cn-zh"),
        ("en-GB", "", "uk-en"),
        ("pt-BR", "", "br-pt"),
        ("zh-TW", "", "tw-tzh"),
        ("zh-Hant-HK", "", "hk-tzh"),
        ("ja", "", "jp-jp"),
        ("zh_CN", "", "cn-zh"),
        ("ZH-cn", "", "cn-zh"),
        ("xx-YY", "", "wt-wt"),
        ("cn-zh", "", "cn-zh"),
        ("zh-Hant", "", "tw-tzh"),
        ("en", "jp", "jp-jp"),
        ("fr", "CA", "ca-fr"),
        ("", "gb", "uk-en"),
        ("", "UK", "uk-en"),
        ("es", "us", "ue-es"),
        ("", "zz", "wt-wt"),
        ("", "", "wt-wt"),
        ("sl", "", "sl-sl"),
        ("nb-NO", "", "no-no"),
    ],
)
def test_language_and_region_are_one_code(language: str, region: str, code: str) -> None:
    """BC-141, BC-142: looked up, never put together; sent in the form and in the cookie."""
    request = SEARCH.build(SearchRequest(query="cats", language=language, region=region), Settings())
    assert parse_qs(request.body.decode())["kl"] == [code]
    assert f"kl={code}" in request.headers["Cookie"]


def test_wishes_become_parameters() -> None:
    """BC-143: moderate is sent, and off is -2."""
    assert fields()["kp"] == "-1"
    assert fields(safe_search="strict")["kp"] == "1"
    assert fields(safe_search="off")["kp"] == "-2"
    assert "df" not in fields()
    assert [fields(recency=span)["df"] for span in ("day", "week", "month", "year")] == ["d", "w", "m", "y"]
    assert fields()["b"] == ""


def test_domains_become_operators() -> None:
    assert fields(include_domains=("a.test",), exclude_domains=("b.test",))["q"] == "cats site:a.test -site:b.test"
    assert fields(include_domains=("a.test", "b.test"))["q"] == "cats (site:a.test OR site:b.test)"


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("!g cats", '"!g" cats'),
        ("cats !w", 'cats "!w"'),
        ("\\cats", '"\\cats"'),
        ("! cats", '"!" cats'),
        ('"!g cats"', '"!g cats"'),
        ("wow! cats", "wow! cats"),
    ],
)
def test_a_command_is_searched_for_not_obeyed(query: str, asked: str) -> None:
    assert fields(query=query)["q"] == asked


def test_a_long_query_is_cut_at_words_and_keeps_its_operators() -> None:
    """BC-133 at this page's limit of 499 characters."""
    asked = fields(query="word " * 150 + '"exact phrase" site:arxiv.org')["q"]
    assert len(asked) <= 499
    assert asked.endswith('"exact phrase" site:arxiv.org')
    assert len(fields(query="x" * 900)["q"]) <= 499
    assert fields(query='"' + "x" * 900)["q"].count('"') % 2 == 0
    many = fields(query="cats and dogs", exclude_domains=tuple(f"host-{n}.example.test" for n in range(60)))["q"]
    assert len(many) <= 499
    assert many.startswith("cats and dogs -site:host-0.example.test")


def test_the_request_looks_as_the_page_itself_would_send_it() -> None:
    request = SEARCH.build(SearchRequest(query="cats", language="de-DE"), Settings())
    assert (request.method, request.url) == ("POST", "https://html.duckduckgo.com/html/")
    assert request.headers["Referer"] == "https://html.duckduckgo.com/"
    assert request.headers["Accept-Language"] == "de-DE,de;q=0.8"
    assert request.headers["Sec-Fetch-Mode"] == "navigate"
    assert "user-agent" not in {name.lower() for name in request.headers}


def test_a_snippet_stays_with_its_own_result() -> None:
    body = (
        b"<div class='result'><a class='result__a' href='https://a.test/'>A</a></div>"
        b"<div class='result'><a class='result__a' href='https://b.test/'>B</a><a class='result__snippet'>of B</a></div>"
    )
    reading = read(BACKEND, SEARCH, Response(status=200, headers={"content-type": "text/html"}, body=body))
    assert [(hit.title, hit.snippet) for hit in reading.hits] == [("A", None), ("B", "of B")]


def test_calls_are_spaced_before_a_challenge_would_be() -> None:
    """About thirteen searches in a row bring a challenge, so fewer are let through at once."""
    assert BACKEND.pace.burst < 13
    assert BACKEND.pace.interval_s > 0


@pytest.mark.parametrize(
    ("page", "status"),
    [
        ("<p>Unfortunately, bots use DuckDuckGo too.</p><p>Please complete the challenge</p>", "blocked"),
        ("<div class='changed'>\n Unfortunately, bots use\n DuckDuckGo too. </div>", "blocked"),
        ("<p>An essay: Unfortunately, bots use DuckDuckGo too. More of it</p>", "format"),
        ("<div class='result'><a class='result__a' href='//a.test'>Unfortunately, bots use DuckDuckGo too.</a>", "ok"),
    ],
)
def test_a_challenge_is_told_by_its_sentence_too(page: str, status: str) -> None:
    """BC-019 and a.md 3: whatever its markup is called next; but never in a page of results."""
    response = Response(status=200, headers={"content-type": "text/html"}, body=page.encode())
    assert read(BACKEND, SEARCH, response).status == status
