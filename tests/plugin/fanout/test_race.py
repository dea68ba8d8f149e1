"""One wave, one deadline, and an end at once when it is wanted."""

from __future__ import annotations

import anyio
import pytest

from fanseek.contract import Pace, Request
from fanseek.errors import Aborted, AllFailed, UsageError
from fanseek.telemetry import CallEnded
from scripted import Stage, answers, backend, fails, hangs, raises, says, stage


def named(result) -> dict[str, str]:
    return {outcome.backend: outcome.status for outcome in result.outcomes}


def urls(result) -> list[str]:
    return [source.url for source in result.sources]


async def test_d1_all_backends_start_in_one_wave():
    scripts = {f"b{number}": answers(f"https://{number}.test/", after=0.2) for number in range(25)}
    async with stage(scripts) as on:
        began = anyio.current_time()
        result = await on.search("q", max_results=50)
        assert anyio.current_time() - began == pytest.approx(0.2)
        assert on.upstreams.most == 25
    assert len(result.sources) == 25
    assert result.status == "ok"


async def test_d3_a_hung_backend_timed_out_and_the_others_results_come():
    async with stage({"slow": hangs(), "fast": answers("https://f.test/")}, backend_timeout_ms=700) as on:
        began = anyio.current_time()
        result = await on.search("q")
        assert anyio.current_time() - began == pytest.approx(0.7)
    assert urls(result) == ["https://f.test/"]
    assert result.status == "partial"
    assert result.outcomes[1].status == "timeout"
    assert result.outcomes[1].message == 'backend "slow" timed out after 700 ms'


@pytest.mark.parametrize(
    ("timeout_ms", "cap_s", "deadline_ms", "ends"),
    [(30_000, 5.0, 25_000, 5.0), (1_000, 5.0, 25_000, 1.0), (30_000, 20.0, 10_000, 8.0), (30_000, 10.0, 500, 0.4)],
)
async def test_d4_the_cap_is_the_least_of_timeout_class_and_share_of_the_deadline(timeout_ms, cap_s, deadline_ms, ends):
    scripts = {"slow": hangs(), "fast": answers("https://f.test/")}
    async with stage(scripts, backend("slow", cap_s=cap_s), backend_timeout_ms=timeout_ms) as on:
        began = anyio.current_time()
        result = await on.search("q", deadline_ms=deadline_ms)
        assert anyio.current_time() - began == pytest.approx(ends)
    assert named(result)["slow"] == "timeout"


async def test_bc_045_a_cleanup_that_blocks_holds_up_nobody():
    async with stage({"slow": hangs(cleanup=5), "fast": answers("https://f.test/")}) as on:
        began = anyio.current_time()
        result = await on.search("q", deadline_ms=500)
        assert anyio.current_time() - began == pytest.approx(0.5)
        assert named(result) == {"slow": "timeout", "fast": "ok"}
        assert on.engine.status()[1].failures == 1


async def test_b9_cancelling_ends_everything_at_once():
    async with stage({"a": hangs(), "b": hangs(cleanup=3)}) as on:
        began = anyio.current_time()
        with anyio.move_on_after(0.3) as scope:
            await on.search("q")
        assert scope.cancelled_caught
        assert anyio.current_time() - began == pytest.approx(0.3)
        await anyio.sleep(3.01)
        assert on.upstreams.running == 0
        assert all(status.failures == 0 for status in on.engine.status())
        assert [event.outcome.status for event in on.events if isinstance(event, CallEnded)] == ["cancelled"] * 2


async def test_b9_an_abort_raises_within_a_tenth_of_a_second():
    async with stage({"a": hangs(cleanup=3), "b": answers("https://b.test/")}) as on:
        abort = anyio.Event()
        began = anyio.current_time()

        async def later() -> None:
            await anyio.sleep(0.25)
            abort.set()

        async with anyio.create_task_group() as group:
            group.start_soon(later)
            with pytest.raises(Aborted):
                await on.search("q", abort=abort)
        assert anyio.current_time() - began < 0.35
        assert all(status.failures == 0 for status in on.engine.status())


async def test_an_abort_before_the_start_sends_nothing():
    async with stage({"a": answers("https://a.test/")}) as on:
        abort = anyio.Event()
        abort.set()
        with pytest.raises(Aborted):
            await on.search("q", abort=abort)
        assert on.upstreams.requests == []


async def test_bc_049_a_stop_answers_with_what_is_there():
    async with stage({"a": answers("https://a.test/", after=0.1), "b": hangs()}) as on:
        stop = anyio.Event()

        async def later() -> None:
            await anyio.sleep(1)
            stop.set()

        async with anyio.create_task_group() as group:
            group.start_soon(later)
            began = anyio.current_time()
            result = await on.search("q", stop=stop)
            assert anyio.current_time() - began == pytest.approx(1)
        assert urls(result) == ["https://a.test/"]
        assert named(result) == {"a": "ok", "b": "cancelled"}
        assert result.status == "partial"


async def test_a_stop_with_nothing_there_says_so():
    async with stage({"a": hangs()}) as on:
        stop = anyio.Event()
        stop.set()
        with pytest.raises(AllFailed, match="could not be made"):
            await on.search("q", stop=stop)


async def test_d7_what_the_deadline_denied_time_is_late_and_does_not_count():
    queue = {"busy": answers("https://busy.test/", after=3)}
    async with stage(queue, concurrency=1) as on:

        async def first() -> None:
            await on.search("first")

        async with anyio.create_task_group() as group:
            group.start_soon(first)
            await anyio.sleep(0.1)
            for _ in range(4):
                with pytest.raises(AllFailed) as caught:
                    await on.search("second", deadline_ms=500)
                (outcome,) = caught.value.outcomes
                assert outcome.status == "late"
                assert "deadline of 500 ms" in outcome.message
        assert on.engine.status()[0].failures == 0


