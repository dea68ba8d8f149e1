"""What the backends with a model behind them send, and how DeepSeek's queries keep to their limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fanseek.contract import Asked, Request, Response, Row, SearchRequest
from fanseek.reading import read
from fanseek_backends import anthropic, deepseek, openai

HERE = Path(__file__).parent
MESSAGES = deepseek.Settings(mode="messages")


def body(request: Request) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(request.body)
    return whole


def asked(settings: deepseek.Settings | None = None, **wishes: Any) -> dict[str, Any]:
    search = SearchRequest(**{"query": "cats", "today": "2026-11-30", **wishes})
    return body(deepseek.build(search, settings or deepseek.Settings()))


def test_one_list_of_domains_is_sent_and_the_country() -> None:
    """Anthropic takes allowed or blocked domains, never both; OpenAI likewise."""
    both = SearchRequest(query="cats", include_domains=("a.test",), exclude_domains=("b.test",), region="gb")
    tool = body(anthropic.build(both, anthropic.Settings()))["tools"][0]
    assert (tool["allowed_domains"], "blocked_domains" in tool) == (["a.test"], False)
    assert tool["user_location"] == {"type": "approximate", "country": "GB"}
    only = SearchRequest(query="cats", exclude_domains=("b.test",))
    assert body(anthropic.build(only, anthropic.Settings()))["tools"][0]["blocked_domains"] == ["b.test"]
    assert body(openai.build(both, openai.Settings()))["tools"][0]["filters"] == {"allowed_domains": ["a.test"]}
    assert body(openai.build(only, openai.Settings()))["tools"][0]["filters"] == {"blocked_domains": ["b.test"]}


@pytest.mark.parametrize("module", [anthropic, openai, deepseek])
def test_model_and_address_are_settings(module: Any) -> None:
    """C23, C9-C11."""
    mode = {"mode": "messages"} if module is deepseek else {}
    own = module.Settings(model="other-1", base_url="https://a.test/x/v1/", key="canary-1", **mode)
    request = module.build(SearchRequest(query="cats"), own)
    assert body(request)["model"] == "other-1"
    assert request.url.startswith("https://a.test/x/")
    assert "/v1/v1" not in request.url
    assert request.credentialed


def test_what_costs_tokens_needs_to_be_turned_on() -> None:
    """DeepSeek costs tokens in mode messages only; the wishes it honours and its cap follow."""
    assert anthropic.BACKEND.costs_tokens
    assert openai.BACKEND.costs_tokens
    plain, model = (deepseek.BACKEND.set_by(own) for own in (deepseek.Settings(), MESSAGES))
    assert (plain.costs_tokens, model.costs_tokens) == (False, True)
    assert plain.cap_s < model.cap_s
    assert plain.operations["search"].filters.recency == "operator"
    assert model.operations["search"].filters.recency == "local"


def test_wishes_become_operators_within_128_characters() -> None:
    sent = asked(recency="week", language="de-AT", include_domains=("a.test", "b.test"), exclude_domains=("c.test",))
    assert sent["query"] == "cats site:a.test OR site:b.test after:2026-11-23 lang:de -site:c.test"
    assert sent["ori_question"] == "cats"
    assert asked() == {"query": "cats", "count": 8}


@pytest.mark.parametrize("length", [1, 100, 112, 127, 128, 129, 400])
def test_the_users_words_stay_whole_and_what_did_not_fit_is_told(length: int) -> None:
    search = SearchRequest(
        query=("词语" + " w" * 300)[:length].strip(),
        recency="day",
        language="en",
        today="2026-11-30",
        include_domains=tuple(f"host-{n}.example.test" for n in range(20)),
    )
    sent = body(deepseek.build(search, deepseek.Settings()))["query"]
    lost = deepseek.unmet(search)
    wording = deepseek.wording(search)
    assert wording.text == sent
    assert 1 <= len(sent) <= 128
    assert wording.cut == (len(search.query) > 128)
    assert sent.startswith(search.query[:128].rstrip()) or len(search.query) > 128
    assert len(wording.left_out) == 20 - sent.count("site:")
    assert ("after:" in sent) != ("recency" in lost)
    assert ("lang:" in sent) != ("language" in lost)


def test_a_paused_turn_goes_on_with_what_is_left_of_its_searches() -> None:
    """The answer's content is resent as it came; the searches allowed are never exceeded."""
    paused = Response(status=200, body=(HERE / "anthropic" / "pause_turn.json").read_bytes())
    first = anthropic.build(SearchRequest(query="cats"), anthropic.Settings(max_searches=3, key="canary-1"))
    second = anthropic.follow(paused, first)
    assert second is not None
    assert body(second)["messages"][1] == {"role": "assistant", "content": json.loads(paused.body)["content"]}
    assert body(second)["tools"][0]["max_uses"] == 1
    assert second.headers == first.headers
    assert anthropic.follow(paused, second) is None
    whole = Response(status=200, body=(HERE / "anthropic" / "ok_with_citations.json").read_bytes())
    assert anthropic.follow(whole, first) is None


