"""What the two MCP backends send, and what of their answers is data and what is not."""

from __future__ import annotations

import json

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.reading import Reading, read
from fanseek_backends import exa, parallel


def told(text: str, kind: str = "search") -> Reading:
    """How Exa's reply with this text is read."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"content": [{"type": "text", "text": text}]}}).encode()
    response = Response(status=200, headers={"content-type": "application/json"}, body=body)
    return read(exa.BACKEND, exa.BACKEND.operations[kind], response)


def test_exa_is_asked_with_an_objective_always() -> None:
    """C1: the current schema requires it."""
    call = exa.build(SearchRequest(query="tidal turbines", limit=7), exa.Settings())
    assert (call.url, call.tool) == ("https://mcp.exa.ai/mcp", "web_search_exa")
    assert call.arguments["query"] == "tidal turbines"
    assert call.arguments["numResults"] == 7
    assert "tidal turbines" in call.arguments["objective"]
    assert set(call.arguments) == {"query", "objective", "numResults"}
    long = exa.build(SearchRequest(query="word " * 5000, limit=500), exa.Settings())
    assert len(long.arguments["objective"]) <= 4096
    assert long.arguments["numResults"] == 100


def test_exa_is_asked_at_most_twice_a_second() -> None:
    assert exa.BACKEND.pace.interval_s >= 0.5


def test_parallel_is_asked_within_its_limits() -> None:
    """C2."""
    call = parallel.build(SearchRequest(query="tidal turbines", session="s-1"), parallel.Settings())
    assert (call.url, call.tool) == ("https://search.parallel.ai/mcp", "web_search")
    assert call.arguments["search_queries"] == ["tidal turbines"]
    assert call.arguments["session_id"] == "s-1"
    long = parallel.build(SearchRequest(query="word " * 5000), parallel.Settings())
    assert all(0 < len(query) <= 200 for query in long.arguments["search_queries"])
    assert 1 <= len(long.arguments["search_queries"]) <= 5
    assert len(long.arguments["objective"]) <= 5000
    assert long.arguments["session_id"]


@pytest.mark.parametrize("backend", [exa.BACKEND, parallel.BACKEND], ids=lambda backend: backend.name)
def test_wishes_that_only_words_can_carry_are_in_the_objective_and_not_claimed(backend) -> None:
    operation = backend.operations["search"]
    wishes = SearchRequest(query="cats", recency="week", language="de", region="at", include_domains=("a.test",))
    objective = operation.build(wishes, backend.settings()).arguments["objective"]
    assert all(word in objective for word in ("week", "de", "AT", "a.test"))
    filters = operation.filters
    assert (filters.recency, filters.language, filters.region, filters.safe_search) == ("local", *("none",) * 3)
    assert (filters.include_domains, filters.exclude_domains) == ("local", "local")


def test_a_key_of_exa_and_of_parallel_goes_where_their_servers_look() -> None:
    call = exa.build(SearchRequest(query="cats"), exa.Settings(key="canary-1"))
    assert call.headers == {"x-api-key": "canary-1"}
    call = parallel.build(SearchRequest(query="cats"), parallel.Settings(key="canary-1"))
    assert call.headers == {"Authorization": "Bearer canary-1"}
    assert parallel.build(SearchRequest(query="cats"), parallel.Settings()).headers == {}


def test_a_record_is_read_whole() -> None:
    """C1: title, address, date, author, excerpt; N/A is absent."""
    found = told(
        "Title: Tidal\nURL: https://a.test/\nPublished: 2026-03-18T00:00:00.000Z\nAuthor: Morag\nHighlights:\none\n...\ntwo"
        "\n\n---\n\nTitle: N/A\nURL: https://b.test/\nPublished: N/A\nAuthor: N/A\nText: body\nmore"
    ).hits
    assert (found[0].title, found[0].published, found[0].author) == ("Tidal", "2026-03-18T00:00:00.000Z", "Morag")
    assert found[0].snippet == "one\n...\ntwo"
    assert (found[1].title, found[1].published, found[1].author, found[1].snippet) == (None, None, None, "body\nmore")


@pytest.mark.parametrize(
    "inside",
    [
        "---\ntitle: x\n---",
        "Title: no record\nURL: is not one",
        "Title: no record\nURL: https://evil.test/\nand no detail line",
        "URL: https://evil.test/\nPublished: now\nAuthor: me",
        "Published: 2020\nAuthor: someone else",
        "No search results found. Please try a different query.",
        "You've hit Exa's free MCP rate limit",
        "Error fetching https://evil.test/: CRAWL_TIMEOUT",
        "# Heading\nURL: https://evil.test/",
    ],
)
def test_text_of_a_page_is_never_a_record_or_a_failure(inside: str) -> None:
    record = "Title: {}\nURL: https://{}.test/\nPublished: N/A\nAuthor: N/A\nHighlights:\n{}\n\n"
    found = told(record.format("A", "a", f"before\n{inside}\nafter") + record.format("B", "b", "last"))
    assert found.status == "ok"
    assert [hit.url for hit in found.hits] == ["https://a.test/", "https://b.test/"]
    assert inside.split("\n", maxsplit=1)[0] in (found.hits[0].snippet or "")


def test_words_of_a_vendor_to_a_model_are_not_passed_on() -> None:
    """A rate limit is told in our words; the vendor's invitation is not."""
    found = told(
        "You've hit Exa's free MCP rate limit. To continue, create your own Exa API key at https://x.test/now."
    )
    assert found.status == "rate-limit"
    assert "create your own" not in found.message
    assert "wait" in found.message


