"""The history of an engine: every search, once, soon after it has ended, and never in its way."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import anyio
import pytest

from fanseek.cache.history import HistoryEntry, HistoryFile
from fanseek.cache.lock import locked
from fanseek.config.settings import Settings
from fanseek.contract import KeyedSettings, Parsed
from fanseek.engine import open_engine
from fanseek.errors import Aborted, AllFailed, NothingUsable, UsageError
from fanseek.http.redact import Redactor
from fanseek.sandbox import Sandbox
from scripted import answers, backend, fails, hangs, stage

FOUND = answers("https://a.test/", "https://b.test/")


def told(entry: HistoryEntry) -> tuple[str, int, int, int]:
    return (entry.query, entry.result_count, entry.backends_ok, entry.backends_total)


async def test_o1_every_search_is_kept_those_of_the_cache_and_those_that_failed_too(tmp_path: Path) -> None:
    """A hit tells how many answered when it was made. Failures: 'every search' is what the source document says."""
    scripts = {"a": FOUND, "b": answers()}
    async with stage(scripts, history_dir=tmp_path, cache_dir=tmp_path, clock=lambda: 1.8e9) as on:
        await on.search("found")
        assert (await on.search("found")).cached
        on.upstreams.scripts |= {"a": fails("network"), "b": fails("server")}
        with pytest.raises(AllFailed):
            await on.search("failed")
        on.upstreams.scripts["a"] = FOUND
        await on.search("partly")
        kept = await on.engine.history()
    assert [told(entry) for entry in kept] == [
        ("partly", 2, 1, 2),
        ("failed", 0, 0, 2),
        ("found", 2, 2, 2),
        ("found", 2, 2, 2),
    ]
    assert {entry.time for entry in kept} == {1_800_000_000_000}
    assert HistoryFile(tmp_path / "history.json").entries() == kept


async def test_b11_all_answered_with_nothing_is_a_success_that_keeps_an_answer_and_is_one_row(tmp_path: Path) -> None:
    """B11: two backends with no results, one of them with a direct answer."""
    knows = backend("knows", parse=lambda _response: Parsed(answer="42, says the answer", empty=True))
    async with stage({"knows": answers(), "a": answers(), "b": answers()}, knows, history_dir=tmp_path) as on:
        result = await on.search("q")
        assert (result.status, result.sources) == ("ok", ())
        assert [answer.text for answer in result.answers] == ["42, says the answer"]
        assert "42, says the answer" in result.to_text()
        assert [told(entry) for entry in await on.engine.history()] == [("q", 0, 3, 3)]


async def test_o2_no_address_stands_in_the_file(tmp_path: Path) -> None:
    async with stage({"a": FOUND, "b": fails("network", "https://b.test/ is gone")}, history_dir=tmp_path) as on:
        await on.search("q")
    (row,) = json.loads((tmp_path / "history.json").read_bytes())
    assert set(row) == {"query", "time", "resultCount", "backendsOk", "backendsTotal"}
    assert b"http" not in (tmp_path / "history.json").read_bytes()


async def test_o3_searches_at_once_are_a_row_each(tmp_path: Path) -> None:
    async with stage({"a": FOUND}, history_dir=tmp_path) as on, anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(on.search, f"q{number}")
    rows = json.loads((tmp_path / "history.json").read_bytes())
    assert sorted(row["query"] for row in rows) == sorted(f"q{number}" for number in range(20))


async def test_o3_each_search_is_written_once_and_nothing_between_searches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is not touched while nobody searches."""
    written: list[int] = []
    add = HistoryFile.add

    def counted(file: HistoryFile, latest: Any) -> None:
        written.append(len(latest))
        add(file, latest)

    monkeypatch.setattr(HistoryFile, "add", counted)
    async with stage({"a": FOUND}, history_dir=tmp_path) as on:
        for number in range(3):
            await on.search(f"q{number}")
            await anyio.sleep(0.1)
    assert sum(written) == 3
    assert len(written) <= 8


async def test_an_engine_that_closes_at_once_has_written_what_it_did(tmp_path: Path) -> None:
    for number in range(5):
        async with stage({"a": FOUND}, history_dir=tmp_path) as on:
            await on.search(f"q{number}")
    assert [row.query for row in HistoryFile(tmp_path / "history.json").entries()] == ["q4", "q3", "q2", "q1", "q0"]


