"""One backend asked: its addresses in turn, and an outcome whatever happens."""

from __future__ import annotations

import logging
from typing import Any

import anyio
import msgspec
import pytest

from fanseek.contract import Hit, Parsed, Request
from fanseek.errors import AllFailed
from fanseek.http.redact import Redactor
from scripted import answers, backend, fails, hangs, raises, says, stage


def with_addresses(name: str, *urls: str, cap_s: float = 6.0):
    def build(search, _own) -> Request:
        first, *others = (Request(url=f"{url}?q={search.query}") for url in urls)
        return Request(url=first.url, alternatives=tuple(others))

    return backend(name, build=build, cap_s=cap_s)


THREE = with_addresses("many", "https://x-one.test/", "https://x-two.test/", "https://x-three.test/")


async def asked(on, **more):
    """The outcome of one search of `many`."""
    try:
        result = await on.search("q", backends=["many"], **more)
    except AllFailed as problem:
        result = problem.result
    return result.outcomes[0]


async def test_addresses_are_tried_in_turn_until_one_answers():
    scripts = {"x-one": says(500), "x-two": answers("https://u.test/"), "x-three": answers()}
    async with stage(scripts, THREE) as on:
        outcome = await asked(on)
        assert outcome.status == "ok"
        assert [(attempt.origin, attempt.status) for attempt in outcome.attempts] == [
            ("https://x-one.test", "server"),
            ("https://x-two.test", "ok"),
        ]
        assert on.upstreams.asked("x-three") == 0


async def test_an_honest_empty_ends_the_turns():
    async with stage({"x-one": answers(), "x-two": answers("https://u.test/")}, THREE) as on:
        assert (await asked(on)).status == "empty"
        assert on.upstreams.asked("x-two") == 0


async def test_a_hanging_address_leaves_the_next_its_fair_share():
    scripts = {"x-one": hangs(), "x-two": hangs(), "x-three": answers("https://u.test/", after=1.5)}
    async with stage(scripts, THREE) as on:
        began = anyio.current_time()
        outcome = await asked(on)
        assert anyio.current_time() - began == pytest.approx(2 + 2 + 1.5)
        assert outcome.status == "ok"


async def test_all_hanging_share_one_cap():
    async with stage({"x-one": hangs(), "x-two": hangs(), "x-three": hangs()}, THREE) as on:
        began = anyio.current_time()
        outcome = await asked(on)
        assert anyio.current_time() - began == pytest.approx(6)
        assert outcome.status == "timeout"
        assert outcome.message.startswith('backend "many" timed out after 6000 ms')
        assert len(outcome.attempts) == 3


async def test_a_second_address_of_an_origin_is_not_tried_when_the_origin_is_unreachable():
    both = with_addresses("many", "https://x-one.test/json", "https://x-one.test/html", "https://x-two.test/")
    for kind in ("timeout", "network"):
        async with stage({"x-one": fails(kind), "x-two": answers("https://u.test/")}, both) as on:
            assert (await asked(on)).status == "ok"
            assert on.upstreams.asked("x-one") == 1


async def test_a_second_address_of_an_origin_is_tried_when_the_first_was_refused():
    both = with_addresses("many", "https://x-one.test/json", "https://x-one.test/html")

    async def script(request: Request):
        return await (says(403) if "json" in request.url else answers("https://u.test/"))(request)

    async with stage({"x-one": script}, both) as on:
        for _ in range(2):
            assert (await asked(on)).status == "ok"
        assert on.upstreams.asked("x-one") == 4


async def test_a_refusing_instance_is_left_alone_while_the_others_are_asked():
    scripts = {"x-one": says(403), "x-two": answers("https://u.test/")}
    async with stage(scripts, THREE) as on:
        first = await asked(on)
        assert first.status == "ok"
        second = await asked(on)
        assert on.upstreams.asked("x-one") == 1
        assert second.attempts[0].status == "skipped"
        assert "blocked" in second.attempts[0].message
        await anyio.sleep(901)
        await asked(on)
        assert on.upstreams.asked("x-one") == 2


async def test_when_every_instance_refuses_the_backend_rests_and_says_why():
    scripts = {"x-one": says(403), "x-two": says(429), "x-three": says(403), "well": answers("https://w.test/")}
    async with stage(scripts, THREE) as on:
        outcome = await asked(on)
        assert outcome.status == "rate-limit"
        assert outcome.retry_after_s == pytest.approx(60)
        assert "403" in outcome.message
        assert "429" in outcome.message
        again = await on.search("q2")
        assert {each.backend: each.status for each in again.outcomes}["many"] == "skipped"
        assert on.upstreams.asked("x-one") == 1


async def test_a_wrong_address_among_several_never_hides_that_the_others_are_down():
    scripts = {"x-one": says(404), "x-two": fails("network", "refused"), "x-three": fails("network", "refused")}
    async with stage(scripts, THREE) as on:
        outcome = await asked(on)
        assert outcome.status == "network"
        assert "404" in outcome.message
        assert on.engine.status()[0].failures == 1