@pytest.mark.parametrize("concurrency", [1, 2, 6])
async def test_d2_concurrency_bounds_the_calls_to_one_backend_over_all_searches(concurrency):
    """D2 as design.md leaves it: with 2, at most 2 calls of one backend are in flight; X8."""
    async with stage({"a": answers("https://a.test/", after=0.1)}, concurrency=concurrency) as on:

        async def one(number: int) -> None:
            await on.search(f"q{number}")

        async with anyio.create_task_group() as group:
            for number in range(12):
                group.start_soon(one, number)
        assert on.upstreams.most == concurrency


async def test_bc_052_waiting_for_a_slot_is_no_failure_of_the_backend():
    async with stage({"a": answers("https://a.test/", after=0.3)}, concurrency=5, backend_timeout_ms=350) as on:
        statuses = []

        async def one(number: int) -> None:
            statuses.append(named(await on.search(f"q{number}"))["a"])

        async with anyio.create_task_group() as group:
            for number in range(25):
                group.start_soon(one, number)
        assert statuses == ["ok"] * 25


async def test_d5_a_backend_that_raises_before_waiting_leaves_no_slot_taken():
    def broken(_search, _own) -> Request:
        raise KeyError("no such thing")

    scripts = {"a": raises(ZeroDivisionError("at once"))}
    async with stage(scripts, backend("built", build=broken), breaker_enabled=False, concurrency=1) as on:
        for _ in range(50):
            with pytest.raises(AllFailed) as caught:
                await on.search("q")
        assert named(caught.value.result) == {"a": "format", "built": "bad-request"}
        assert "KeyError" in caught.value.outcomes[1].message
        on.upstreams.scripts["a"] = answers("https://a.test/")
        assert named(await on.search("q"))["a"] == "ok"


async def test_d8_the_order_of_answers_changes_nothing():
    seen = set()
    for delays in ((0.1, 0.2, 0.3), (0.3, 0.1, 0.2), (0.2, 0.3, 0.1)):
        scripts = {
            name: answers(*(f"https://{name}{rank}.test/" for rank in range(5)), "https://both.test/", after=delay)
            for name, delay in zip("abc", delays, strict=True)
        }
        async with stage(scripts) as on:
            result = await on.search("q", max_results=20)
            seen.add((tuple(urls(result)), tuple(outcome.backend for outcome in result.outcomes), result.deduped))
    assert len(seen) == 1


async def test_d9_a_timeout_is_not_tried_again():
    async with stage({"slow": hangs(), "fast": answers("https://f.test/")}) as on:
        await on.search("q", deadline_ms=1000)
        assert on.upstreams.asked("slow") == 1


async def test_bc_034_a_long_retry_after_holds_up_nobody():
    scripts = {"a": says(429, retry_after="86400"), "b": answers("https://b.test/")}
    async with stage(scripts) as on:
        began = anyio.current_time()
        result = await on.search("q", deadline_ms=5000)
        assert anyio.current_time() - began < 0.01
        assert named(result) == {"a": "rate-limit", "b": "ok"}
        assert result.outcomes[0].retry_after_s == 3600
        assert result.outcomes[0].code == "RATE_LIMITED"
        assert named(await on.search("again")) == {"a": "skipped", "b": "ok"}
        assert on.upstreams.asked("a") == 1


async def test_bc_035_each_kind_of_failure_rests_its_own_time_and_says_why():
    scripts = {
        "limited": says(429),
        "banned": says(403),
        "slow": fails("timeout"),
        "resting": says(503, retry_after="2"),
        "well": answers("https://w.test/"),
    }
    async with stage(scripts) as on:
        await on.search("q")
        rests = {outcome.backend: outcome for outcome in (await on.search("q2")).outcomes}
        assert rests["limited"].retry_after_s == pytest.approx(60, abs=1)
        assert rests["banned"].retry_after_s == pytest.approx(900, abs=1)
        assert rests["resting"].retry_after_s == pytest.approx(2, abs=1)
        assert rests["slow"].status == "timeout"
        assert rests["banned"].message == "circuit open (blocked), retry in 900 s"
        await anyio.sleep(2)
        on.upstreams.scripts["resting"] = answers("https://r.test/")
        assert named(await on.search("q3"))["resting"] == "ok"


async def test_pace_spaces_calls_and_what_would_wait_too_long_is_skipped():
    async with stage({"a": answers("https://a.test/")}, backend("a", pace=Pace(interval_s=2))) as on:
        ends: dict[str, tuple[str, float]] = {}

        async def one(number: int) -> None:
            try:
                result = await on.search(f"q{number}", deadline_ms=10_000)
            except AllFailed as problem:
                result = problem.result
            outcome = result.outcomes[0]
            ends[f"q{number}"] = outcome.status, outcome.retry_after_s

        began = anyio.current_time()
        async with anyio.create_task_group() as group:
            for number in range(5):
                group.start_soon(one, number)
        assert anyio.current_time() - began == pytest.approx(4)
        assert sorted(status for status, _ in ends.values()) == ["ok", "ok", "ok", "skipped", "skipped"]
        skipped = next(rest for status, rest in ends.values() if status == "skipped")
        assert skipped == pytest.approx(6)
        assert on.engine.status()[0].failures == 0


async def test_a_closed_engine_ends_searches_that_still_run():
    ended = anyio.Event()

    async def search(on: Stage) -> None:
        with pytest.raises(UsageError, match="closed"):
            await on.search("q")
        ended.set()

    async with anyio.create_task_group() as group:
        async with stage({"a": hangs()}) as on:
            group.start_soon(search, on)
            await anyio.sleep(1)
        with anyio.fail_after(1):
            await ended.wait()
