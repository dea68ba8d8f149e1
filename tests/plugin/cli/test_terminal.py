"""The command on a terminal: progress, encodings, and a reader that goes away."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from processes import Command, Screen

Start = Callable[..., Screen]

ESCAPES = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def drawn(seen: bytes) -> list[str]:
    """The states a line of a terminal went through."""
    return [part for part in seen.decode("utf-8").replace("\r\n", "\n").split("\r") if part.startswith("asking ")]


def test_progress_shows_every_backend_and_is_wiped(screen: Start, names: list[str]) -> None:
    seen = screen("search", "q", "--sandbox", columns=300).read().seen
    states = drawn(seen)
    assert all(f"{name} …" in states[0] for name in names)
    assert len(states) >= len(names)
    wiped = re.search(rb"\r +\r", seen)
    assert wiped
    assert b"[SYNTHETIC" in seen[wiped.end() :]
    assert b"asking" not in seen[wiped.end() :]
    assert not ESCAPES.search(seen)


@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"TERM": "dumb", "NO_COLOR": "1"}])
def test_a_dumb_terminal_gets_results_only(screen: Start, env: dict[str, str]) -> None:
    seen = screen("search", "q", "--sandbox", env=env).read().seen
    assert b"asking" not in seen
    assert b"[SYNTHETIC" in seen
    assert not ESCAPES.search(seen)


def test_no_color_is_honoured(screen: Start) -> None:
    assert b"\x1b" not in screen("search", "q", "--sandbox", env={"NO_COLOR": "1"}).read().seen


def test_progress_is_on_standard_error_only(screen: Start) -> None:
    """Results piped away, the terminal still sees who is asked; the pipe never does."""
    running = screen("search", "q", "--sandbox", piped=("stdout",))
    out = running.process.stdout.read()
    assert b"asking" not in out
    assert out.startswith(b"[SYNTHETIC")
    assert drawn(running.read().seen)


def test_no_progress_where_standard_error_is_piped(screen: Start) -> None:
    running = screen("search", "q", "--sandbox", piped=("stderr",))
    assert running.process.stderr.read() == b""
    assert b"asking" not in running.read().seen


def test_progress_fits_the_width(screen: Start) -> None:
    """A line wider than the terminal would not be redrawn but pile up."""
    assert all(len(state.rstrip()) < 80 for state in drawn(screen("search", "q", "--sandbox").read().seen))


def test_no_network_on_a_terminal_hints_at_the_sandbox(screen: Start, unplugged: dict[str, str]) -> None:
    seen = screen("search", "q", env=unplugged).read().seen.decode()
    sentence = seen.replace("\r\n", "\n").rpartition("\r")[2]
    assert sentence.count("\n") == 1
    assert "no backend could be reached" in sentence
    assert "--sandbox" in sentence


@pytest.mark.parametrize(
    ("encoding", "extra"),
    [
        ("gbk", []),
        ("gbk", ["--json"]),
        ("gbk", ["--cjk"]),
        ("gbk", ["--fault", "*=503"]),
        ("cp1252", ["--cjk"]),
        ("ascii", []),
        ("ascii", ["--json", "--cjk"]),
        ("utf-8:strict", []),
    ],
    ids=str,
)
def test_a_terminal_of_any_encoding_is_served(screen: Start, encoding: str, extra: list[str]) -> None:
    """BC-072's kind: never an exception, our signs as words where they don't exist."""
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    running = screen("search", "天气 🌧", "--sandbox", *extra, env=env).read()
    codec = encoding.partition(":")[0]
    shown = running.seen.decode(codec)
    assert "Traceback" not in shown
    assert "UnicodeEncodeError" not in shown
    assert running.process.wait(10) == (4 if "--fault" in extra else 0)
    if "✓" not in shown and not {"--json", "--fault"} & set(extra):
        assert re.search(r"\[websearch backends\] \w+ ok \d+ms/\d+", shown)


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "gbk", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONLEGACYWINDOWSSTDIO": "1", "PYTHONIOENCODING": "cp936"},
    ],
    ids=str,
)
def test_a_pipe_always_gets_utf_8(fanseek: Command, env: dict[str, str]) -> None:
    """BC-072."""
    ran = fanseek("search", "weather", "--sandbox", "--cjk", env=env)
    assert ran.code == 0
    assert "✓" in ran.out.decode("utf-8")
    assert re.search("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]", ran.text)
    assert fanseek("search", "weather", "--sandbox", "--cjk", "--json", env=env).json["sources"]


@pytest.mark.parametrize("extra", [[], ["--json", "-n", "50"]], ids=str)
def test_a_reader_that_goes_away_is_no_matter(surroundings: dict[str, str], extra: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "fanseek", "search", "q", "--sandbox", *extra],
        env=surroundings,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout
    assert process.stderr
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait(60) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
@pytest.mark.parametrize(
    "args", [["search", "q", "--sandbox"], ["--version"], ["--help"], ["search", "--help"], ["config", "show"]], ids=str
)
def test_a_full_disk_is_said_and_is_a_failure(fanseek: Command, args: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ran = fanseek(*args, capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert ran.code == 1
    assert ran.said.startswith("fanseek: the output could not be written: ")
    assert ran.said.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="closed descriptors are a thing of POSIX shells")
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_outputs_do_not_crash_it(surroundings: dict[str, str], closed: str) -> None:
    line = f'exec "{sys.executable}" -m fanseek search q --sandbox {closed}'
    ran = subprocess.run(["sh", "-c", line], env=surroundings, capture_output=True, check=False, timeout=60)
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stderr