async def test_m3_when_nobody_else_is_left_every_instance_is_asked_soonest_first():
    scripts = {"x-one": says(403), "x-two": says(429), "x-three": says(403)}
    async with stage(scripts, THREE) as on:
        await asked(on)
        before = len(on.upstreams.requests)
        await asked(on)
        hosts = [request.url.split("/")[2] for request in on.upstreams.requests[before:]]
        assert hosts == ["x-two.test", "x-one.test", "x-three.test"]


@pytest.mark.parametrize(
    "problem",
    [
        KeyError("k"),
        RecursionError(),
        AssertionError(),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "bad"),
        OSError("x"),
    ],
)
async def test_an_unexpected_error_is_that_backend_s_outcome(problem, caplog):
    async with stage({"a": raises(problem), "b": answers("https://b.test/")}) as on:
        result = await on.search("q")
    outcome = result.outcomes[0]
    assert outcome.status == "format"
    assert type(problem).__name__ in outcome.message
    assert result.sources
    assert any(record.levelno == logging.ERROR for record in caplog.records)


async def test_a_parser_s_bug_is_that_backend_s_outcome():
    def parse(_response):
        raise AttributeError("no such field")

    scripts = {"a": answers("https://a.test/"), "b": answers("https://b.test/")}
    async with stage(scripts, backend("a", parse=parse)) as on:
        result = await on.search("q")
    assert result.outcomes[0].status == "format"
    assert "AttributeError" in result.outcomes[0].message
    assert [source.url for source in result.sources] == ["https://b.test/"]


async def test_n11_no_message_event_or_log_holds_a_key(caplog):
    canary = "sk-canary-0123456789abcdef"
    scripts = {
        "a": fails("network", f"could not reach https://a.test/?key={canary}"),
        "b": raises(ValueError(canary)),
        "c": says(401, f"invalid key {canary}"),
        "x-one": says(500, canary),
        "x-two": fails("timeout", canary),
    }
    many = with_addresses("many", "https://x-one.test/", "https://x-two.test/")

    def broken(_search, _own):
        raise ValueError(canary)

    built = backend("built", build=broken)
    async with stage(scripts, many, built, clean=Redactor(canary).clean) as on:
        with pytest.raises(AllFailed) as caught:
            await on.search("q")
        seen = f"{caught.value} {caught.value.result.to_dict()} {on.events} {on.engine.status()} {caplog.text}"
    assert canary not in seen
    assert "redacted" in seen


class SpeechlessError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def gives(value: Any) -> Any:
    def function(*_given: Any) -> Any:
        if isinstance(value, BaseException):
            raise value
        return value

    return function


def found_by_odd(**fields: Any) -> Parsed:
    return Parsed(hits=(msgspec.structs.replace(Hit(url="https://odd.test/"), **fields),))


ODD: dict[str, tuple[dict[str, Any], dict[str, Any], str]] = {
    "a request that is none": ({"build": gives(None)}, {}, "server"),
    "words that raise while a request is built": ({"build": gives(SpeechlessError())}, {}, "bad-request"),
    "words that raise while an answer is read": ({"parse": gives(SpeechlessError())}, {}, "format"),
    "a group of problems": ({"parse": gives(ExceptionGroup("g", [KeyError("k")]))}, {}, "format"),
    "no end in sight": ({"parse": gives(RecursionError())}, {}, "format"),
    "nothing parsed": ({"parse": gives(None)}, {}, "format"),
    "no hits but None": ({"parse": gives(Parsed(hits=(None,)))}, {}, "format"),  # type: ignore[arg-type]
    "families that are none": ({"parse": gives(found_by_odd(families=(None, [])))}, {}, "ok"),
    "families that are None": ({"parse": gives(found_by_odd(families=None))}, {}, "ok"),
    "a title that is no text": ({"parse": gives(found_by_odd(title=["t"], snippet=5, published=5))}, {}, "ok"),
    "a class that is none": ({"classify": gives("server")}, {}, "format"),
    "reasons that are none": ({}, {"unmet": gives(None)}, "ok"),
    "reasons that raise": ({}, {"unmet": gives(KeyError("k"))}, "ok"),
    "a wording that is none": ({}, {"wording": gives(None)}, "ok"),
    "a wording that raises": ({}, {"wording": gives(KeyError("k"))}, "ok"),
    "a continuation that raises": ({}, {"follow": gives(KeyError("k"))}, "partial"),
    "a continuation that is none": ({}, {"follow": gives(5)}, "partial"),
}


@pytest.mark.parametrize("kind", ODD)
async def test_d5_whatever_a_backend_s_own_code_does_costs_its_outcome_alone(kind: str):
    """BC-029 and its kin: nothing is swallowed, and nobody else is hurt."""
    more, of_operation, status = ODD[kind]
    odd = backend("odd", **more)
    search = msgspec.structs.replace(odd.operations["search"], **of_operation)
    odd = msgspec.structs.replace(odd, operations={"search": search})
    scripts = {"odd": answers("https://odd.test/"), "good": answers("https://good.test/")}
    async with stage(scripts, odd) as on:
        result = await on.search("q", freshness="week", language="de")
    told = {outcome.backend: outcome for outcome in result.outcomes}
    assert (told["good"].status, told["odd"].status) == ("ok", status)
    assert bool(told["odd"].message or told["odd"].warnings) is (status != "ok")
    assert "https://good.test/" in {source.url for source in result.sources}
    assert "None" not in result.to_text().replace("NoneType", "")
