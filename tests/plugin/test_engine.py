"""The engine as its callers see it, over scripted backends in virtual time."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from fanseek.contract import Docs, KeyedSettings
from fanseek.engine import open_engine
from fanseek.errors import AllFailed, ConfigError, NothingUsable, UsageError
from fanseek.telemetry import BreakerClosed, BreakerOpened, CallEnded, CallStarted, SearchEnded, SearchStarted
from scripted import answers, backend, fails, hangs, says, stage
from virtual import virtual


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    return virtual(request.param)


async def statuses(on, **more) -> dict[str, str]:
    try:
        result = await on.search("q", **more)
    except AllFailed as problem:
        result = problem.result
    return {outcome.backend: outcome.status for outcome in result.outcomes}


async def test_m1_after_three_failures_the_fourth_search_makes_no_call():
    async with stage({"bad": fails("server"), "good": answers("https://g.test/")}) as on:
        for _ in range(3):
            assert await statuses(on) == {"bad": "server", "good": "ok"}
        assert await statuses(on) == {"bad": "skipped", "good": "ok"}
        assert on.upstreams.asked("bad") == 3


async def test_m2_one_success_resets():
    async with stage({"bad": fails("server"), "good": answers("https://g.test/")}) as on:
        for _ in range(2):
            await statuses(on)
        on.upstreams.scripts["bad"] = answers()
        await statuses(on)
        assert on.engine.status()[0].failures == 0
        assert on.engine.status()[0].state == "healthy"
        on.upstreams.scripts["bad"] = fails("server")
        for _ in range(3):
            await statuses(on)
        assert on.upstreams.asked("bad") == 6


async def test_m3_when_every_candidate_cools_all_are_called():
    async with stage({"a": fails("blocked"), "b": fails("network")}) as on:
        for _ in range(3):
            await statuses(on)
        assert {status.state for status in on.engine.status()} == {"cooling"}
        assert (on.upstreams.asked("a"), on.upstreams.asked("b")) == (1, 3)
        assert await statuses(on) == {"a": "blocked", "b": "network"}
        assert (on.upstreams.asked("a"), on.upstreams.asked("b")) == (2, 4)


async def test_m4_no_cooldown_never_skips():
    async with stage({"bad": fails("blocked"), "good": answers()}, breaker_cooldown_ms=0) as on:
        for _ in range(6):
            assert (await statuses(on))["bad"] == "blocked"


async def test_m4_switched_off_the_breaker_never_skips():
    async with stage({"bad": fails("blocked"), "good": answers()}, breaker_enabled=False) as on:
        for _ in range(6):
            assert (await statuses(on))["bad"] == "blocked"


async def test_m5_after_the_cooldown_one_failure_reopens_and_one_success_closes():
    async with stage({"bad": fails("server"), "good": answers()}) as on:
        for _ in range(3):
            await statuses(on)
        await anyio.sleep(60)
        assert on.engine.status()[0].state == "degraded"
        assert (await statuses(on))["bad"] == "server"
        assert (await statuses(on))["bad"] == "skipped"
        await anyio.sleep(60)
        on.upstreams.scripts["bad"] = answers()
        assert (await statuses(on))["bad"] == "empty"
        assert (await statuses(on))["bad"] == "empty"
        assert [type(event) for event in on.events if isinstance(event, BreakerOpened | BreakerClosed)] == [
            BreakerOpened,
            BreakerOpened,
            BreakerClosed,
        ]


async def test_hf4_four_parallel_queries_in_one_outage_are_one_failure():
    async with stage({"bad": fails("network", after=0.1), "good": answers()}) as on:
        async with anyio.create_task_group() as group:
            for number in range(4):
                group.start_soon(on.search, f"q{number}")
        assert on.upstreams.asked("bad") == 4
        assert on.engine.status()[0].failures == 1


async def test_d7_five_cancelled_searches_leave_the_breaker_closed():
    async with stage({"slow": hangs()}) as on:
        for _ in range(5):
            with anyio.move_on_after(0.2):
                await on.search("q")
        assert on.engine.status()[0].failures == 0


async def test_d6_with_a_budget_of_a_second_a_slow_backend_is_cut_and_the_reply_is_partial():
    """D6: by the deadline, one outcome for each, none twice; that it is not cached is test_recall's BC-063."""
    async with stage({"fast": answers("https://f.test/", after=0.1), "slow": hangs(cleanup=5)}) as on:
        began = anyio.current_time()
        result = await on.search("q", deadline_ms=1000)
        assert anyio.current_time() - began == pytest.approx(1.0, abs=0.01)
        assert (result.status, len(result.sources)) == ("partial", 1)
        assert [(outcome.backend, outcome.status) for outcome in result.outcomes] == [
            ("fast", "ok"),
            ("slow", "timeout"),
        ]


