"""Models that pause, over real sockets: the answer is asked for to its end, and what it may cost is bounded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import loopback
from fanseek import open_engine
from fanseek.types import SearchResult

HERE = Path(__file__).parent
PAUSED = (200, (HERE / "anthropic" / "pause_turn.json").read_bytes())
WHOLE = (200, (HERE / "anthropic" / "ok_with_citations.json").read_bytes())
UNFORCED = (400, b'{"error":{"message":"tool_choice is not supported","type":"invalid_request_error","code":null}}')
BUSY = (529, b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}')
MODELS = ("anthropic", "deepseek")


async def searched(
    name: str, replies: Sequence[tuple[int, bytes]], **more: Any
) -> tuple[SearchResult, list[loopback.Request]]:
    """The result of a search that got `replies`, the last one for ever, and the requests it made."""
    left = list(replies)

    def answer(_request: loopback.Request) -> bytes:
        status, body = left.pop(0) if len(left) > 1 else left[0]
        return loopback.response(body, status=status, headers=[("content-type", "application/json")])

    async with loopback.serve(loopback.responder(answer)) as server:
        settings = {f"{name}BaseURL": server.url, "proxy": "direct", "deepseekMode": "messages", **more}
        keys = {"ANTHROPIC_API_KEY": "canary-1", "DEEPSEEK_API_KEY": "canary-1"}
        async with open_engine(settings, environment=keys) as engine:
            result = await engine.search("tidal turbines", backends=[name])
        return result, server.requests


@pytest.mark.parametrize("name", MODELS)
async def test_a_paused_model_is_asked_to_go_on(name: str) -> None:
    """C9, C10, a.md 13 no. 9: its words are sent back as they came; nothing tells of the pause afterwards."""
    result, requests = await searched(name, [PAUSED, WHOLE])
    (outcome,) = result.outcomes
    assert (outcome.status, outcome.warnings, len(requests)) == ("ok", (), 2)
    first, second = (json.loads(request.body) for request in requests)
    assert second["messages"] == [
        *first["messages"],
        {"role": "assistant", "content": json.loads(PAUSED[1])["content"]},
    ]
    assert second["tools"][0]["max_uses"] == first["tools"][0]["max_uses"] - 2
    assert "tool_choice" not in second
    assert requests[1].headers[b"x-api-key"] == b"canary-1"
    assert outcome.hits > 2
    assert result.answers[0].citations


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("searches", "asked"), [(1, 1), (2, 1), (3, 2), (5, 3), (10, 4)])
async def test_a_model_that_pauses_for_ever_is_let_go(name: str, searches: int, asked: int) -> None:
    """What it costs ends: with the searches it may make, and after three requests more than the first."""
    result, requests = await searched(name, [PAUSED], **{f"{name}MaxSearches": searches})
    (outcome,) = result.outcomes
    assert len(requests) == asked
    assert (outcome.status, outcome.hits) == ("partial", 2)
    assert "paused" in outcome.warnings[0]


@pytest.mark.parametrize("name", MODELS)
async def test_what_was_found_before_a_failure_is_kept(name: str) -> None:
    result, requests = await searched(name, [PAUSED, BUSY])
    (outcome,) = result.outcomes
    assert (outcome.status, outcome.hits, len(requests)) == ("partial", 2, 2)
    assert "529" in outcome.warnings[0]


async def test_a_server_that_cannot_be_forced_to_search_is_asked_again() -> None:
    """a.md 9c."""
    result, requests = await searched("deepseek", [UNFORCED, WHOLE])
    assert (result.outcomes[0].status, result.outcomes[0].warnings, len(requests)) == ("ok", (), 2)
    assert ["tool_choice" in json.loads(request.body) for request in requests] == [True, False]
