"""Answers of the Responses API: searches, citations, the vendor's mark on addresses, responses that failed."""

from __future__ import annotations

import json

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.reading import Reading, read
from fanseek_backends.openai import BACKEND, Settings

SEARCH = BACKEND.operations["search"]
MARKED = "utm_source=openai"


def searched(*urls: str, kind: str = "url") -> dict[str, object]:
    sources = [{"type": kind, "url": url} for url in urls]
    return {"type": "web_search_call", "status": "completed", "action": {"type": "search", "sources": sources}}


def said(text: str, *urls: str, **more: object) -> dict[str, object]:
    notes = [{"type": "url_citation", "url": url, "title": f"T {url[8:9]}", **more} for url in urls]
    return {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": notes}]}


def reading(*output: object, status: str = "completed", **more: object) -> Reading:
    whole = {"object": "response", "status": status, "error": None, "output": output, **more}
    return read(BACKEND, SEARCH, Response(status=200, body=json.dumps(whole).encode()))


@pytest.mark.parametrize("mark", ["openai", "chatgpt.com"])
@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        ("https://a.test/?{}", "https://a.test/"),
        ("https://a.test/?x=1&{}", "https://a.test/?x=1"),
        ("https://a.test/?{}&x=1", "https://a.test/?x=1"),
        ("https://a.test/p?x=1&{}&y=2", "https://a.test/p?x=1&y=2"),
        ("https://a.test/p?{}#part", "https://a.test/p#part"),
    ],
)
def test_a_page_with_and_without_the_mark_is_one(mark: str, marked: str, bare: str) -> None:
    """a.md 10: the page's own address is shown where it was given; nothing else of it is changed."""
    url = marked.format(f"utm_source={mark}")
    for output in ([searched(bare, url), said("x", url)], [searched(url, bare), said("x", url)]):
        found = reading(*output)
        assert [hit.url for hit in found.hits] == [bare]
        assert found.citations == (bare,)
    alone = reading(searched(), said("x", url))
    assert len(alone.hits) == 1


@pytest.mark.parametrize("other", ["https://a.test/?utm_source=mail", "https://a.test/?my_utm_source=openai"])
def test_another_mark_is_the_page_s_own(other: str) -> None:
    assert reading(searched(other)).hits[0].url == other


def test_cited_pages_come_first_and_have_the_words_before_their_mark() -> None:
    text = (
        "Two facts:\n\n- The array reached 41 %. ([a.test](https://a.test/?utm_source=openai))\n"
        "- Costs fell. ([b.test](https://b.test/))"
    )
    found = reading(
        searched("https://c.test/", "https://a.test/"),
        said(text, "https://a.test/?utm_source=openai", "https://b.test/"),
    )
    assert [(hit.url, hit.title, hit.snippet) for hit in found.hits] == [
        ("https://a.test/", "T a", "The array reached 41 %."),
        ("https://b.test/", "T b", "Costs fell."),
        ("https://c.test/", None, None),
    ]
    assert found.citations == ("https://a.test/", "https://b.test/")
    assert found.answer == text


def test_only_pages_are_sources_and_only_pages_are_cited() -> None:
    assert (
        reading(searched("https://a.test/"), searched("https://b.test/", kind="api")).hits[0].url == "https://a.test/"
    )
    assert len(reading(searched("https://a.test/"), searched("https://b.test/", kind="api")).hits) == 1
    note = {"type": "file_citation", "url": "https://f.test/"}
    message = {"type": "message", "content": [{"type": "output_text", "text": "x", "annotations": [note]}]}
    assert [hit.url for hit in reading(searched("https://a.test/"), message).hits] == ["https://a.test/"]


def test_a_refusal_is_no_part_of_an_answer() -> None:
    refusal = {"type": "message", "content": [{"type": "refusal", "refusal": "No.", "text": "No."}]}
    assert reading(refusal).status == "blocked"
    found = reading(searched("https://a.test/"), said("Yes.", "https://a.test/"), refusal)
    assert (found.status, found.answer) == ("ok", "Yes.")


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("server_error", "server"),
        ("rate_limit_exceeded", "rate-limit"),
        ("invalid_prompt", "bad-request"),
        ("insufficient_quota", "quota"),
        ("something_new", "server"),
    ],
)
def test_a_response_that_failed_is_no_answer(code: str, kind: str) -> None:
    """a.md 10, 13 no. 1: under HTTP 200, whatever it had found before."""
    error = {"code": code, "message": "Sorry."}
    assert reading(status="failed", error=error).status == kind
    assert reading(searched("https://a.test/"), status="failed", error=error).status == kind
    assert reading(searched("https://a.test/"), status="failed").status == "server"
    assert reading(status="in_progress", error=error).status == kind


def test_an_answer_that_is_not_whole_is_partial() -> None:
    why = {"reason": "max_output_tokens"}
    cut = reading(searched("https://a.test/"), said("x"), status="incomplete", incomplete_details=why)
    assert (cut.status, len(cut.hits)) == ("partial", 1)
    assert "max_output_tokens" in cut.warnings[0]
    assert reading(status="incomplete", incomplete_details=why).status == "server"


def test_searches_that_found_nothing_are_empty_and_none_at_all_is_none() -> None:
    nothing = reading(searched(), said("I know this much."))
    assert (nothing.status, nothing.answer) == ("empty", None)
    assert reading(said("I know this much.")).status == "format"
    assert reading().status == "format"


def test_more_domains_than_are_taken_are_left_to_the_filter_behind() -> None:
    many = tuple(f"s{number}.test" for number in range(101))
    for count in (100, 101):
        search = SearchRequest(query="q", include_domains=many[:count])
        (tool,) = json.loads(SEARCH.build(search, Settings()).body)["tools"]
        assert ("filters" in tool) is (count == 100)
    search = SearchRequest(query="q", exclude_domains=many)
    (tool,) = json.loads(SEARCH.build(search, Settings()).body)["tools"]
    assert len(tool["filters"]["blocked_domains"]) == 100