def test_a_server_that_cannot_be_forced_is_asked_unforced() -> None:
    first = deepseek.build(SearchRequest(query="cats"), MESSAGES)
    refusal = Response(status=400, body=b'{"error":{"message":"tool_choice is not supported"}}')
    second = deepseek.follow(refusal, first)
    assert second is not None
    assert "tool_choice" not in body(second)
    assert deepseek.follow(refusal, second) is None


def test_the_model_of_deepseek_is_read_back() -> None:
    request = deepseek.build(SearchRequest(query="tidal & wave"), MESSAGES)
    seen = Asked(method="POST", target=request.url, body=request.body)
    mimic = deepseek.BACKEND.mimic
    assert mimic is not None
    assert mimic.asked(seen)[0] == "tidal & wave"
    reply = mimic.reply(seen, [Row(url="https://a.test/", title="A", snippet="of A")])
    reading = read(deepseek.BACKEND, deepseek.BACKEND.operations["search"], Response(status=200, body=reply.body))
    assert (reading.status, reading.answer, reading.citations) == ("ok", "of A", ("https://a.test/",))


def test_an_answer_comes_with_its_sources_only() -> None:
    """X29: text with citations; a model's words from memory are no answer."""
    for module, file in ((anthropic, "ok_with_citations.json"), (openai, "ok_with_sources.json")):
        response = Response(status=200, body=(HERE / module.BACKEND.name / file).read_bytes())
        reading = read(module.BACKEND, module.BACKEND.operations["search"], response)
        assert reading.answer
        assert "I'll search" not in reading.answer
        assert set(reading.citations) <= {hit.url for hit in reading.hits}
        assert len(reading.citations) == 2
    memory = Response(status=200, body=(HERE / "openai" / "no_search_performed.json").read_bytes())
    assert read(openai.BACKEND, openai.BACKEND.operations["search"], memory).answer is None


def test_blocks_of_the_tool_s_results_are_sources() -> None:
    """C9, C10: one parser for both; the title and the date of the page, and what the answer cites of it."""
    plain, cited = (
        [
            (hit.url, hit.title, hit.snippet, hit.published)
            for hit in read(
                backend,
                backend.operations["search"],
                Response(status=200, body=(HERE / backend.name / file).read_bytes()),
            ).hits
        ]
        for backend, file in (
            (deepseek.BACKEND, "messages_ok_no_citations.json"),
            (anthropic.BACKEND, "ok_with_citations.json"),
        )
    )
    assert plain == [
        ("https://energy.example.org/tidal", "Tidal turbines: ten-year review", None, "March 18, 2026"),
        ("https://lab.example.net/erosion", "Blade erosion", None, None),
    ]
    assert [row[0] for row in cited] == [
        "https://energy.example.org/tidal",
        "https://zh.example.cn/潮汐",
        "https://lab.example.net/erosion",
    ]
    assert cited[0][1:3] == (
        "Tidal turbines: ten-year review",
        "The array reached a capacity factor of 41 % in 2025",
    )
    assert cited[2][2] is None


def test_citations_are_sources_and_the_text_is_the_answer() -> None:
    """C11: the page that was cited, with the line that cites it; a page merely looked at comes behind."""
    text = "The array reached 41 % ([Tidal](https://a.test/?utm_source=openai))."
    cite = {"type": "url_citation", "url": "https://a.test/?utm_source=openai", "title": "Tidal"}
    looked = [{"type": "url", "url": "https://b.test/"}]
    output = [
        {"type": "web_search_call", "status": "completed", "action": {"type": "search", "sources": looked}},
        {"type": "message", "content": [{"type": "output_text", "text": text, "annotations": [cite]}]},
    ]
    whole = json.dumps({"status": "completed", "output": output}).encode()
    found = read(openai.BACKEND, openai.BACKEND.operations["search"], Response(status=200, body=whole))
    assert [(hit.url, hit.title, hit.snippet) for hit in found.hits] == [
        ("https://a.test/?utm_source=openai", "Tidal", "The array reached 41 %"),
        ("https://b.test/", None, None),
    ]
    assert found.answer == text
    assert found.citations == ("https://a.test/?utm_source=openai",)