async def test_d6_what_the_disk_takes_is_of_the_budget_too(monkeypatch: pytest.MonkeyPatch):
    async with stage({"fast": answers("https://f.test/"), "slow": hangs(cleanup=5)}) as on:
        refresh = on.engine.breaker.refresh

        async def slowly() -> None:
            await anyio.sleep(0.04)
            await refresh()

        monkeypatch.setattr(on.engine.breaker, "refresh", slowly)
        began = anyio.current_time()
        assert (await on.search("q", deadline_ms=1000)).status == "partial"
        assert anyio.current_time() - began == pytest.approx(1.0, abs=0.01)


async def test_d6_at_the_deadline_what_runs_is_cancelled_and_what_waits_never_begins():
    async with stage({"a": hangs(), "b": answers("https://b.test/")}, concurrency=1, breaker_enabled=False) as on:

        async def searched(query: str, after: float, deadline_ms: int) -> None:
            await anyio.sleep(after)
            result = await on.search(query, deadline_ms=deadline_ms)
            assert result.outcomes[0].status == ("timeout" if query == "first" else "late")

        async with anyio.create_task_group() as group:
            group.start_soon(searched, "first", 0.0, 1000)
            group.start_soon(searched, "cut short", 0.5, 600)
            group.start_soon(searched, "never begun", 0.6, 300)
        await anyio.sleep(0.01)
        assert on.upstreams.running == 0
        assert on.upstreams.asked("a") == 2
        await anyio.sleep(30)
        assert on.upstreams.asked("a") == 2


async def test_d2_with_two_at_a_time_no_backend_ever_has_a_third_call():
    """D2 over several backends: each has slots of its own, so that a slow one holds up nobody else."""
    scripts = {"slow": answers("https://s.test/", after=1), "fast": answers("https://f.test/", after=0.1)}
    running: dict[str, int] = {}
    most: dict[str, int] = {}

    def counted(name: str, script: Any) -> Any:
        async def call(request: Any) -> Any:
            running[name] = running.get(name, 0) + 1
            most[name] = max(most.get(name, 0), running[name])
            try:
                return await script(request)
            finally:
                running[name] -= 1

        return call

    async with stage({name: counted(name, script) for name, script in scripts.items()}, concurrency=2) as on:
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(on.search, f"q{number}")
        assert most == {"slow": 2, "fast": 2}
        assert on.upstreams.most == 4


async def test_x16_all_answered_with_nothing_is_success():
    async with stage({"a": answers(), "b": answers()}) as on:
        result = await on.search("q")
        assert result.status == "ok"
        assert [note.kind for note in result.notes] == ["empty"]


async def test_x16_some_failed_and_nothing_found_is_degraded():
    """BC-026: an honest empty beside failures is empty but degraded, each reason visible."""
    async with stage({"slow": hangs(), "dead": fails("network", "reset"), "ok": answers()}) as on:
        result = await on.search("q", deadline_ms=1000)
        assert result.status == "partial"
        (note,) = result.notes
        assert note.kind == "degraded"
        for words in ("slow: timeout:", "dead: network: reset", "2 of 3 backends"):
            assert words in note.message


async def test_q4_all_failed_is_an_error_that_names_each_reason():
    """BC-025: could not search is not nothing found."""
    async with stage(
        {"a": says(429), "b": fails("network", "no route"), "c": says(200, "<title>Captcha</title>")}
    ) as on:
        with pytest.raises(AllFailed) as caught:
            await on.search("q")
    message = str(caught.value)
    assert "could not be made" in message
    assert "no results" not in message.lower()
    for words in ("a: rate-limit:", "b: network: no route", "c: "):
        assert words in message
    assert caught.value.result.status == "error"
    assert [outcome.backend for outcome in caught.value.outcomes] == ["a", "b", "c"]


