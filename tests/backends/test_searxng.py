"""What only these instances do: several in turn, JSON that is switched off, engines that fail, families."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.reading import Reading, read
from fanseek_backends._searx_families import family_of
from fanseek_backends.searxng import BACKEND, INSTANCES, Settings

SEARCH = BACKEND.operations["search"]
HERE = Path(__file__).parent / "searxng"


def reading(body: bytes | str, status: int = 200, content_type: str = "application/json") -> Reading:
    body = body.encode() if isinstance(body, str) else body
    return read(BACKEND, SEARCH, Response(status=status, headers={"content-type": content_type}, body=body))


def fields(settings: Settings | None = None, **wishes: object) -> dict[str, str]:
    request = SEARCH.build(SearchRequest(**{"query": "cats", **wishes}), settings or Settings())
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def test_public_instances_are_asked_in_turn_json_first() -> None:
    """X28: JSON, then the page of the same instance, then the next one."""
    request = SEARCH.build(SearchRequest(query="cats"), Settings())
    urls = [one.url for one in (request, *request.alternatives)]
    assert [urlsplit(url).hostname for url in urls[::2]] == [urlsplit(one).hostname for one in INSTANCES]
    assert ["format=json" in url for url in urls] == [True, False] * 3
    assert all(url.startswith(f"{instance}/search?") for instance, url in zip(INSTANCES, urls[::2], strict=True))
    assert "text/html" in request.headers["Accept"]
    assert request.headers["Accept-Language"]
    assert "user-agent" not in {name.lower() for name in request.headers}


def test_configured_instances_take_their_place() -> None:
    """C4, C23: one or a comma list, with or without a path or a slash at the end."""
    request = SEARCH.build(
        SearchRequest(query="cats"), Settings(base_url="http://a.test:8888/, https://b.test/sx/search")
    )
    urls = [one.url.partition("?")[0] for one in (request, *request.alternatives)]
    assert urls == ["http://a.test:8888/search"] * 2 + ["https://b.test/sx/search"] * 2


def test_a_token_goes_to_configured_instances_only() -> None:
    own = SEARCH.build(SearchRequest(query="cats"), Settings(base_url="https://a.test", key="canary-1"))
    assert {one.headers["Authorization"] for one in (own, *own.alternatives)} == {"Bearer canary-1"}
    assert all(one.credentialed for one in (own, *own.alternatives))
    public = SEARCH.build(SearchRequest(query="cats"), Settings(key="canary-1"))
    assert not [one for one in (public, *public.alternatives) if "canary-1" in str(one)]


@pytest.mark.parametrize(
    ("language", "sent"),
    [
        ("zh-CN", "zh-CN"),
        ("en-GB", "en-GB"),
        ("pt-BR", "pt-BR"),
        ("zh-TW", "zh-TW"),
        ("zh-Hant-HK", "zh-HK"),
        ("ja", "ja"),
        ("zh_CN", "zh-CN"),
        ("ZH-cn", "zh-CN"),
        ("xx-YY", "all"),
        ("cn-zh", "zh-CN"),
        ("zh-Hans", "zh"),
        ("zh-Hans-CN", "zh-CN"),
        ("fil", "fil"),
        ("es-419", "es"),
        ("", "all"),
    ],
)
def test_a_language_is_one_the_instance_takes(language: str, sent: str) -> None:
    """BC-141: zh-Hans would be a 400."""
    assert fields(language=language)["language"] == sent


def test_wishes_become_parameters() -> None:
    """BC-143."""
    assert [fields(safe_search=level)["safesearch"] for level in ("off", "moderate", "strict")] == ["0", "1", "2"]
    assert [fields(recency=span)["time_range"] for span in ("day", "week", "month", "year")] == [
        "day",
        "week",
        "month",
        "year",
    ]
    assert "time_range" not in fields()
    assert fields(language="en", region="gb")["language"] == "en-GB"
    assert fields(include_domains=("a.test",), exclude_domains=("b.test",))["q"] == "cats site:a.test -site:b.test"


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("!bing cats", '"!bing" cats'),
        (":fr cats", '":fr" cats'),
        ("<3 cats", '"<3" cats'),
        ("!! cats", '"!!" cats'),
        ("cats :de", 'cats ":de"'),
        ("C++: a guide!", "C++: a guide!"),
        ("why cats ?", "why cats ?"),
    ],
)
def test_a_command_is_searched_for_not_obeyed(query: str, asked: str) -> None:
    assert fields(query=query)["q"] == asked


@pytest.mark.parametrize(
    ("status", "content_type", "body"),
    [
        (403, "text/html", "<h1>Forbidden</h1>"),
        (200, "text/html", "<!doctype html><html>…</html>"),
        (403, "application/json", "{}"),
    ],
)
def test_json_that_is_switched_off_names_the_setting_and_other_instances(
    status: int, content_type: str, body: str
) -> None:
    """BC-146, C4, X28: the commonest fault of all is told by its name."""
    found = reading(body, status, content_type)
    assert found.status in ("auth", "format")
    assert "search.formats" in found.message
    assert "json" in found.message
    assert all(instance in found.message for instance in INSTANCES)


def test_an_engine_that_failed_is_a_warning_beside_results() -> None:
    """BC-023."""
    found = reading((HERE / "own_some_unresponsive.json").read_bytes())
    assert (found.status, len(found.hits)) == ("ok", 1)
    assert any("engineb" in warning and "timeout" in warning for warning in found.warnings)


def test_results_carry_the_families_of_their_engines() -> None:
    found = reading((HERE / "ok_2026.json").read_bytes())
    assert [hit.families for hit in found.hits] == [("bing", "brave"), ("bing",), ("wikimedia",)]
    assert family_of("Startpage news") == "google"
    assert family_of("wikicommons.images") == "wikimedia"
    assert family_of("stract") == "stract"


@pytest.mark.parametrize(
    ("answers", "text"),
    [
        (["4"], "4"),
        ([{"answer": "42", "url": None}], "42"),
        (
            [{"template": "answer/translations.html", "translations": [{"text": "tide"}, {"text": "flow"}]}],
            "tide\nflow",
        ),
        ([{"template": "answer/weather.html", "current": {}, "forecasts": []}], None),
        ([None, 5, ["x"], {"answer": 7}, {"translations": "x"}], None),
        ({"0": "x"}, None),
        (None, None),
    ],
)
def test_answers_of_every_shape_are_read(answers: object, text: str | None) -> None:
    body = json.dumps({"results": [], "answers": answers})
    assert reading(body).answer == text
    assert reading(body).status == "empty"


def test_a_placeholder_is_no_snippet() -> None:
    """BC-101."""
    found = reading((HERE / "own_html_ok.html").read_bytes(), content_type="text/html")
    assert [(hit.title, hit.snippet) for hit in found.hits] == [
        ("Tidal turbines & waves", "A tidal array."),
        ("潮汐发电", None),
    ]
    assert [hit.families for hit in found.hits] == [("bing", "google"), ("brave",)]
