"""What only Serper does: Google's own parameters, used-up credits as 400, ranks by position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.reading import Reading, read
from fanseek_backends.serper import BACKEND, Settings

SEARCH = BACKEND.operations["search"]
HERE = Path(__file__).parent / "serper"


def fields(**wishes: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SEARCH.build(SearchRequest(**{"query": "cats", **wishes}), Settings()).body)
    return found


def reading(body: bytes | str, status: int = 200) -> Reading:
    return read(BACKEND, SEARCH, Response(status=status, body=body.encode() if isinstance(body, str) else body))


def test_one_post_with_the_key_in_its_header() -> None:
    request = SEARCH.build(SearchRequest(query="cats"), Settings(key="canary-1"))
    assert (request.method, request.url) == ("POST", "https://google.serper.dev/search")
    assert request.headers["X-API-KEY"] == "canary-1"
    assert request.headers["Content-Type"] == "application/json"


def test_wishes_become_parameters_of_google() -> None:
    """G5, BC-143."""
    assert "tbs" not in fields()
    spans = ("day", "week", "month", "year")
    assert [fields(recency=span)["tbs"] for span in spans] == ["qdr:d", "qdr:w", "qdr:m", "qdr:y"]
    assert [fields(safe_search=level)["safe"] for level in ("off", "moderate", "strict")] == ["off", "active", "active"]
    assert [fields(limit=limit)["num"] for limit in (0, 10, 500)] == [1, 10, 100]
    found = fields(include_domains=("a.test", "b.test"), exclude_domains=("c.test",))
    assert found["q"] == "cats (site:a.test OR site:b.test) -site:c.test"
    assert len(fields(query="word " * 900)["q"]) <= 2000


@pytest.mark.parametrize(
    ("language", "region", "hl", "gl"),
    [
        ("en", "", "en", None),
        ("en-US", "", "en", "us"),
        ("zh-CN", "", "zh-cn", "cn"),
        ("zh-Hant", "", "zh-tw", None),
        ("zh-HK", "", "zh-tw", "hk"),
        ("zh-Hans", "tw", "zh-cn", "tw"),
        ("pt-BR", "", "pt-br", "br"),
        ("nb-NO", "", "no", "no"),
        ("", "UK", None, "gb"),
        ("xx", "", None, None),
        ("fil", "", None, None),
    ],
)
def test_language_and_country_are_google_s(language: str, region: str, hl: str | None, gl: str | None) -> None:
    """G11."""
    found = fields(language=language, region=region)
    assert (found.get("hl"), found.get("gl")) == (hl, gl)


def test_the_position_is_the_rank() -> None:
    """C7."""
    found = reading((HERE / "own_positions.json").read_bytes())
    assert [hit.url for hit in found.hits] == [f"https://{name}.example.org/" for name in ("one", "two", "three")]


def test_a_row_has_its_title_its_text_and_its_date_as_they_came() -> None:
    """C7."""
    row = '{"title":"T","link":"https://a.test/","snippet":"S","date":"Mar 18, 2026","position":1}'
    (hit,) = reading(f'{{"organic":[{row}]}}').hits
    assert (hit.url, hit.title, hit.snippet, hit.published) == ("https://a.test/", "T", "S", "Mar 18, 2026")


def test_the_box_s_text_is_an_answer() -> None:
    assert reading((HERE / "search_kg_answerbox.json").read_bytes()).answer == "41 percent"
    assert reading((HERE / "own_answer_only.json").read_bytes()).answer == "4"


def test_the_box_s_page_is_cited_where_it_is_a_result() -> None:
    """X29."""
    for box, cited in (
        ('{"answer":"4","link":"https://a.test"}', ("https://a.test/",)),
        ('{"answer":"4","link":"https://b.test"}', ()),
        ('{"link":"https://a.test"}', ()),
    ):
        page = '[{"title":"T","link":"https://a.test/"}]'
        assert reading(f'{{"answerBox":{box},"organic":{page}}}').citations == cited


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"organic":[]}', "empty"),
        ('{"organic":null}', "empty"),
        ('{"message":"Unauthorized."}', "auth"),
        ("<html>gateway</html>", "format"),
        ("", "format"),
        ("[]", "format"),
        ("{}", "format"),
        ('{"searchParameters":{"q":"x"}}', "empty"),
        ('{"searchParameters":{"q":"x","type":"images"}}', "format"),
        ('{"searchParameters":"x"}', "format"),
    ],
)
def test_a_missing_key_is_no_emptiness(body: str, status: str) -> None:
    """BC-031."""
    assert reading(body).status == status


def test_a_plan_that_takes_no_operators_says_what_to_do() -> None:
    told = reading((HERE / "err_400_pattern.json").read_bytes(), 400)
    assert "site:" in told.message
    assert "at most 10 results" in told.message


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, '{"message":"Not enough credits","statusCode":400}', "quota"),
        (400, '{"message":"Insufficient credits."}', "quota"),
        (400, '{"message":"Missing query parameter"}', "bad-request"),
        (402, "{}", "quota"),
        (403, '{"message":"Unauthorized."}', "auth"),
        (403, "Forbidden", "auth"),
        (429, '{"message":"x"}', "rate-limit"),
        (500, '{"message":"x"}', "server"),
        (200, '{"message":"x","statusCode":403}', "auth"),
        (200, '{"message":"x","statusCode":429}', "rate-limit"),
        (200, '{"message":"Too many requests"}', "rate-limit"),
        (200, '{"message":"Not enough credits"}', "quota"),
        (200, '{"message":"x"}', "server"),
        (200, '{"message":"A hint.","organic":[{"title":"T","link":"https://a.test/"}]}', "ok"),
    ],
)
def test_an_error_is_read_by_its_words_and_its_status(status: int, body: str, kind: str) -> None:
    """a.md 7: 400 is three things."""
    assert reading(body, status).status == kind


def test_a_date_stays_as_it_came() -> None:
    (hit,) = reading('{"organic":[{"title":"T","link":"https://a.test/","date":"3 hours ago","snippet":"S"}]}').hits
    assert (hit.published, hit.snippet) == ("3 hours ago", "S")


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (400, "Not enough credits", "quota"),
        (200, "Not enough credits", "quota"),
        (403, {"message": "Unauthorized."}, "auth"),
        (200, {"message": "Unauthorized."}, "auth"),
        (400, None, "bad-request"),
    ],
)
def test_a_gateway_s_error_is_read_as_its_own_is(status: int, error: object, kind: str) -> None:
    assert reading(json.dumps({"error": error}), status).status == kind