@pytest.mark.parametrize(
    "page",
    [
        "<html><title>Captcha</title></html>",
        "<html><title>unusual traffic</title><form action='/sorry/index'></form></html>",
        "<html></html>",
        "",
        "null",
        "[]",
        "{}",
    ],
)
async def test_bc_021_an_answer_that_is_none_is_no_empty_result(page):
    async with stage({"a": says(200, page), "b": says(200, page)}) as on:
        assert set((await statuses(on)).values()) <= {"blocked", "format"}


async def test_b5_a_missing_key_is_an_outcome_beside_the_results():
    own = {"keyed": KeyedSettings(enabled="on", api_key_env="THE_KEY")}
    keyed = backend("keyed", settings=KeyedSettings, needs=("key",))
    scripts = {"keyed": answers("https://k.test/"), "free": answers("https://f.test/")}
    async with stage(scripts, keyed, backends=own) as on:
        result = await on.search("q")
        assert result.sources
        assert result.outcomes[1].code == "CREDENTIAL_MISSING"
        assert on.upstreams.asked("keyed") == 0
    async with stage(scripts, keyed, backends=own, environment={"THE_KEY": "k"}) as on:
        assert (await statuses(on))["keyed"] == "ok"


async def test_b8_sources_are_cut_last_and_the_cut_is_said():
    many = answers(*(f"https://{number}.test/" for number in range(10)))
    async with stage({"a": many, "b": many}) as on:
        result = await on.search("q", max_results=3)
        assert len(result.sources) == 3
        assert result.truncated
        assert (result.total, result.deduped) == (20, 10)
        result = await on.search("q", max_results=20)
        assert not result.truncated


async def test_e13_total_less_deduped_is_the_number_of_results_before_the_cut():
    first = answers(*(f"https://u{number}.test/" for number in (1, 2, 3, 4, 5, 6)))
    second = answers(*(f"https://u{number}.test/" for number in (1, 2, 3, 4, 5, 7)))
    async with stage({"a": first, "b": second}) as on:
        cut = await on.search("q", max_results=2, exclude_domains=["u2.test"])
        whole = await on.search("q", max_results=50, exclude_domains=["u2.test"])
        assert (cut.total, cut.deduped, cut.filtered) == (whole.total, whole.deduped, whole.filtered) == (10, 4, 1)
        assert cut.total - cut.deduped == len(whole.sources) == 6
        assert (cut.truncated, whole.truncated) == (True, False)
        assert whole.to_dict()["filtered"] == 1
        assert (await on.search("q")).filtered == 0


async def test_bc_140_what_is_filtered_leaves_room_for_others():
    first = answers(*(f"https://u{number}.test/" for number in (1, 2, 3, 4, 5, 6)))
    second = answers(*(f"https://u{number}.test/" for number in (1, 2, 3, 4, 5, 7)))
    async with stage({"a": first, "b": second}) as on:
        result = await on.search("q", max_results=5, exclude_domains=["u2.test"])
        assert len(result.sources) == 5
        assert "https://u2.test/" not in {source.url for source in result.sources}


async def test_q7_nothing_is_sent_for_an_impossible_search():
    async with stage({"a": answers()}) as on:
        for query, more in (("", {}), (" ", {}), ("q", {"max_results": "8"}), ("q", {"backends": ["nope"]})):
            with pytest.raises(UsageError):
                await on.search(query, **more)
        assert on.upstreams.requests == []
        assert on.events == []


async def test_only_the_named_backends_are_asked():
    async with stage({"a": answers("https://a.test/"), "b": answers("https://b.test/")}) as on:
        result = await on.search("q", backends=["b"])
        assert [outcome.backend for outcome in result.outcomes] == ["b"]


