"""Whatever the backends, deadlines and aborts: an end in time, an outcome each, nothing left running."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fanseek.errors import POLICIES, Aborted, AllFailed
from scripted import answers, fails, hangs, raises, says, stage
from virtual import virtual

DELAYS = st.floats(0, 12).map(lambda seconds: round(seconds, 3))
SCRIPTS = st.one_of(
    DELAYS.map(lambda after: (answers("https://u.test/", "https://v.test/", after=after), "answer")),
    DELAYS.map(lambda after: (answers(after=after), "empty")),
    st.tuples(st.sampled_from(sorted(POLICIES)), DELAYS).map(lambda it: (fails(it[0], after=it[1]), it[0])),
    st.tuples(st.sampled_from((202, 302, 403, 429, 500, 503)), DELAYS).map(
        lambda it: (says(it[0], "<p>", after=it[1], retry_after="7"), "status")
    ),
    DELAYS.map(lambda after: (raises(LookupError("bug"), after=after), "bug")),
    st.floats(0, 5).map(lambda cleanup: (hangs(cleanup), "hang")),
)
ENDINGS = st.one_of(st.none(), st.tuples(st.sampled_from(("cancel", "abort", "stop")), st.floats(0, 15)))


@pytest.mark.parametrize("loop", ["asyncio", "trio"])
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(
    scripts=st.lists(SCRIPTS, min_size=1, max_size=6),
    deadline=st.floats(0.2, 15),
    ending=ENDINGS,
    searches=st.integers(1, 4),
)
def test_every_search_ends_in_time_with_an_outcome_each(loop, scripts, deadline, ending, searches):
    name, options = virtual(loop)
    anyio.run(run, scripts, deadline, ending, searches, backend=name, backend_options=options)


async def run(scripts, deadline: float, ending, searches: int) -> None:
    how, when = ending or ("", 0.0)
    named = {f"b{place}": script for place, (script, _) in enumerate(scripts)}
    abort, stop = anyio.Event(), anyio.Event()
    latest = min(deadline, when) if ending else deadline

    async def one(on, number: int) -> None:
        began = anyio.current_time()
        result = None
        with anyio.move_on_after(when if how == "cancel" else float("inf")):
            try:
                result = await on.search(
                    f"q{number % 2}", deadline_ms=deadline * 1000, abort=abort if number == 0 else None, stop=stop
                )
            except AllFailed as problem:
                result = problem.result
            except Aborted:
                assert how == "abort"
        allowed = deadline if how == "abort" and number else latest
        assert anyio.current_time() - began <= allowed + 0.01
        if result is not None:
            check(result, named)

    async with stage(named) as on:
        async with anyio.create_task_group() as group:
            for number in range(searches):
                group.start_soon(one, on, number)
            if how in ("abort", "stop"):
                await anyio.sleep(when)
                (abort if how == "abort" else stop).set()
        await anyio.sleep(6)
        assert on.upstreams.running == 0
        assert all(status.state in ("untested", "healthy", "degraded", "cooling") for status in on.engine.status())


def check(result, named) -> None:
    assert [outcome.backend for outcome in result.outcomes] == sorted(named)
    heard = [outcome.status in ("ok", "partial", "empty") for outcome in result.outcomes]
    assert result.status == ("error" if not any(heard) else "ok" if all(heard) else "partial")
    assert bool(result.sources) == any(outcome.hits for outcome in result.outcomes)
    for outcome in result.outcomes:
        assert outcome.message or outcome.status in ("ok", "empty")
        assert outcome.ms >= 0
