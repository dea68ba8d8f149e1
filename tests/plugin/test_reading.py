"""From a response to an outcome: what counts as empty, what as a failure, and that nothing escapes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from fanseek.contract import (
    Backend,
    BackendSettings,
    Docs,
    Failure,
    Field,
    Hit,
    Markup,
    Operation,
    Parsed,
    Request,
    Response,
    SearchRequest,
)
from fanseek.reading import Reading, read

HIT = Hit(url="https://a.test/", title="A &amp; B")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def build(search: SearchRequest, settings: BackendSettings) -> Request:
    return Request(url="https://a.test/")


def reading(
    parsed: Parsed | Exception | None = None, response: Response | None = None, *, classify: Any = None, **more: Any
) -> Reading:
    """How `response` is read by a backend whose parser gives `parsed`, or raises it."""

    def parse(given: Response) -> Parsed:
        if isinstance(parsed, Exception):
            raise parsed
        return parsed or Parsed()

    backend = Backend(
        name="sample",
        family="sample",
        settings=BackendSettings,
        operations={"search": Operation(build=build, parse=parse, **more)},
        docs=Docs(url="https://a.test/", checked="2026-11-30", receives="nobody"),
        classify=classify,
    )
    given = response or Response(status=200, headers={"content-type": "application/json"}, body=b"{}")
    return read(backend, backend.operations["search"], given, NOW)


@pytest.mark.parametrize(
    ("parsed", "status", "hits"),
    [
        (Parsed(hits=(HIT,)), "ok", 1),
        (Parsed(hits=(HIT,), unfinished="paused"), "partial", 1),
        (Parsed(unfinished="paused"), "server", 0),
        (Parsed(unfinished="paused", empty=True), "empty", 0),
        (Parsed(hits=(HIT,), failed=1), "partial", 1),
        (Parsed(hits=(HIT,), empty=True), "ok", 1),
        (Parsed(empty=True), "empty", 0),
        (Parsed(answer="4", empty=True), "empty", 0),
        (Parsed(answer="4"), "partial", 0),
        (Parsed(answer="4", hits=(Hit(url="javascript:alert(1)"),)), "partial", 0),
        (Parsed(answer="\u200b"), "format", 0),
        (Parsed(failed=2), "server", 0),
        (Parsed(), "format", 0),
        (Parsed(hits=(Hit(url="javascript:alert(1)"),)), "format", 0),
        (Parsed(hits=(Hit(url="javascript:alert(1)"),), empty=True), "format", 0),
        (Parsed(hits=(HIT, HIT)), "ok", 1),
    ],
)
def test_emptiness_needs_a_positive_sign(parsed: Parsed, status: str, hits: int) -> None:
    """BC-019, BC-031: neither results nor a sign that there are none is a failure."""
    found = reading(parsed)
    assert (found.status, len(found.hits)) == (status, hits)
    assert bool(found.message) is (status in ("server", "format"))


def test_an_answer_beside_results_that_can_t_be_read_is_no_emptiness() -> None:
    """BC-031, BC-145: the answer is kept, and what is missing is said."""
    for parsed in (Parsed(answer="4"), Parsed(answer="4", hits=(Hit(url="x"),))):
        found = reading(parsed)
        assert (found.answer, found.warnings) == ("4", ("an answer came, and no result that could be read",))
    assert reading(Parsed(answer="4", empty=True)).warnings == ()


@pytest.mark.parametrize(
    ("beside", "said"),
    [
        (b'"error":"quota exceeded"', "quota exceeded"),
        (b'"error":{"message":"over\\n capacity","code":7}', "over capacity"),
        (b'"error":{"code":503}', "503"),
        (b'"error":{"type":"overloaded_error"}', "overloaded_error"),
        (b'"error":true', "no reason given"),
        (b'"errors":[{"detail":"rate limit"}]', "rate limit"),
        (b'"errors":["", "one shard failed"]', "one shard failed"),
        (b'"error":{"error":{"message":"nested"}}', "nested"),
    ],
)
def test_an_empty_list_beside_an_error_is_a_failure(beside: bytes, said: str) -> None:
    """BC-031, BC-060: under a status of success, in plain JSON and in a tool's text or structured result."""
    whole = b'{"results":[],%b}' % beside
    text = msgspec.json.encode(whole.decode())
    tool = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":%b}]}}' % text
    structured = b'{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":%b}}' % whole
    for body in (whole, b"\xef\xbb\xbf" + whole, tool, structured):
        found = reading(Parsed(empty=True), Response(status=200, body=body))
        assert (found.status, found.message) == ("server", f"no results, and an error: {said!r}"), body
        assert reading(Parsed(hits=(HIT,)), Response(status=200, body=body)).status == "ok"


@pytest.mark.parametrize(
    "body",
    [
        b'{"error":null,"errors":[]}',
        b'{"error":""}',
        b'{"error":false}',
        b'{"error":{}}',
        b'{"error":{"code":0,"message":""}}',
        b'{"errors":[null]}',
        b'{"errors":{}}',
        b"[]",
        b"not JSON",
        b"",
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"nothing found"}]}}',
        b"[" * 5000,
    ],
)
def test_a_form_for_errors_that_holds_none_takes_no_emptiness_away(body: bytes) -> None:
    assert reading(Parsed(empty=True), Response(status=200, body=body)).status == "empty"


