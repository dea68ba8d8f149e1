"""An answer in parts is asked for to its end, within a bound and the call's one cap."""

from __future__ import annotations

from typing import Any

import anyio
import msgspec
import pytest

from fanseek.contract import Hit, Request, Response
from fanseek.fanout.continuation import joined
from fanseek.reading import Reading
from scripted import backend, body, says, stage


def on_and_on(response: Response, sent: Request) -> Request | None:
    return msgspec.structs.replace(sent, url=sent.url + "+") if response.headers.get("x-more") else None


def in_parts(cap_s: float = 6.0):
    plain = backend("parts", cap_s=cap_s)
    operation = msgspec.structs.replace(plain.operations["search"], follow=on_and_on)
    return msgspec.structs.replace(plain, operations={"search": operation})


def part(*urls: str) -> Response:
    return msgspec.structs.replace(body(*urls), headers={"content-type": "application/json", "x-more": "1"})


def reading(status: str, *urls: str, **more: Any) -> Reading:
    return Reading(status=status, hits=tuple(Hit(url=url) for url in urls), **more)


PAUSED = {"warnings": ("lost one", "paused"), "unfinished": "paused"}


def test_what_a_part_could_not_deliver_is_still_told():
    """A pause is settled by the part that follows; a search that failed before it is not."""
    whole = joined([reading("partial", "https://a.test/", **PAUSED), reading("ok", "https://b.test/")])
    assert (whole.status, whole.warnings, len(whole.hits)) == ("partial", ("lost one",), 2)
    settled = joined([reading("partial", "https://a.test/", warnings=("paused",), unfinished="paused"), reading("ok")])
    assert (settled.status, settled.warnings) == ("ok", ())
    still = joined([reading("ok", "https://a.test/"), reading("partial", "https://b.test/", **PAUSED)])
    assert (still.status, still.warnings) == ("partial", ("lost one", "paused"))


def test_answers_and_citations_of_all_parts_are_kept_in_order():
    parts = [reading("ok", "https://a.test/", answer="One.", citations=("https://a.test/",))]
    parts += [reading("ok"), reading("ok", "https://b.test/", answer="Two.", citations=("https://b.test/",))]
    whole = joined(parts)
    assert (whole.answer, whole.citations) == ("One.\n\nTwo.", ("https://a.test/", "https://b.test/"))


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