def test_a_masked_key_is_not_passed_on() -> None:
    text = b'{"error":{"message":"key ****9f2c is odd","type":"x","code":null}}'
    for status in (200, 400, 401, 403, 429, 500):
        failure = deepseek.classify(Response(status=status, body=text))
        assert failure is not None
        assert "9f2c" not in msgspec.json.encode(failure).decode()


@pytest.mark.parametrize("before", ["", "\n\n", ": keep-alive\n\n: keep-alive\n", "\ufeff \r\n"])
def test_what_keeps_a_connection_alive_is_passed_over(before: str) -> None:
    """a.md 9c: blank lines and comments, also before plain JSON, in either mode."""
    for file, hits in (("tools_search_ok.json", 3), ("messages_ok_no_citations.json", 2)):
        body = before.encode() + (HERE / "deepseek" / file).read_bytes()
        reading = read(deepseek.BACKEND, deepseek.BACKEND.operations["search"], Response(status=200, body=body))
        assert (reading.status, len(reading.hits)) == ("ok", hits)


@pytest.mark.parametrize("reason", ["max_tokens", "model_context_window_exceeded"])
def test_an_answer_that_was_cut_says_so(reason: str) -> None:
    body = (HERE / "anthropic" / "ok_with_citations.json").read_bytes().replace(b"end_turn", reason.encode())
    reading = read(anthropic.BACKEND, anthropic.BACKEND.operations["search"], Response(status=200, body=body))
    assert reading.status == "ok"
    assert "cut" in reading.warnings[0]


def test_what_is_asked_of_a_model_is_bounded_and_must_search() -> None:
    """C9-C11: the whole body; nothing is stored, searches and tokens end."""
    search = SearchRequest(query="cats")
    asked_in_words = "Search the web for: cats\n\nThen answer in a few sentences, citing what you found."
    assert body(openai.build(search, openai.Settings(max_searches=4))) == {
        "model": "gpt-5-mini",
        "input": asked_in_words,
        "tools": [{"type": "web_search", "search_context_size": "low"}],
        "tool_choice": "required",
        "include": ["web_search_call.action.sources"],
        "max_output_tokens": 4096,
        "max_tool_calls": 4,
        "store": False,
        "reasoning": {"effort": "low"},
    }
    message = {
        "max_tokens": 2048,
        "messages": [{"role": "user", "content": asked_in_words}],
        "tools": [{"type": "web_search_20250305", "name": "web_search", "max_uses": 4}],
    }
    request = anthropic.build(search, anthropic.Settings(max_searches=4))
    assert body(request) == {"model": "claude-sonnet-4-6", **message}
    assert request.headers["anthropic-version"] == "2023-06-01"
    forced = deepseek.build(search, deepseek.Settings(mode="messages", max_searches=4))
    assert body(forced) == {
        "model": "deepseek-v4-flash",
        **message,
        "tool_choice": {"type": "tool", "name": "web_search"},
    }


@pytest.mark.parametrize(
    ("model", "reasons"),
    [("gpt-5-mini", True), ("gpt-6.1", True), ("o4-mini", True), ("gpt-5-chat-latest", False), ("gpt-4.1", False)],
)
def test_effort_is_asked_of_models_that_have_it(model: str, *, reasons: bool) -> None:
    whole = body(openai.build(SearchRequest(query="cats"), openai.Settings(model=model)))
    assert ("reasoning" in whole) is reasons


@pytest.mark.parametrize("given", ["", "/", "/v1", "/v1/", "/v1/messages", "/v1/responses", "/v1/messages/"])
def test_an_address_may_be_given_with_its_path(given: str) -> None:
    """a.md 9a: a path that stands there already is not said twice."""
    search = SearchRequest(query="cats")
    if "responses" not in given:
        sent = anthropic.build(search, anthropic.Settings(base_url=f"https://a.test{given}"))
        assert sent.url == "https://a.test/v1/messages"
    if "messages" not in given:
        sent = openai.build(search, openai.Settings(base_url=f"https://a.test{given}"))
        assert sent.url == "https://a.test/v1/responses"


