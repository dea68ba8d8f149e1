"""An answer in parts is asked for to its end, within a bound and the call's one cap."""

from __future__ import annotations

import anyio
import msgspec
import pytest

from fanseek.contract import Request, Response
from scripted import backend, body, says, stage


def on_and_on(response: Response, sent: Request) -> Request | None:
    return msgspec.structs.replace(sent, url=sent.url + "+") if response.headers.get("x-more") else None


def in_parts(cap_s: float = 6.0):
    plain = backend("parts", cap_s=cap_s)
    operation = msgspec.structs.replace(plain.operations["search"], follow=on_and_on)
    return msgspec.structs.replace(plain, operations={"search": operation})


def part(*urls: str) -> Response:
    return msgspec.structs.replace(body(*urls), headers={"content-type": "application/json", "x-more": "1"})


async def test_parts_are_joined():
    async def script(request: Request) -> Response:
        return body("https://b.test/", "https://a.test/") if request.url.endswith("+") else part("https://a.test/")

    async with stage({"parts": script}, in_parts()) as on:
        result = await on.search("q")
        assert (result.outcomes[0].status, result.outcomes[0].hits) == ("ok", 2)
        assert on.upstreams.asked("parts") == 2


async def test_at_most_three_continuations():
    async def script(request: Request) -> Response:
        return part(f"https://{request.url.count('+')}.test/")

    async with stage({"parts": script}, in_parts()) as on:
        result = await on.search("q")
        assert on.upstreams.asked("parts") == 4
        assert result.outcomes[0].hits == 4


@pytest.mark.parametrize("end", ["slow", "failing"])
async def test_what_came_before_a_failed_part_is_kept_within_one_cap(end: str):
    async def script(request: Request) -> Response:
        if not request.url.endswith("+"):
            await anyio.sleep(4)
            return part("https://a.test/")
        return await says(500, after=100 if end == "slow" else 0)(request)

    async with stage({"parts": script}, in_parts()) as on:
        began = anyio.current_time()
        result = await on.search("q")
        assert anyio.current_time() - began <= 6.01
        assert (result.outcomes[0].status, result.outcomes[0].hits) == ("partial", 1)
        assert "missing" in result.outcomes[0].warnings[0]
