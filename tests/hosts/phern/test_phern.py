"""The real `phern`: our rows mounted by its `--patch`, a `web_search` tool run through its own loop and pipeline (HF8)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fanseek.sandbox import Sandbox, running
from web_list import items

PHERN = Path(sys.executable).with_name("phern")
ROOT = Path(__file__).resolve().parents[3]
CANARY = "canary-5be1-key"
FOUR = ("exa", "parallel", "ddg", "searxng")


@pytest.fixture
def box() -> Iterator[Sandbox]:
    with running() as made:
        yield made


class Harness:
    """A home of its own, and the command in it."""

    def __init__(self, box: Sandbox, home: Path) -> None:
        self.home = home
        self.config = {**box.settings(), "folder": str(home / "fanseek"), "numResults": 4}
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "PH_HOME": str(home / "ph"),
            "PYTHONPATH": os.pathsep.join([str(ROOT / "tests" / "hosts" / "phern"), str(ROOT / "tests")]),
            "FANSEEK_BACKENDS": ",".join(FOUR),
        }

    def rows(self, *, fanseek: str = "fanseek") -> str:
        rows = [
            {"id": "web", "name": "fanseek-web", "config": {"searchProvider": "unified"}},
            {"id": "unified-search", "name": fanseek, "config": self.config},
            {"id": "tool-web", "name": "rows:web_search"},
            {"id": "llm-told", "name": "rows:model"},
        ]
        return json.dumps({"insert": rows})

    def command(self, *more: str, patch: str) -> list[str]:
        head = [str(PHERN), "--profile", "headless"]
        return [*head, *more, "--patch", json.dumps({"id": "llm-fake", "remove": True}), "--patch", patch]

    def ask(self, *queries: str, patch: str | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command("-p", "look it up", patch=patch or self.rows()),
            env={**self.environment, "PHERN_QUERIES": json.dumps(queries)},
            cwd=self.home,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def told(self) -> tuple[bool, str]:
        """What the model was told by its last call, as the harness's log has it: whether it failed, and the text.

        (What the command prints has gone through Rich's markup, which swallows brackets.)
        """
        log = max((self.home / "ph" / "sessions").rglob("*.jsonl"), key=lambda path: path.stat().st_mtime)
        events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        result = [event["data"]["message"]["content"][0] for event in events if event["type"] == "tool/result"][-1]
        return bool(result.get("isError")), "\n".join(part["text"] for part in result["content"])

    def files(self) -> Iterator[Path]:
        return (path for path in self.home.rglob("*") if path.is_file())


@pytest.fixture
def harness(box: Sandbox, tmp_path: Path) -> Harness:
    return Harness(box, tmp_path)


def listed_in(answer: str) -> list[Any]:
    return items(answer.partition("Sources:\n")[2].strip())


@pytest.mark.parametrize("row", ["fanseek", "fanseek:apply", "fanseek.surface.cordis:apply"])
def test_hf8_a_turn_of_the_real_harness_searches_through_the_plugin(harness: Harness, box: Sandbox, row: str) -> None:
    """HF8, A5, X1: rows by entry point and by module; two queries of one call, merged sources of every backend."""
    ran = harness.ask("rust async runtime", "tokio scheduler", patch=harness.rows(fanseek=row))
    assert ran.returncode == 0, ran.stderr
    failed, text = harness.told()
    assert not failed
    assert text.count("[websearch backends]") == 2
    found = listed_in(text)
    assert 4 <= len(found) <= 8
    assert all(one[0].attrs["href"].startswith("https://") for one in found)
    for name in FOUR:
        assert len(box.log[name]) >= 2


def test_hf4_an_outage_is_told_to_the_model_and_the_turn_goes_on(harness: Harness, box: Sandbox) -> None:
    """HF4."""
    box.faults.set("ddg", "captcha")
    ran = harness.ask("rust async runtime", "tokio scheduler")
    assert ran.returncode == 0, ran.stderr
    failed, text = harness.told()
    assert not failed
    assert "Incomplete: 1 of 4 backends failed or were not heard: ddg (blocked)." in text
    assert listed_in(text)


def test_b10_when_all_fail_the_model_reads_every_reason(harness: Harness, box: Sandbox) -> None:
    """B10, fact 4.5: the message is all there is."""
    for name in FOUR:
        box.faults.set(name, "drop")
    ran = harness.ask("rust async runtime")
    assert ran.returncode == 0, ran.stderr
    failed, text = harness.told()
    assert failed
    assert all(f"{name}: network: " in text for name in FOUR)


def test_b4_a_key_is_in_no_file_of_the_harness(harness: Harness, box: Sandbox) -> None:
    """The key comes from the environment and stays there: not in sessions, logs, cache, state or output."""
    harness.environment |= {"FANSEEK_BACKENDS": "brave,exa", "BRAVE_API_KEY": CANARY}
    ran = harness.ask("rust async runtime")
    assert [asked.headers["x-subscription-token"] for asked in box.log["brave"]] == [CANARY]
    assert CANARY not in ran.stdout + ran.stderr
    files = list(harness.files())
    assert any("sessions" in path.parts for path in files)
    assert any("fanseek" in path.parts for path in files)
    assert not [path for path in files if CANARY.encode() in path.read_bytes()]


def test_a_wrong_configuration_is_refused_at_the_mount_and_named(harness: Harness) -> None:
    harness.config |= {"numResults": 99, "braveApiKey": CANARY}
    ran = harness.ask("rust")
    assert ran.returncode != 0
    said = ran.stdout + ran.stderr
    assert "numResults" in said or "braveApiKey" in said
    assert CANARY not in said


def test_the_harness_knows_the_row_and_what_it_waits_for(harness: Harness) -> None:
    """Its own doctor, with the service and without it."""

    def doctor(patch: str) -> str:
        ran = subprocess.run(
            [str(PHERN), "doctor", "--profile", "headless", "--patch", patch],
            env=harness.environment,
            cwd=harness.home,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        return ran.stdout + ran.stderr

    def line(text: str) -> str:
        return next((one for one in text.splitlines() if "unified-search" in one), text)

    rows = [json.loads(harness.rows())["insert"][number] for number in (0, 1)]
    assert "active" in line(doctor(json.dumps({"insert": rows})))
    assert "waiting" in line(doctor(json.dumps({"insert": rows[1:]})))


def test_b9_a_harness_that_is_stopped_in_a_search_ends_at_once(harness: Harness, box: Sandbox) -> None:
    """B9: backends that hang hold nothing up."""
    for name in FOUR:
        box.faults.set(name, "hang")
    process = subprocess.Popen(
        harness.command("-p", "look it up", patch=harness.rows()),
        env={**harness.environment, "PHERN_QUERIES": json.dumps(["a", "b", "c", "d"])},
        cwd=harness.home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        give_up = time.monotonic() + 60
        while not all(len(box.log[name]) for name in FOUR):
            assert time.monotonic() < give_up
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) is not None
    finally:
        process.kill()
        process.wait()