@pytest.mark.parametrize(
    "given",
    ["", "/", "/v1", "/beta", "/beta/", "/anthropic", "/anthropic/v1", "/anthropic/v1/messages", "/v1/tools/search"],
)
def test_deepseek_s_address_may_be_that_of_any_of_its_apis(given: str) -> None:
    search, url = SearchRequest(query="cats"), f"https://a.test{given}"
    assert deepseek.build(search, deepseek.Settings(base_url=url)).url == "https://a.test/v1/tools/search"
    messages = deepseek.Settings(base_url=url, mode="messages")
    assert deepseek.build(search, messages).url == "https://a.test/anthropic/v1/messages"


def test_the_search_api_is_asked_within_its_bounds() -> None:
    """a.md 9a, BC-137."""
    assert [asked(limit=limit)["count"] for limit in (0, 7, 50, 52)] == [1, 7, 50, 50]
    long = asked(query="word " * 60)
    assert len(long["query"]) <= 128
    assert len(long["ori_question"]) <= 128
    dates = [asked(recency=span)["query"] for span in ("day", "week", "month", "year")]
    assert dates == [f"cats after:{day}" for day in ("2026-11-29", "2026-11-23", "2026-10-30", "2025-11-29")]
    assert asked(query="cats after:2020", recency="day")["query"] == "cats after:2020"
    full = [asked(query="x" * length, exclude_domains=("a.test", "b.test"))["query"] for length in range(90, 129)]
    assert all(len(query) <= 128 for query in full)
    assert any(len(query) == 128 for query in full)


def test_the_search_api_s_snippet_is_the_excerpt_and_its_date_the_page_s() -> None:
    def read_back(row: str) -> Any:
        sent = Response(status=200, body=b'{"results":[%b]}' % row.encode())
        return read(deepseek.BACKEND, deepseek.BACKEND.operations["search"], sent).hits[0]

    both = read_back('{"url":"https://a.test/","snippet":"S","summary":"L","date":"2026-03-18T00:00:00Z"}')
    assert (both.snippet, both.published) == ("S", "2026-03-18T00:00:00Z")
    assert read_back('{"url":"https://a.test/","snippet":"","summary":"L"}').snippet == "L"


def test_only_a_refusal_to_be_forced_is_answered_unforced() -> None:
    first = deepseek.build(SearchRequest(query="cats"), MESSAGES)
    for status in (400, 422):
        assert deepseek.follow(Response(status=status, body=b'{"error":"tool_choice"}'), first) is not None
        assert deepseek.follow(Response(status=status, body=b'{"error":"model"}'), first) is None
    assert deepseek.follow(Response(status=500, body=b'{"error":"tool_choice"}'), first) is None


def test_a_model_has_no_operators_whose_room_could_be_told() -> None:
    search = deepseek.BACKEND.set_by(MESSAGES).operations["search"]
    assert search.unmet is None
    assert search.most_results == 0


@pytest.mark.parametrize(
    ("include", "exclude", "anthropics", "openais"),
    [
        (("gov",), (), {}, {}),
        (("a.test", "co.uk"), (), {}, {}),
        (("gov",), ("a.test",), {"blocked_domains": ["a.test"]}, {"blocked_domains": ["a.test"]}),
        ((), ("ru", "a.test"), {"blocked_domains": ["a.test"]}, {"blocked_domains": ["a.test"]}),
        ((), ("ru",), {}, {}),
    ],
)
def test_an_ending_is_not_sent_where_only_hosts_are_known(
    include: tuple[str, ...], exclude: tuple[str, ...], anthropics: dict[str, Any], openais: dict[str, Any]
) -> None:
    """BC-171: `*.gov` is no host; a list with it would be refused whole, and its hosts without it are too few."""
    search = SearchRequest(query="cats", include_domains=include, exclude_domains=exclude)
    tool = body(anthropic.build(search, anthropic.Settings()))["tools"][0]
    assert {name: tool[name] for name in ("allowed_domains", "blocked_domains") if name in tool} == anthropics
    assert body(openai.build(search, openai.Settings()))["tools"][0].get("filters", {}) == openais
