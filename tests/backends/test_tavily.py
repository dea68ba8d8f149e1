"""What only Tavily does: an answer of its own, names of countries, keyless mode, errors that speak to models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fanseek.config.load import load
from fanseek.contract import Response, SearchRequest
from fanseek.reading import Reading, read
from fanseek.select.plan import lacks_key, usable
from fanseek_backends.tavily import BACKEND, Settings

SEARCH = BACKEND.operations["search"]
HERE = Path(__file__).parent / "tavily"


def fields(settings: Settings | None = None, **wishes: object) -> dict[str, Any]:
    request = SEARCH.build(SearchRequest(**{"query": "cats", **wishes}), settings or Settings())
    found: dict[str, Any] = json.loads(request.body)
    return found


def reading(body: bytes, status: int = 200) -> Reading:
    return read(BACKEND, SEARCH, Response(status=status, body=body))


def test_the_key_is_a_bearer_token() -> None:
    request = SEARCH.build(SearchRequest(query="cats"), Settings(key="canary-1"))
    assert (request.method, request.url) == ("POST", "https://api.tavily.com/search")
    assert request.headers["Authorization"] == "Bearer canary-1"
    assert "X-Tavily-Access-Mode" not in request.headers


def test_keyless_mode_is_asked_for_and_a_key_wins_over_it() -> None:
    """Off by itself; where it is on no key is needed, and none is sent."""
    assert not Settings().keyless
    assert lacks_key(BACKEND, Settings())
    own = load({"tavilyKeyless": True}).backends["tavily"]
    assert usable(BACKEND, own)
    assert not usable(BACKEND, Settings())
    request = SEARCH.build(SearchRequest(query="cats"), own)
    assert request.headers["X-Tavily-Access-Mode"] == "keyless"
    assert "Authorization" not in request.headers
    assert not request.credentialed
    keyed = SEARCH.build(SearchRequest(query="cats"), Settings(key="canary-1", keyless=True))
    assert "X-Tavily-Access-Mode" not in keyed.headers
    assert "X-Tavily-Access-Mode" not in SEARCH.build(SearchRequest(query="cats"), Settings()).headers
    assert keyed.credentialed


def test_pages_are_read_in_their_order() -> None:
    """C6."""
    found = reading((HERE / "search_ok.json").read_bytes())
    assert [(hit.url, hit.title, hit.snippet) for hit in found.hits] == [
        (
            "https://energy.example.org/tidal",
            "Tidal turbines: ten-year review",
            "The array reached a capacity factor of 41 %.",
        ),
        ("https://zh.example.cn/潮汐", "潮汐发电十年回顾", "机组容量系数达到 41%。"),
    ]


def test_the_depth_is_a_setting() -> None:
    """C6, N14."""
    assert fields()["search_depth"] == "basic"
    assert fields(load({"tavilySearchDepth": "advanced"}).backends["tavily"])["search_depth"] == "advanced"


def test_the_answer_is_asked_for_and_kept() -> None:
    """C6, X29."""
    assert fields()["include_answer"] is True
    assert fields()["include_published_date"] is True
    found = reading((HERE / "search_full.json").read_bytes())
    assert found.answer == "Capacity factor was 41 % [1]."
    assert found.status == "ok"
    alone = reading((HERE / "own_answer_only.json").read_bytes())
    assert (alone.status, alone.answer) == ("empty", "Forty-one percent.")


def test_dates_stay_as_they_came() -> None:
    first, second = reading((HERE / "search_news.json").read_bytes()).hits
    assert (first.published, second.published) == ("Mon, 30 Nov 2026 08:12:00 GMT", None)


@pytest.mark.parametrize(
    ("language", "region", "country", "spoken"),
    [
        ("", "gb", "united kingdom", None),
        ("", "UK", "united kingdom", None),
        ("zh-CN", "", "china", "zh"),
        ("de", "us", "united states", "de"),
        ("", "zz", None, None),
        ("", "", None, None),
        ("fil", "", None, None),
    ],
)
def test_a_country_goes_by_its_name(language: str, region: str, country: str | None, spoken: str | None) -> None:
    found = fields(language=language, region=region)
    assert (found.get("country"), found.get("language")) == (country, spoken)
    assert found.get("filter_by_language") is (True if spoken else None)
    assert found["topic"] == "general"


def test_wishes_become_fields() -> None:
    """G5, BC-143: two levels, moderate is on."""
    assert "time_range" not in fields()
    for span in ("day", "week", "month", "year"):
        assert fields(recency=span)["time_range"] == span
    assert [fields(safe_search=level)["safe_search"] for level in ("off", "moderate", "strict")] == [False, True, True]
    assert [fields(limit=limit)["max_results"] for limit in (0, 7, 52)] == [1, 7, 20]
    found = fields(include_domains=tuple(f"a{n}.test" for n in range(400)), exclude_domains=("b.test",))
    assert len(found["include_domains"]) == 300
    assert found["exclude_domains"] == ["b.test"]
    assert "include_domains" not in fields()
    assert len(fields(query="word " * 200)["query"]) <= 400


@pytest.mark.parametrize(
    ("query", "asked", "included", "excluded"),
    [
        ("cats site:a.test", "cats", ["a.test"], None),
        ("cats (site:a.test OR site:B.test)", "cats", ["a.test", "b.test"], None),
        ("cats -site:a.test", "cats", None, ["a.test"]),
        ("site:a.test cats -site:x.a.test dogs", "cats dogs", ["a.test"], ["x.a.test"]),
        ("site:a.test", "site:a.test", None, None),
        ("cats OR site:a.test", "cats OR site:a.test", None, None),
        ("cats OR dogs site:a.test site:b.test", "cats OR dogs site:a.test site:b.test", None, None),
        ('"cats site:a.test"', '"cats site:a.test"', None, None),
        ("cats site:a.test/path", "cats site:a.test/path", None, None),
        ("website:a.test", "website:a.test", None, None),
    ],
)
def test_site_words_become_domains(
    query: str, asked: str, included: list[str] | None, excluded: list[str] | None
) -> None:
    found = fields(query=query)
    assert (found["query"], found.get("include_domains"), found.get("exclude_domains")) == (asked, included, excluded)


@pytest.mark.parametrize("status", [200, 429, 403, 402])
def test_what_an_error_says_to_models_is_not_passed_on(status: int) -> None:
    """a.md §13 no. 4: `next_actions` are a vendor's instructions; the message is ours."""
    told = reading((HERE / "own_200_keyless_cap.json").read_bytes(), status)
    assert (told.status, told.retry_after) == ("rate-limit", 90)
    assert "CANARY" not in told.message
    assert "signup" not in told.message
    assert "tavilyApiKeyEnv" in told.message


