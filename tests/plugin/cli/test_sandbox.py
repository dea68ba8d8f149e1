"""`fanseek sandbox` as a process: one line of JSON, then service until told to stop."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

COMMAND = [sys.executable, "-m", "fanseek", "sandbox"]


@pytest.fixture
def started():
    running = []

    def start(*arguments, stdin=subprocess.PIPE):
        process = subprocess.Popen(
            [*COMMAND, *arguments], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def said(process):
    return json.loads(process.stdout.readline())


def ended(process):
    """Exit code and everything on standard error."""
    _, errors = process.communicate(timeout=20)
    return process.returncode, errors


def test_one_line_of_json_then_service_until_standard_input_closes(started):
    process = started("--json", "--port", "0", "--results", "3")
    told = said(process)
    assert told.keys() == {"url", "urls", "settings", "environment"}
    name, url = next(iter(told["urls"].items()))
    assert any(value == "on" for value in told["settings"].values())
    assert any(str(value).startswith(url) for value in told["settings"].values())
    assert httpx.get(f"{told['url']}/__log", trust_env=False).json()["backends"][name]["count"] == 0
    process.stdin.close()
    process.stdin = None
    assert ended(process) == (0, "")
    with pytest.raises(httpx.ConnectError):
        httpx.get(told["url"], trust_env=False)


def test_without_a_pipe_on_standard_input_it_serves_on(started):
    process = started("--json", stdin=subprocess.DEVNULL)
    told = said(process)
    assert httpx.get(told["url"], trust_env=False).status_code == 200
    assert process.poll() is None


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_signals_end_it_in_order(started, name):
    process = started("--json", "--fault", "*=hang")
    told = said(process)
    url = next(iter(told["urls"].values()))
    with pytest.raises(httpx.ReadTimeout):
        httpx.get(url, trust_env=False, timeout=0.3)
    process.send_signal(getattr(signal, name))
    assert ended(process) == (0, "")


def test_people_are_told_what_it_is_and_how_to_use_it(started):
    process = started(stdin=subprocess.DEVNULL)
    first, second = process.stdout.readline(), process.stdout.readline()
    assert "http://127.0.0.1:" in first
    assert "synthetic" in first
    assert " = " in second


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--fault", "no-such=hang"], "no backend is named 'no-such'; there are"),
        (["--fault", "*=no-such"], "no fault is named 'no-such'; there are"),
        (["--fault", "hang"], "BACKEND=FAULT"),
        (["--overlap", "2"], "from 0 to 1"),
        (["--results", "many"], "from 0 to 1000"),
        (["--latency", "soon"], "latency"),
        (["--port", "70000"], "from 0 to 65535"),
    ],
)
def test_what_is_wrong_is_a_usage_error(arguments, words):
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_a_usage_error():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True, timeout=20, check=False)
    assert done.returncode == 2
    assert port in done.stderr


def test_latency_and_faults_reach_the_backends(started):
    process = started("--json", "--latency", "1", "--fault", "*=503:times=1")
    told = said(process)
    armed = httpx.get(f"{told['url']}/__control", trust_env=False).json()
    assert armed.keys() == told["urls"].keys()
    assert all([fault["fault"] for fault in faults] == ["latency", "http"] for faults in armed.values())


def test_an_output_that_cannot_be_written_is_said_without_a_traceback() -> None:
    with Path("/dev/full").open("wb") as full:
        served = subprocess.Popen([sys.executable, "-m", "fanseek", "sandbox"], stdout=full, stderr=subprocess.PIPE)
    assert served.stderr
    assert served.stderr.readline() == b"fanseek: the output could not be written: No space left on device\n"
    served.send_signal(signal.SIGTERM)
    assert (served.communicate(timeout=30)[1], served.returncode) == (b"", 0)
