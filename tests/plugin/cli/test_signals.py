"""Signals: one whole document with what is known, or nothing; never half of one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import jsonschema
import pytest

from fanseek.cli import signals
from fanseek.sandbox import Sandbox
from processes import Screen

SCHEMA = json.loads((Path(__file__).resolve().parents[3] / "docs" / "result-schema.json").read_bytes())

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send")


@pytest.fixture
def start(surroundings: dict[str, str], at_box: dict[str, str]) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def run(*args: str) -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "fanseek", "search", "solar panels", *args],
                env={**surroundings, **at_box},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def all_asked(box: Sandbox, names: list[str], times: int = 1) -> None:
    """Wait until every backend has been asked, and the answers are sure to be there."""
    until = time.monotonic() + 30
    while time.monotonic() < until and not all(box.log[name].count >= times for name in names):
        time.sleep(0.02)
    assert all(box.log[name].count >= times for name in names)
    time.sleep(1)


def hang_all_but(box: Sandbox, names: list[str], one: str | None) -> None:
    for name in names:
        if name != one:
            box.faults.set(name, "hang")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("as_json", [True, False], ids=["json", "text"])
def test_a_signal_ends_it_with_what_is_known(
    start: Callable[..., subprocess.Popen[bytes]],
    box: Sandbox,
    names: list[str],
    number: signal.Signals,
    as_json: bool,
) -> None:
    """BC-049."""
    quick = next(name for name in names if not box.sessions(name))
    hang_all_but(box, names, quick)
    process = start(*(["--json"] if as_json else []))
    all_asked(box, names)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 128 + number
    assert err == b""
    if as_json:
        whole = json.loads(out)
        jsonschema.validate(whole, SCHEMA, cls=jsonschema.Draft202012Validator)
        assert whole["status"] == "partial"
        assert whole["sources"]
        assert "stopped" in [note["kind"] for note in whole["notes"]]
        statuses = {outcome["backend"]: outcome["status"] for outcome in whole["outcomes"]}
        assert statuses.pop(quick) == "ok"
        assert set(statuses.values()) == {"cancelled"}
    else:
        assert b"\n1. " in out
        assert b"ended by a signal" in out
        assert out.endswith(b"\n")


def test_a_signal_before_any_answer_prints_nothing(
    start: Callable[..., subprocess.Popen[bytes]], box: Sandbox, names: list[str]
) -> None:
    """BC-049: nothing at all."""
    hang_all_but(box, names, None)
    process = start("--json")
    all_asked(box, names)
    process.send_signal(signal.SIGTERM)
    assert process.communicate(timeout=20) == (b"", b"")
    assert process.returncode == 143


def test_a_signal_while_starting_prints_nothing(start: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = start("--json")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out == b""
    assert process.returncode != 0


def test_control_c_on_a_terminal_wipes_the_progress_line(screen: Callable[..., Screen], names: list[str]) -> None:
    running = screen("search", "q", "--sandbox", "--fault", "*=hang")
    running.read_until(b"asking")
    running.process.send_signal(signal.SIGINT)
    seen = running.read().seen
    assert running.process.wait(20) == 130
    assert seen.rstrip(b"\r").endswith(b" ")
    assert b"Traceback" not in seen


async def test_where_the_loop_cannot_wait_for_signals_they_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows: the fallback catches a real signal, and puts the old handlers back."""

    def refuse(*_numbers: int) -> None:
        raise NotImplementedError

    monkeypatch.setattr(anyio, "open_signal_receiver", refuse)
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    async with signals.interruption() as interrupted:
        os.kill(os.getpid(), signal.SIGTERM)
        with anyio.fail_after(10):
            await interrupted.stop.wait()
    assert (interrupted.number, interrupted.exit_code) == (signal.SIGTERM, 143)
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


async def test_without_a_signal_nothing_is_set() -> None:
    async with signals.interruption() as interrupted:
        await anyio.lowlevel.checkpoint()
    assert interrupted.exit_code == 0
    assert not interrupted.stop.is_set()


@pytest.mark.parametrize(
    "moment", ["fanseek.cli.console", "fanseek.errors", "msgspec", "anyio", "fanseek.engine.engine"]
)
def test_sigint_while_starting_up_ends_it_in_silence(surroundings: dict[str, str], moment: str) -> None:
    """Ctrl-C in the first moments: no traceback, whatever is being loaded."""
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "fanseek", "search", "--sandbox", "--latency", "2000", "q"],
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    while line := process.stderr.readline():
        if line.rstrip().endswith(moment.encode()):
            break
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=60)
    assert line
    assert process.returncode in (-signal.SIGINT, 128 + signal.SIGINT)
    assert b"Traceback" not in said
    assert b"KeyboardInterrupt" not in said
    assert out == b"" or b"SYNTHETIC" in out