def test_lists_of_domains_keep_to_their_bounds() -> None:
    many = tuple(f"s{number}.test" for number in range(400))
    found = fields(include_domains=many, exclude_domains=many)
    assert (len(found["include_domains"]), len(found["exclude_domains"])) == (300, 150)


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (432, "", "quota"),
        (433, "", "quota"),
        (433, '{"detail":{"error":"No."}}', "quota"),
        (429, '{"detail":{"error":"You reached your pay-as-you-go limit."}}', "quota"),
        (429, '{"detail":{"error":"This exceeds your plan\'s set usage limit."}}', "quota"),
        (429, '{"detail":"Too fast"}', "rate-limit"),
        (422, '{"detail":[{"loc":["body","query"],"msg":"field required","type":"missing"}]}', "bad-request"),
        (200, '{"detail":{"error":"Blocked due to excessive requests."}}', "rate-limit"),
        (200, '{"error":"Unauthorized: missing or invalid API key."}', "auth"),
        (200, '{"message":"Something broke."}', "server"),
        (200, '{"message":"All is well.","results":[{"url":"https://a.test/"}]}', "ok"),
        (200, '{"error":{"code":"other","message":"No."}}', "server"),
        (429, '{"error":{"code":"daily_cap_reached","message":"No."}}', "rate-limit"),
    ],
)
def test_an_error_is_read_in_each_of_its_forms(status: int, body: str, kind: str) -> None:
    """a.md 6c, BC-037."""
    assert reading(body.encode(), status).status == kind
