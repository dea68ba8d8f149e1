"""What is made of a query before it is asked, as callers see it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from fanseek.contract import Request
from fanseek.errors import UsageError
from scripted import answers, backend, stage
from virtual import virtual


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return virtual(request.param)


def asked(on: Any) -> list[str]:
    return [parse_qs(urlsplit(request.url).query)["q"][0] for request in on.upstreams.requests]


async def test_g2_query_rewritten_is_there_only_when_something_changed():
    async with stage({"a": answers("https://x.test/")}) as on:
        plain = (await on.search("rust")).to_dict()
        assert "queryRewritten" not in plain
        told = await on.search("请帮我搜索一下 rust")
        assert told.to_dict()["queryRewritten"] == "rust"
        assert told.to_dict()["query"] == "请帮我搜索一下 rust"
        assert asked(on) == ["rust", "rust"]
        assert 'searched for "rust"' in told.to_text()
        assert "queryRewritten" not in (await on.search("hi, what is rust", shape_query=False)).to_dict()
        assert asked(on)[-1] == "hi, what is rust"


@pytest.mark.parametrize("query", ["", "   \u3000\n", None, ["a"], 123, "\x00\x07", {}, b"q", True, "\u200b"])
async def test_bc_136_what_is_no_query_makes_no_request_and_is_told_apart(query):
    async with stage({"a": answers("https://x.test/")}) as on:
        with pytest.raises(UsageError, match="query") as caught:
            await on.search(query)
        assert caught.value.code == "INVALID_ARGUMENTS"
        assert on.upstreams.requests == []


async def test_bc_136_a_query_of_punctuation_may_be_asked():
    async with stage({"a": answers("https://x.test/")}) as on:
        await on.search("?")
        assert asked(on) == ["?"]


async def test_e10_deep_coverage_asks_for_more_and_returns_as_many_as_wanted():
    many = answers(*(f"https://{number}.test/" for number in range(40)))
    async with stage({"a": many}) as on:
        result = await on.search("q", max_results=8, deep=True)
        assert len(result.sources) == 8
        await on.search("q", max_results=8)
        wanted = [parse_qs(urlsplit(request.url).query)["n"] for request in on.upstreams.requests]
        assert wanted == [["12"], ["10"]]


async def test_bc_137_a_number_out_of_range_is_told_and_clamped():
    clamped = backend("a", build=lambda search, _own: Request(url=f"https://a.test/?q=q&n={min(search.limit, 10)}"))
    async with stage({"a": answers(*(f"https://{number}.test/" for number in range(10)))}, clamped) as on:
        result = await on.search("q", max_results=99999)
        assert len(result.sources) <= 8
        assert on.upstreams.requests[0].url.endswith("n=10")
        (note,) = result.notes
        assert "99999" in note.message
        assert "8" in note.message
