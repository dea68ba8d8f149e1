"""What only Brave does: its own codes, goggles, a query of 50 words, a bad key as 422, windows of rates."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.reading import Reading, read
from fanseek_backends.brave import BACKEND, Settings

SEARCH = BACKEND.operations["search"]
HERE = Path(__file__).parent / "brave"


def fields(**wishes: object) -> dict[str, str]:
    request = SEARCH.build(SearchRequest(**{"query": "cats", **wishes}), Settings())
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def reading(file: str) -> Reading:
    return read(BACKEND, SEARCH, Response(status=200, body=(HERE / file).read_bytes()))


def test_the_key_travels_in_brave_s_own_header() -> None:
    """C5."""
    request = SEARCH.build(SearchRequest(query="cats"), Settings(key="canary-1"))
    assert request.url.startswith("https://api.search.brave.com/res/v1/web/search?q=cats&")
    assert request.headers["X-Subscription-Token"] == "canary-1"
    assert request.credentialed


@pytest.mark.parametrize(
    ("language", "region", "spelled", "country"),
    [
        ("en", "", "en", "ALL"),
        ("en-GB", "", "en-gb", "GB"),
        ("en", "uk", "en-gb", "GB"),
        ("zh-CN", "", "zh-hans", "CN"),
        ("zh", "", "zh-hans", "ALL"),
        ("zh-TW", "", "zh-hant", "TW"),
        ("zh-Hant", "", "zh-hant", "ALL"),
        ("zh-Hans", "hk", "zh-hans", "HK"),
        ("ja", "", "jp", "ALL"),
        ("ja-JP", "", "jp", "JP"),
        ("pt", "", "pt-br", "ALL"),
        ("pt-PT", "", "pt-pt", "PT"),
        ("no", "", "nb", "ALL"),
        ("nn-NO", "", "nb", "NO"),
        ("ga-IE", "", "", "ALL"),
        ("", "jp", "", "JP"),
        ("", "", "", "ALL"),
        ("jp", "", "", "ALL"),
    ],
)
def test_languages_and_countries_are_brave_s_own(language: str, region: str, spelled: str, country: str) -> None:
    """G11: a value outside its list would be refused; a country not wished for is not the United States."""
    found = fields(language=language, region=region)
    assert (found.get("search_lang", ""), found["country"]) == (spelled, country)


def test_wishes_become_parameters() -> None:
    """G5, BC-143: moderate is sent too."""
    assert "freshness" not in fields()
    assert [fields(recency=span)["freshness"] for span in ("day", "week", "month", "year")] == ["pd", "pw", "pm", "py"]
    assert [fields(safe_search=level)["safesearch"] for level in ("off", "moderate", "strict")] == [
        "off",
        "moderate",
        "strict",
    ]
    assert fields()["text_decorations"] == "false"
    assert fields()["result_filter"] == "web"
    assert [fields(limit=limit)["count"] for limit in (0, 7, 20, 52)] == ["1", "7", "20", "20"]


def test_domains_become_a_goggle_and_leave_the_query_alone() -> None:
    found = fields(include_domains=("a.test", "b.test"), exclude_domains=("c.a.test",))
    assert found["q"] == "cats"
    assert found["goggles"].splitlines() == ["$discard", "$site=a.test", "$site=b.test", "$discard,site=c.a.test"]
    assert fields(exclude_domains=("c.test",))["goggles"] == "$discard,site=c.test"
    assert "goggles" not in fields()


@pytest.mark.parametrize("suffix", ["gov", "cn", "co.uk", "com.cn", "gov.uk"])
def test_a_suffix_is_asked_for_by_operator(suffix: str) -> None:
    """BC-171: a suffix is many sites."""
    found = fields(include_domains=(suffix,), exclude_domains=("b.test",))
    assert found["q"] == f"cats site:{suffix} -site:b.test"
    assert "goggles" not in found


@pytest.mark.parametrize(
    "query",
    ["word " * 80, "w " * 60 + 'site:a.test "kept phrase"', "x" * 500, "潮" * 450, '"' + "a b " * 40 + '"'],
)
def test_a_long_query_fits_and_keeps_what_matters(query: str) -> None:
    for wishes in ({}, {"include_domains": ("gov",), "exclude_domains": tuple(f"s{n}.test" for n in range(80))}):
        asked = fields(query=query, **wishes)["q"]
        assert len(asked) <= 400
        assert len(asked.split()) <= 50
        assert asked.count('"') % 2 == 0
        assert ("site:a.test" in asked) == ("site:a.test" in query)
        assert ("kept phrase" in asked) == ("kept phrase" in query)


def test_markup_of_texts_is_resolved_once() -> None:
    hit = reading("web_strong_entities.json").hits[0]
    assert hit.title == "Tidal & wave 'power'"
    assert hit.snippet == "A tidal array <41 %> & more."


def test_snippet_and_date_are_the_fullest_there_are() -> None:
    first, second = reading("web_ok.json").hits
    assert first.snippet == (
        "The array reached a capacity factor of 41 %.\nMaintenance intervals were extended.\nCosts fell by a third."
    )
    assert (first.published, second.published) == ("2026-03-18T00:00:00", "3 days ago")
    assert reading("own_web_extra_only.json").hits[0].snippet == "one\ntwo"


def test_a_refused_key_names_its_setting() -> None:
    told = read(BACKEND, SEARCH, Response(status=422, body=(HERE / "err_422_token.json").read_bytes()))
    assert "braveApiKeyEnv" in told.message
    assert "SUBSCRIPTION_TOKEN_INVALID" in told.message


@pytest.mark.parametrize(
    ("limit", "remaining", "status", "wait"),
    [
        ("1, 15000", "0, 14000", "rate-limit", 2.0),
        ("1, 15000", "1, 0", "quota", None),
        ("1, 15000", "0, 0", "quota", None),
        ("50, 0", "0, 0", "rate-limit", 2.0),
        ("50, 0", "1, 0", "rate-limit", None),
    ],
)
def test_the_windows_of_rates_tell_a_busy_second_from_a_used_up_month(
    limit: str, remaining: str, status: str, wait: float | None
) -> None:
    """a.md 5: lists by window; a limit of 0 is none; the wait is the reset of the window that is full."""
    headers = {
        "x-ratelimit-limit": limit,
        "x-ratelimit-policy": "1;w=1, 15000;w=2592000",
        "x-ratelimit-remaining": remaining,
        "x-ratelimit-reset": "2, 1419704",
    }
    body = b'{"type":"ErrorResponse","error":{"code":"RATE_LIMITED"}}'
    told = read(BACKEND, SEARCH, Response(status=429, headers=headers, body=body))
    assert (told.status, told.retry_after) == (status, wait)


@pytest.mark.parametrize(
    ("status", "error", "kind"),
    [
        (200, '{"status":429}', "rate-limit"),
        (200, '{"status":422}', "bad-request"),
        (200, '{"code":"RATE_LIMITED"}', "rate-limit"),
        (200, '{"code":"QUOTA_LIMITED","status":429}', "quota"),
        (200, "null", "server"),
        (400, '{"code":"RESOURCE_NOT_ALLOWED"}', "auth"),
        (400, '{"code":"OPTION_NOT_IN_PLAN"}', "auth"),
        (404, '{"code":"SUBSCRIPTION_NOT_FOUND"}', "auth"),
        (404, '{"code":"API_VERSION_NOT_FOUND"}', "bad-request"),
        (422, '{"code":"SUBSCRIPTION_TOKEN_INVALID"}', "auth"),
        (429, '{"code":"RATE_LIMITED","meta":{"quota_limit":0,"quota_current":7}}', "rate-limit"),
        (500, '{"code":"RATE_LIMITED","meta":{"quota_limit":5,"quota_current":5}}', "quota"),
        (500, '{"code":"VALIDATION","meta":{"errors":[{"loc":["query","q"]}]}}', "bad-request"),
        (422, '{"code":"VALIDATION","meta":{"errors":[{"loc":["HEADER","X-Subscription-Token"]}]}}', "auth"),
        (422, '{"code":"VALIDATION","meta":{"quota_limit":5,"quota_current":5}}', "bad-request"),
        (503, '{"code":"SOMETHING_NEW","meta":{"quota_limit":5,"quota_current":5}}', "server"),
    ],
)
def test_an_error_is_read_by_its_code_then_by_its_status(status: int, error: str, kind: str) -> None:
    """a.md 5, whatever the HTTP status; an error body is never an answer."""
    body = f'{{"type":"ErrorResponse","error":{error}}}'.encode()
    assert read(BACKEND, SEARCH, Response(status=status, body=body)).status == kind