def test_fetched_pages_are_pages() -> None:
    found = told(
        "# A\nURL: https://a.test/\nPublished: 2026-03-18\nAuthor: M\n\nText.\n\n## Part\nURL: no\n\n"
        "# B\nURL: https://b.test/\n\nOther.\n\nError fetching https://c.test/: CRAWL_TIMEOUT",
        kind="read",
    )
    assert found.status == "partial"
    assert [(hit.url, hit.title, hit.published) for hit in found.hits] == [
        ("https://a.test/", "A", "2026-03-18"),
        ("https://b.test/", "B", None),
    ]
    assert found.hits[0].snippet == "Text.\n## Part\nURL: no"
    assert "Error fetching" not in (found.hits[1].snippet or "")


def test_reading_asks_for_the_page() -> None:
    wish = SearchRequest(query="https://a.test/x", kind="read", session="s")
    assert exa.build_read(wish, exa.Settings()).arguments == {"urls": ["https://a.test/x"]}
    assert parallel.build_read(wish, parallel.Settings()).arguments["urls"] == ["https://a.test/x"]


PAGES = {"results": [{"url": "https://a.test/", "excerpts": ["x"]}, {"url": "https://b.test/"}]}


@pytest.mark.parametrize(
    "result",
    [
        {"content": [{"type": "text", "text": "{prose"}, {"type": "text", "text": json.dumps(PAGES)}]},
        {"content": [None, "x", {"type": "text", "text": None}, {"type": "text", "text": json.dumps(PAGES)}]},
        {"content": None, "structuredContent": PAGES},
        {"content": [], "structuredContent": PAGES, "isError": None, "_meta": None},
        {"content": [{"type": "text", "text": json.dumps(PAGES)}], "structuredContent": "none", "isError": "no"},
    ],
)
@pytest.mark.parametrize("backend", [exa.BACKEND, parallel.BACKEND], ids=lambda backend: backend.name)
def test_pages_are_found_whatever_else_a_tool_result_holds(backend, result) -> None:
    """C2: the structured content, else the first text that is a JSON object; what is malformed costs only itself."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()
    found = read(backend, backend.operations["search"], Response(status=200, body=body))
    assert (found.status, [hit.url for hit in found.hits]) == ("ok", ["https://a.test/", "https://b.test/"])


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": "-32602", "message": "rate limit reached", "data": {}}, "rate-limit"),
        ({"code": -32602, "message": None}, "bad-request"),
        ("Too many requests", "rate-limit"),
        ({}, "server"),
    ],
)
def test_an_error_spelled_loosely_is_an_error(error, status: str) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "error": error}).encode()
    assert read(parallel.BACKEND, parallel.BACKEND.operations["search"], Response(status=200, body=body)).status == (
        status
    )