async def test_an_engine_that_is_cancelled_has_too(tmp_path: Path) -> None:
    with anyio.CancelScope() as scope:
        async with stage({"a": FOUND}, history_dir=tmp_path) as on:
            await on.search("q")
            scope.cancel()
            await anyio.sleep(1)
    assert [row.query for row in HistoryFile(tmp_path / "history.json").entries()] == ["q"]


async def test_what_was_no_search_leaves_no_row(tmp_path: Path) -> None:
    """Refused, nobody to ask, aborted: nothing came of it."""
    abort = anyio.Event()
    own = {"off": KeyedSettings(enabled="off")}
    async with stage({"a": hangs(), "off": FOUND}, history_dir=tmp_path, backends=own) as on:
        with pytest.raises(UsageError):
            await on.search("")
        on.engine.telemetry.listen(lambda _event: abort.set())
        with pytest.raises(Aborted):
            await on.search("q", abort=abort)
        assert await on.engine.history() == ()
    async with stage({"off": FOUND}, history_dir=tmp_path, backends=own) as on:
        with pytest.raises(NothingUsable):
            await on.search("q")
        assert await on.engine.history() == ()


@pytest.mark.parametrize("place", [{}, {"history_enabled": False}])
async def test_o7_off_writes_nothing_and_a_library_is_off_unless_given_a_place(
    tmp_path: Path, place: dict[str, Any]
) -> None:
    where = {"history_dir": tmp_path, **place} if place else {}
    async with stage({"a": FOUND}, **where) as on:
        await on.search("q")
        assert await on.engine.history() == ()
        assert await on.engine.clear_history()
    assert not (tmp_path / "history.json").exists()


async def test_o7_it_is_on_by_default_and_may_change_while_the_engine_runs(tmp_path: Path) -> None:
    """B13."""
    assert Settings().history_enabled
    async with stage({"a": FOUND}, history_dir=tmp_path) as on:
        await on.search("on")
        on.engine.configure(Settings(history_enabled=False))
        await on.search("off")
        on.engine.configure(Settings())
        await on.search("on again")
        assert [entry.query for entry in await on.engine.history()] == ["on again", "on"]


async def test_a_key_in_a_query_is_not_written(tmp_path: Path) -> None:
    """O2, N11: also the key of a backend that was not asked, and what merely looks like a key."""
    redactor = Redactor()
    environment = {"THE_KEY": "canary-of-b-0815"}
    keyed = backend("b", settings=KeyedSettings)
    own = {"b": KeyedSettings(api_key_env="THE_KEY")}
    async with open_keyed(tmp_path, redactor, environment, keyed, own) as on:
        await on.search("is canary-of-b-0815 valid", backends=["a"])
        await on.search("x" * 990 + " canary-of-b-0815", backends=["a"])
        await on.search("why does sk-abcdef0123456789abcdef fail", backends=["a"])
        plain, long, known = [entry.query for entry in await on.engine.history()]
    assert known == "is [redacted] valid"
    assert plain == "why does [redacted] fail"
    assert "canary" not in long
    assert b"canary" not in (tmp_path / "history.json").read_bytes()


def open_keyed(place: Path, redactor: Redactor, environment: dict[str, str], keyed: Any, own: Any) -> Any:
    from contextlib import asynccontextmanager

    import scripted
    from fanseek.engine import running
    from fanseek.guard.keys import Keys

    @asynccontextmanager
    async def opened() -> Any:
        upstreams = scripted.Upstreams({"a": FOUND, "b": FOUND})
        async with running(
            Settings(backends=own),
            {"a": backend("a"), "b": keyed},
            send=upstreams.send,
            keys=Keys(environment, redactor.add),
            clean=redactor.clean,
            history_dir=place,
        ) as engine:
            yield scripted.Stage(engine, upstreams, [])

    return opened()


async def test_o5_cleared_is_empty_and_goes_on(tmp_path: Path) -> None:
    async with stage({"a": FOUND}, history_dir=tmp_path) as on:
        await on.search("before")
        assert await on.engine.clear_history()
        assert await on.engine.history() == ()
        await on.search("after")
        assert [entry.query for entry in await on.engine.history()] == ["after"]