def test_an_answer_and_warnings_are_kept() -> None:
    found = reading(Parsed(answer="4", empty=True, warnings=("w",)))
    assert (found.answer, found.warnings) == ("4", ("w",))
    assert reading(Parsed(empty=True, warnings=("w",))).warnings == ("w",)


@pytest.mark.parametrize(
    "problem", [msgspec.DecodeError("no"), msgspec.ValidationError("no"), ValueError("no"), RecursionError("no")]
)
def test_a_parser_that_gives_up_is_a_format_failure_that_quotes_the_body(problem: Exception) -> None:
    """BC-031: what came instead can be seen."""
    body = b"<html>\n gateway \x1b[31m" + b"x" * 500
    found = reading(problem, Response(status=200, headers={"content-type": "text/html"}, body=body))
    assert found.status == "format"
    assert "text/html" in found.message
    assert "<html> gateway" in found.message
    assert "\x1b" not in found.message
    assert len(found.message) < 500


def test_a_status_tells_before_the_parser() -> None:
    for status, kind in ((202, "blocked"), (401, "auth"), (404, "bad-request"), (429, "rate-limit"), (503, "server")):
        assert reading(Parsed(hits=(HIT,)), Response(status=status, body=b"{}")).status == kind


def test_the_backend_tells_before_the_status() -> None:
    def classify(response: Response) -> Failure | None:
        return Failure(kind="quota", message="mine") if response.status != 200 else None

    found = reading(response=Response(status=400, headers={"retry-after": "7"}), classify=classify)
    assert (found.status, found.message, found.retry_after) == ("quota", "mine", 7)
    assert reading(Parsed(empty=True), classify=classify).status == "empty"


def test_a_classifier_that_gives_up_leaves_it_to_the_status() -> None:
    def classify(response: Response) -> Failure | None:
        raise msgspec.DecodeError("no JSON")

    assert reading(response=Response(status=503), classify=classify).status == "server"
    assert reading(response=Response(status=200), classify=classify).status == "format"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("Sun, 01 Mar 2026 12:00:30 GMT", 30), ("Sun, 01 Mar 2026 11:59:00 GMT", 0), ("12", 12), ("soon", None)],
)
def test_a_wait_given_as_a_date_is_resolved_also_for_the_backends_own_failures(
    value: str, seconds: float | None
) -> None:
    """BC-032."""

    def classify(response: Response) -> Failure | None:
        return Failure(kind="rate-limit", message="mine")

    for own in (None, classify):
        found = reading(response=Response(status=429, headers={"retry-after": value}), classify=own)
        assert found.retry_after == seconds


MARKUP = Markup(row="a", fields={"link": Field("", "href")})


def test_a_page_is_put_before_the_parser_and_only_a_page() -> None:
    seen: list[Any] = []

    def classify(response: Response) -> Failure | None:
        seen.append(response.page)
        return None

    html = Response(status=200, headers={"content-type": "text/html"}, body=b"<a href='https://a.test/'>x</a>")
    reading(Parsed(empty=True), html, classify=classify, markup=MARKUP)
    reading(Parsed(empty=True), classify=classify, markup=MARKUP)
    reading(Parsed(empty=True), html, classify=classify)
    assert [page and page.rows for page in seen] == [({"link": "https://a.test/"},), None, None]


def test_a_page_too_deep_to_be_read_is_a_format_failure_or_what_its_status_says() -> None:
    """BC-114."""
    deep = Response(status=200, headers={"content-type": "text/html"}, body=b"<div>" * 200_000)
    assert reading(Parsed(empty=True), deep, markup=MARKUP).status == "format"
    assert reading(Parsed(), msgspec.structs.replace(deep, status=403), markup=MARKUP).status == "blocked"


def test_texts_of_an_answer_are_html_only_where_the_backend_says_so() -> None:
    """BC-099: a title about `&amp;` is left as it is."""
    assert reading(Parsed(hits=(HIT,))).hits[0].title == "A &amp; B"
    assert reading(Parsed(hits=(HIT,)), html_text=True).hits[0].title == "A & B"


@pytest.mark.parametrize(
    ("status", "code", "retryable"),
    [("ok", "", False), ("empty", "", False), ("blocked", "CHALLENGED", True), ("auth", "ENGINE_ERROR", False)],
)
def test_a_reading_becomes_the_record_of_its_call(status: Any, code: str, *, retryable: bool) -> None:
    outcome = Reading(status=status, hits=(HIT,), message="m", retry_after=3.0, warnings=("w",)).outcome("sample", 12.5)
    assert (outcome.backend, outcome.status, outcome.hits, outcome.ms) == ("sample", status, 1, 12.5)
    assert (outcome.code, outcome.retryable) == (code, retryable)
    assert (outcome.message, outcome.retry_after_s, outcome.warnings) == ("m", 3.0, ("w",))
