"""Answers of the Messages API with the web search tool: blocks, errors of the tool, streams."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.reading import Reading, read
from fanseek_backends import anthropic, deepseek

PAGE = {"type": "web_search_result", "url": "https://a.test/", "title": "A", "page_age": "5 days ago"}


def result(content: object) -> dict[str, object]:
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_0", "content": content}


def failed(code: str) -> dict[str, object]:
    return result({"type": "web_search_tool_result_error", "error_code": code})


def text(words: str, *cited: str) -> dict[str, object]:
    places = [{"type": "web_search_result_location", "url": url, "title": "C", "cited_text": words} for url in cited]
    return {"type": "text", "text": words, "citations": places}


def reading(*blocks: object, stop: str = "end_turn", **more: Any) -> Reading:
    whole = {"type": "message", "content": blocks, "stop_reason": stop, **more}
    return read_back(json.dumps(whole).encode())


def read_back(body: bytes) -> Reading:
    return read(anthropic.BACKEND, anthropic.BACKEND.operations["search"], Response(status=200, body=body))


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("too_many_requests", "rate-limit"),
        ("invalid_tool_input", "bad-request"),
        ("invalid_input", "bad-request"),
        ("query_too_long", "bad-request"),
        ("request_too_large", "bad-request"),
        ("max_uses_exceeded", "bad-request"),
        ("unavailable", "server"),
        ("something_new", "server"),
        ("", "server"),
    ],
)
def test_a_search_that_failed_is_a_failure_by_its_code(code: str, kind: str) -> None:
    """a.md 9b, 13 no. 1: under HTTP 200."""
    told = reading(failed(code), text("I could not search."))
    assert told.status == kind
    assert code in told.message


def test_one_search_of_several_that_failed() -> None:
    """Beside results it makes them partial; beside an honest nothing it is told; more than allowed is no failure."""
    beside = reading(failed("unavailable"), result([PAGE]))
    assert (beside.status, len(beside.hits), beside.warnings) == (
        "partial",
        1,
        ("a search of the model's failed: unavailable",),
    )
    nothing = reading(failed("unavailable"), result([]))
    assert (nothing.status, len(nothing.warnings)) == ("empty", 1)
    assert reading(result([PAGE]), failed("max_uses_exceeded")).status == "ok"
    cited = reading(failed("unavailable"), text("From a page.", "https://c.test/"))
    assert (cited.status, len(cited.hits)) == ("partial", 1)


def test_an_age_stays_as_it_came_and_citations_become_snippets() -> None:
    """C9, C10: pages found come before those only cited."""
    found = reading(
        text("I'll search."),
        result([PAGE, {"url": "https://b.test/", "title": "B", "page_age": None}]),
        text("One.", "https://a.test/"),
        text(" Two.", "https://a.test/", "https://c.test/"),
    )
    first, second, third = found.hits
    assert (first.published, first.snippet, first.title) == ("5 days ago", "One.\nTwo.", "A")
    assert (second.published, second.snippet) == (None, None)
    assert (third.url, third.title) == ("https://c.test/", "C")
    assert found.answer == "One. Two."
    assert found.citations == ("https://a.test/", "https://c.test/")


def test_words_from_memory_are_no_answer() -> None:
    """X29: a model that did not search, or found nothing, has no sources to its words."""
    assert reading(text("I know.")).status == "format"
    nothing = reading(result([]), text("I found nothing, but I know."))
    assert (nothing.status, nothing.answer, nothing.citations) == ("empty", None, ())


def test_an_error_in_an_answer_s_place() -> None:
    assert read_back(b'{"type":"error","error":{"type":"overloaded_error","message":"x"}}').status == "server"
    assert read_back(b'{"type":"error","error":{"type":"rate_limit_error","message":"x"}}').status == "rate-limit"
    assert reading(result([PAGE]), error={"type": "overloaded_error"}).status == "ok"
    assert reading(text("No."), stop="refusal").status == "blocked"
    assert reading(result([PAGE]), text("No."), stop="refusal").status == "ok"


def streamed(*events: object) -> bytes:
    return "".join(f"event: x\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def test_a_stream_is_the_same_answer_in_pieces() -> None:
    place = {"type": "web_search_result_location", "url": "https://a.test/", "title": "A", "cited_text": "One."}
    other = {**place, "url": "https://b.test/", "cited_text": "Two."}
    found = read_back(
        streamed(
            {"type": "message_start", "message": {"content": []}},
            {"type": "content_block_start", "index": 0, "content_block": result([PAGE])},
            {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": place}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "One and "}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "citations_delta", "citation": other}},
            {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "two."}},
            {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}},
            {"type": "message_delta", "delta": {}},
            {"type": "message_stop"},
        )
    )
    assert (found.answer, len(found.hits), found.citations) == (
        "One and two.",
        2,
        ("https://a.test/", "https://b.test/"),
    )
    assert [hit.snippet for hit in found.hits] == ["One.", "Two."]
    assert "cut" in found.warnings[0]
    broken = streamed({"type": "message_start"}, {"type": "error", "error": {"type": "overloaded_error"}})
    assert read_back(broken).status == "server"
    assert read_back(streamed({"type": "ping"})).status == "format"


def test_what_is_left_of_the_searches_counts_searches_only() -> None:
    """Code that filters results is no search; a forced choice is not forced again."""
    use = {"type": "server_tool_use", "name": "web_search"}
    other = {"type": "server_tool_use", "name": "code_execution"}
    whole = {"content": [use, other, other, result([PAGE])], "stop_reason": "pause_turn"}
    paused = Response(status=200, body=json.dumps(whole).encode())
    first = deepseek.build(SearchRequest(query="q"), deepseek.Settings(mode="messages", max_searches=2))
    second = deepseek.follow(paused, first)
    assert second is not None
    sent = json.loads(second.body)
    assert (sent["tools"][0]["max_uses"], "tool_choice" in sent) == (1, False)
    assert deepseek.follow(paused, second) is None