async def test_what_other_processes_add_is_seen(tmp_path: Path) -> None:
    """BC-069."""
    async with stage({"a": FOUND}, history_dir=tmp_path) as one, stage({"a": FOUND}, history_dir=tmp_path) as two:
        for on, query in ((one, "1"), (two, "2"), (one, "3"), (two, "4")):
            await on.search(query)
            assert (await on.engine.history())[0].query == query
        assert [entry.query for entry in await one.engine.history()] == ["4", "3", "2", "1"]


@pytest.mark.parametrize("broken", ["a folder", "a file above", "nowhere"])
async def test_bc_070_a_disk_that_fails_costs_no_search_and_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    """What can't be written is at least remembered while the engine lives."""
    place = tmp_path / "state"
    if broken == "a folder":
        (place / "history.json").mkdir(parents=True)
    elif broken == "a file above":
        place.write_bytes(b"")
    else:
        place = Path("/proc/nowhere" if Path("/proc").is_dir() else "/dev/null/nowhere")
    with caplog.at_level(logging.WARNING, "fanseek"):
        async with stage({"a": FOUND}, history_dir=place) as on:
            for number in range(60):
                assert (await on.search(f"q{number}")).sources
            assert [entry.query for entry in await on.engine.history()] == [f"q{at}" for at in range(59, 9, -1)]
    assert len(caplog.records) == 1
    assert "searches go on without" in caplog.text


@pytest.mark.parametrize("code", ["ENOLCK", "EOPNOTSUPP"])
async def test_bc_070_a_file_system_without_locks_keeps_a_history_and_says_so_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    import errno

    from fanseek.cache import lock

    def refused(_descriptor: int) -> None:
        raise OSError(getattr(errno, code), "no locks available")

    monkeypatch.setattr(lock, "_take", refused)
    async with stage({"a": FOUND}, history_dir=tmp_path) as on:
        for number in range(3):
            await on.search(f"q{number}")
            await on.engine.history()
    assert len(HistoryFile(tmp_path / "history.json").entries()) == 3
    assert len(caplog.records) == 1
    assert "can't be locked" in caplog.text


async def test_a_lock_that_another_holds_delays_no_search(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O3: the answer is out before the history is written; when the lock is free again, nothing is missing."""
    monkeypatch.setattr("fanseek.engine.opening.LOCK_PATIENCE_S", 0.3)
    async with stage({"a": FOUND}, history_dir=tmp_path) as on:
        with locked(tmp_path / "history.json.lock", 5):
            for number in range(5):
                with anyio.fail_after(30):
                    await on.search(f"q{number}")
            assert not (tmp_path / "history.json").exists()
            assert len(await on.engine.history()) == 5
        assert len(await on.engine.history()) == 5
    assert len(HistoryFile(tmp_path / "history.json").entries()) == 5
    assert len(caplog.records) == 1


async def test_a_lock_that_is_held_for_good_holds_up_the_end_within_bounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fanseek.engine.opening.LOCK_PATIENCE_S", 0.3)
    with locked(tmp_path / "history.json.lock", 5), anyio.fail_after(30):
        async with stage({"a": FOUND}, history_dir=tmp_path) as on:
            await on.search("q")
    assert not (tmp_path / "history.json").exists()


async def test_a_bug_in_a_listener_beside_it_costs_no_row(tmp_path: Path) -> None:
    async with stage({"a": FOUND}, history_dir=tmp_path) as on:
        on.engine.telemetry.listen(lambda _event: 1 / 0)
        await on.search("q")
        assert len(await on.engine.history()) == 1


async def test_open_engine_keeps_a_history_where_it_is_told_to(tmp_path: Path) -> None:
    async with (
        Sandbox() as box,
        open_engine(box.settings(), environment=box.environment, history_dir=tmp_path) as engine,
    ):
        await engine.search("tidal turbines")
        (entry,) = await engine.history()
    assert entry.query == "tidal turbines"
    assert entry.backends_ok == entry.backends_total == len(box.urls)
    assert entry.result_count == 8