async def test_every_event_of_a_search_comes_in_order():
    async with stage({"a": answers("https://a.test/", after=0.2), "b": fails("network", after=0.1)}) as on:
        result = await on.search("q")
        kinds = [type(event) for event in on.events]
        assert kinds == [SearchStarted, CallStarted, CallStarted, CallEnded, CallEnded, SearchEnded]
        assert on.events[0].backends == ("a", "b")
        assert on.events[-1].result == result
        assert [event.outcome.backend for event in on.events if isinstance(event, CallEnded)] == ["b", "a"]


async def test_status_tells_without_asking_anyone():
    async with stage({"a": answers(), "b": says(403), "c": fails("network")}) as on:
        assert {status.state for status in on.engine.status()} == {"untested"}
        await statuses(on)
        a, b, c = on.engine.status()
        assert (a.state, a.last_status) == ("healthy", "empty")
        assert (b.state, b.reason) == ("cooling", "blocked")
        assert b.cooling_until.timestamp() == pytest.approx(1e9 + 900, abs=60)
        assert (c.state, c.failures) == ("degraded", 1)
        assert len(on.upstreams.requests) == 3


async def test_a_closed_engine_says_so():
    async with stage({"a": answers()}) as on:
        pass
    with pytest.raises(UsageError, match="closed"):
        await on.search("q")


async def test_errors_of_the_body_come_out_as_they_went_in():
    problem = KeyError("mine")
    with pytest.raises(KeyError) as caught:
        async with stage({"a": answers()}):
            raise problem
    assert caught.value is problem


async def test_the_body_s_own_group_of_errors_comes_out_as_it_was():
    with pytest.raises(ExceptionGroup, match="mine") as caught:
        async with stage({"a": answers()}):
            raise ExceptionGroup("mine", [ValueError()])
    assert len(caught.value.exceptions) == 1


async def test_cancelling_around_an_engine_ends_it():
    with anyio.move_on_after(1) as scope:
        async with stage({"a": hangs()}) as on:
            await on.search("q", deadline_ms=60_000)
    assert scope.cancelled_caught
    assert on.engine.closed


async def test_searches_after_errors_work():
    async with stage({"a": fails("server")}, breaker_enabled=False) as on:
        with pytest.raises(AllFailed):
            await on.search("q")
        with pytest.raises(UsageError):
            await on.search("")
        on.upstreams.scripts["a"] = answers("https://a.test/")
        assert (await on.search("q")).sources


async def test_a_listener_that_raises_costs_nothing():
    async with stage({"a": answers("https://a.test/")}) as on:
        on.engine.telemetry.listen(lambda _event: 1 / 0)
        assert (await on.search("q")).sources


async def test_notes_say_what_was_not_applied_and_what_was_replaced():
    async with stage({"a": answers("https://a.test/"), "b": answers("https://b.test/")}) as on:
        result = await on.search("q", max_results=99_999, freshness="week")
        assert [note.kind for note in result.notes] == [
            "max_results_out_of_range",
            "not_applied",
            "freshness_unchecked",
        ]
        assert "99999" in result.notes[0].message
        assert result.notes[1].message == "freshness week was not applied by a, b"


async def test_an_engine_opens_without_arguments():
    async with open_engine() as engine:
        assert all(isinstance(each.docs, Docs) for each in engine.backends.values())
        assert engine.status() == tuple(engine.status())


async def test_an_unknown_setting_is_refused():
    with pytest.raises(ConfigError, match="numResult"):
        async with open_engine({"numResult": 5}):
            pass


async def test_the_environment_is_read_only_when_handed_in(monkeypatch):
    monkeypatch.setenv("FANSEEK_NUM_RESULTS", "3")
    async with open_engine() as engine:
        assert engine.settings.num_results == 8
    async with open_engine({"deadlineMs": 900}, environment={"FANSEEK_NUM_RESULTS": "4"}) as engine:
        assert (engine.settings.num_results, engine.settings.deadline_ms) == (4, 900)


async def test_nobody_to_ask_is_an_error_without_a_request():
    own = {"a": KeyedSettings(enabled="off")}
    async with stage({"a": answers()}, backends=own) as on:
        with pytest.raises(NothingUsable):
            await on.search("q")
        assert on.upstreams.requests == []
