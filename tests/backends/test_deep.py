"""E10, C25: what deep coverage changes in the requests of backends, and that nothing of it is sent without."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from fanseek import registry
from fanseek.contract import SearchRequest
from fanseek.engine import open_engine
from fanseek.sandbox import Sandbox
from fanseek_backends import exa, searxng, tavily
from fanseek_backends._exa_category import category

PLAIN = {
    "rust http server github": "github",
    "open source project for note taking": "github",
    "arxiv attention is all you need": "publication",
    "research papers on sleep": "publication",
    "大模型 论文": "publication",
    "latest news about Ghana": "news",
    "breaking news": "news",
    "北京 新闻": "news",
}
DOUBTFUL = [
    "rust async runtime",
    "hacker news clone",
    "newspaper design",
    "paper planes",
    "git hub cap",
    "github site:github.com",
    "news about arxiv",
    "research",
    "fake news detection",
]


def deep(query: str = "tides", **more: Any) -> SearchRequest:
    return SearchRequest(query=query, deep=True, **more)


@pytest.mark.parametrize(("query", "name"), PLAIN.items())
def test_c25_a_plain_category_is_sent_under_deep_coverage(query: str, name: str) -> None:
    assert category(query) == name
    call = exa.build(deep(query, limit=12, include_domains=("a.test",)), exa.Settings())
    assert call.tool == "web_search_advanced_exa"
    assert call.url == "https://mcp.exa.ai/mcp?tools=web_search_advanced_exa"
    assert call.arguments == {
        "query": query,
        "numResults": 12,
        "category": name,
        "enableHighlights": True,
        "includeDomains": ["a.test"],
    }


@pytest.mark.parametrize("query", DOUBTFUL)
def test_c25_where_there_is_doubt_none_is(query: str) -> None:
    assert category(query) == ""
    assert exa.build(deep(query), exa.Settings()).tool == "web_search_exa"


@pytest.mark.parametrize("query", PLAIN)
def test_c25_without_deep_coverage_none_is_ever_sent(query: str) -> None:
    call = exa.build(SearchRequest(query=query), exa.Settings())
    assert (call.tool, "category" in call.arguments) == ("web_search_exa", False)
    assert "category" not in json.dumps(call.arguments)


def test_c25_an_address_that_names_other_tools_is_not_asked_for_that_one() -> None:
    own = exa.Settings(base_url="https://own.test/mcp?tools=web_search_exa")
    assert exa.build(deep("breaking news"), own).tool == "web_search_exa"
    both = exa.Settings(base_url="https://own.test/mcp?tools=web_search_exa,web_search_advanced_exa")
    assert exa.build(deep("breaking news"), both).url == both.base_url


def test_e10_tavily_is_asked_for_its_advanced_search() -> None:
    def depth(search: SearchRequest, **own: Any) -> str:
        return json.loads(tavily.build(search, tavily.Settings(**own)).body)["search_depth"]

    assert depth(deep()) == "advanced"
    assert depth(SearchRequest(query="tides")) == "basic"
    assert depth(SearchRequest(query="tides"), search_depth="advanced") == "advanced"


def test_e10_searxng_is_asked_for_three_categories() -> None:
    def fields(search: SearchRequest) -> dict[str, list[str]]:
        return parse_qs(urlsplit(searxng.build(search, searxng.Settings()).url).query)

    assert fields(deep())["categories"] == ["general,news,it"]
    assert "categories" not in fields(SearchRequest(query="tides"))


@pytest.mark.parametrize("backend", registry.backends().values(), ids=lambda backend: backend.name)
def test_bc_137_no_backend_is_asked_for_more_than_it_gives(backend: Any) -> None:
    operation = backend.operations["search"]
    for limit in (0, 1, 75, 10_000):
        request = operation.build(SearchRequest(query="q", limit=limit, deep=True), backend.settings())
        sent = json.dumps(request.arguments) if hasattr(request, "arguments") else request.url + request.body.decode()
        assert str(10_000) not in sent
        if operation.most_results and limit > operation.most_results:
            assert str(operation.most_results) in sent


async def test_e10_over_real_sockets_all_eleven_are_asked_deeper_and_the_list_is_cut_to_what_was_wanted() -> None:
    async with (
        Sandbox(results=40, overlap=0.2) as box,
        open_engine(box.settings(), environment=box.environment) as engine,
    ):
        plain = await engine.search("breaking news", max_results=8)
        calm = {name: box.log[name].count for name in engine.backends}
        result = await engine.search("breaking news", max_results=8, deep=True)
        assert {outcome.status for outcome in result.outcomes} == {"ok"}
        assert len(result.sources) == len(plain.sources) == 8
        assert result.total > plain.total
        asked = {name: [one.target + one.body.decode() for one in box.log[name]] for name in engine.backends}
        assert not [name for name, sent in asked.items() if "advanced" in "".join(sent[: calm[name]])]
        assert '"numResults":12' in asked["exa"][-1].replace(" ", "")
        assert "web_search_advanced_exa" in asked["exa"][-1]
        assert "categories=general" in asked["searxng"][-1]
        assert '"advanced"' in asked["tavily"][-1]
        assert "count=12" in asked["brave"][-1]
