"""`fanseek worker` as a host drives it: a real process, real pipes, the sandbox's eleven backends."""

from __future__ import annotations

import json
import os
import pty
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import fanseek
from conversation import Conversation
from fanseek.sandbox import Sandbox
from processes import CANARY, PATIENCE_S

HOST = {"protocol": 1, "client": {"name": "a host", "version": "0"}}


@pytest.fixture
def worker(surroundings: dict[str, str]) -> Iterator[Conversation]:
    """A worker that has been greeted."""
    with Conversation("worker", env=surroundings) as talk:
        talk.result("initialize", **HOST)
        yield talk


@pytest.fixture
def common(box: Sandbox, tmp_path: Path) -> dict[str, Any]:
    """What a host sends along with each request."""
    place = {name: str(tmp_path / "place" / name) for name in ("state", "cache", "history")}
    return {"settings": box.settings(), "keys": dict(box.environment), "place": place}


def test_the_greeting_names_versions_and_methods(surroundings: dict[str, str]) -> None:
    with Conversation("worker", env=surroundings) as talk:
        hello = talk.result("initialize", **HOST)
        assert hello["protocol"] == 1
        assert (hello["name"], hello["version"]) == ("fanseek", fanseek.__version__)
        assert hello["python"].startswith("3.")
        assert set(hello["methods"]) == {"search", "status", "test", "history", "history/clear", "schema"}
        assert talk.result("ping") == {}
        assert talk.end() == 0
        assert talk.said == b""


@pytest.mark.parametrize("protocol", [2, 0, "1", None, True, [1]])
def test_another_protocol_is_refused_in_words(surroundings: dict[str, str], protocol: Any) -> None:
    with Conversation("worker", env=surroundings) as talk:
        error = talk.error("initialize", protocol=protocol)
        assert f"fanseek {fanseek.__version__} speaks protocol 1" in error["message"]
        assert talk.error("status")["code"] == -32600


def test_a_search_brings_merged_sources_and_every_outcome(
    worker: Conversation, common: dict[str, Any], names: list[str]
) -> None:
    """HF2: the harness's own result, and beside it how each backend fared."""
    found = worker.result("search", query="rust async runtime", maxResults=5, **common)
    assert found["status"] == "ok"
    assert len(found["sources"]) == 5
    assert all(source["url"].startswith("http") and source["title"] for source in found["sources"])
    assert found["truncated"]
    assert {outcome["backend"] for outcome in found["outcomes"]} == set(names)
    assert "[websearch backends]" in found["content"]
    assert "settingsProblems" not in found


def test_progress_comes_where_it_is_asked_for(worker: Conversation, common: dict[str, Any], names: list[str]) -> None:
    id_ = worker.ask("search", query="rust async runtime", progress=True, **common)
    worker.reply(id_)
    told = worker.heard
    assert all(one["method"] == "progress" and one["params"]["id"] == id_ for one in told)
    events = [one["params"]["event"] for one in told]
    assert events[0] == {"type": "started", "backends": events[0]["backends"]}
    assert sorted(one["backend"] for one in events[1:]) == sorted(names) == sorted(events[0]["backends"])
    assert {one["outcome"] for one in events[1:]} == {"ok"}
    worker.result("search", query="another thing", **common)
    assert worker.heard == []


def test_four_searches_share_one_engine(worker: Conversation, common: dict[str, Any], box: Sandbox) -> None:
    """HF4: connections are shared, and one outage seen by four searches at once is one failure."""
    box.faults.add("brave", "503")
    ids = [worker.ask("search", query=f"query number {number}", **common) for number in range(4)]
    for id_ in ids:
        assert worker.reply(id_)["result"]["status"] == "partial"
    rows = {row["id"]: row for row in worker.result("status", **common)["backends"]}
    assert rows["brave"]["failCount"] == 1
    assert {row["state"] for name, row in rows.items() if name != "brave"} == {"ready"}


def test_changed_settings_and_keys_hold_from_the_next_search_on(
    worker: Conversation, common: dict[str, Any], box: Sandbox
) -> None:
    """Stateless as to configuration: nothing is remembered of an earlier request but what it found out."""
    one = {**common, "settings": {**box.settings(), "numResults": 2}}
    assert len(worker.result("search", query="rust async", **one)["sources"]) == 2
    two = {**common, "settings": {**box.settings(), "numResults": 3, "enableBrave": "off"}, "keys": {}}
    found = worker.result("search", query="rust async", **two)
    assert len(found["sources"]) == 3
    assert "brave" not in {outcome["backend"] for outcome in found["outcomes"]}
    rows = {row["id"]: row for row in worker.result("status", **two)["backends"]}
    assert rows["brave"]["state"] == "off"
    assert (rows["serper"]["state"], rows["serper"]["keyFound"]) == ("no-key", False)
    rows = {row["id"]: row for row in worker.result("status", **common)["backends"]}
    assert (rows["serper"]["state"], rows["serper"]["keyFound"]) == ("ready", True)


def test_a_wrong_setting_costs_itself_and_no_search(worker: Conversation, common: dict[str, Any]) -> None:
    wrong = {"numResults": 10_000, "bogus": 1, "enableBrave": "perhaps", "deadlineMs": None, "lang": 7}
    found = worker.result("search", query="rust async", **{**common, "settings": {**common["settings"], **wrong}})
    assert found["status"] == "ok"
    problems = {problem.get("key", ""): problem["message"] for problem in found["settingsProblems"]}
    assert set(problems) == {"numResults", "enableBrave", "lang", ""}
    assert "bogus" in problems[""]


def test_an_aborted_search_ends_at_once(worker: Conversation, common: dict[str, Any], box: Sandbox) -> None:
    """B9: WEB_ABORTED, answered once, and the worker goes on."""
    box.faults.add("*", "hang")
    id_ = worker.ask("search", query="rust async", progress=True, **common)
    while (worker.hear() or {}).get("method") != "progress":
        pass
    worker.tell("cancel", id=id_)
    assert worker.reply(id_)["error"]["data"] == {"code": "WEB_ABORTED", "retryable": False}
    box.faults.clear()
    assert worker.result("search", query="rust async", **common)["status"] == "ok"
    assert [one for one in worker.heard if one.get("id") == id_] == []


def test_what_the_host_has_left_of_its_patience_is_kept(
    worker: Conversation, common: dict[str, Any], box: Sandbox
) -> None:
    """HF5: an honest part before the host gives up."""
    worker.result("status", **common)
    box.faults.add("brave", "hang")
    found = worker.result("search", query="rust async", timeoutMs=1500, **common)
    assert found["status"] == "partial"
    assert found["sources"]
    late = next(one for one in found["outcomes"] if one["backend"] == "brave")
    assert late["status"] in ("late", "timeout")
    assert late["ms"] < 5000, "its own cap is twice as long"


def test_all_failed_is_an_error_with_every_reason(
    worker: Conversation, common: dict[str, Any], box: Sandbox, names: list[str]
) -> None:
    """B10."""
    box.faults.add("*", "500")
    error = worker.error("search", query="rust async", **common)
    assert error["code"] == -32000
    assert error["data"] == {"code": "WEB_PROVIDER_ERROR", "retryable": True}
    assert all(name in error["message"] for name in names)


def test_what_cannot_be_searched_for_is_said_and_not_raised(worker: Conversation, common: dict[str, Any]) -> None:
    """HF4: a throw would cost the three other queries."""
    found = worker.result("search", query="   ", **common)
    assert (found["status"], found["sources"], found["outcomes"]) == ("refused", [], [])
    assert found["content"]


@pytest.mark.parametrize(
    ("lang", "word"), [("zh", "搜索"), ("zh-CN", "搜索"), ("en", "search"), (None, "search"), ("fr", "search")]
)
def test_messages_are_in_the_language_of_the_request(
    worker: Conversation, common: dict[str, Any], lang: str | None, word: str
) -> None:
    assert word in worker.result("search", query="   ", lang=lang, **common)["content"]


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"query": "a", "settings": [1]},
        {"query": "a", "keys": {"A": 1}},
        {"query": "a", "place": {"state": "relative/folder"}},
        {"query": "a", "backends": "brave"},
        {"query": "a", "timeoutMs": "soon"},
    ],
)
def test_wrong_parameters_are_named(worker: Conversation, params: dict[str, Any]) -> None:
    error = worker.error("search", **params)
    assert error["code"] == -32602
    assert "wrong params" in error["message"]


def test_a_backend_is_tried_alone(worker: Conversation, common: dict[str, Any], box: Sandbox) -> None:
    found = worker.result("test", backend="brave", **common)
    assert (found["ok"], found["backend"], found["outcome"]) == (True, "brave", "ok")
    assert found["results"] > 0
    assert {name for name in box.urls if len(box.log[name])} == {"brave"}
    assert worker.error("test", backend="nobody", **common)["code"] == -32602
    assert worker.result("history", **common)["entries"] == []


def test_history_is_kept_in_its_place_and_forgotten(worker: Conversation, common: dict[str, Any]) -> None:
    """O4, O5: also without settings and keys, which an open engine keeps."""
    for number in range(3):
        worker.result("search", query=f"query {number}", **common)
    place = {"place": common["place"]}
    found = worker.result("history", **place)
    assert [entry["query"] for entry in found["entries"]] == ["query 2", "query 1", "query 0"]
    assert {"id", "ok", "ms", "at", "failCount", "cooled"} == set(found["backends"][0])
    assert len(worker.result("history", limit=1, **place)["entries"]) == 1
    assert worker.result("history", place={})["entries"] == []
    assert worker.result("history/clear", **place) == {"ok": True, "cleared": True}
    assert worker.result("history", **place)["entries"] == []


def test_the_schema_is_that_of_the_installed_backends(worker: Conversation) -> None:
    from fanseek.config.schema import composed

    assert worker.result("schema", lang="en")["schema"] == composed()


def test_the_end_of_input_is_the_end(worker: Conversation, common: dict[str, Any], box: Sandbox) -> None:
    """BC-161: exit code 0 within a moment, with a search under way; its id is answered."""
    box.faults.add("*", "hang")
    id_ = worker.ask("search", query="rust async", progress=True, **common)
    while (worker.hear() or {}).get("method") != "progress":
        pass
    assert worker.end() == 0
    assert [one["error"]["data"]["code"] for one in worker.heard if one.get("id") == id_] == ["WEB_ABORTED"]


def test_a_question_in_a_pipe_is_answered(surroundings: dict[str, str], common: dict[str, Any]) -> None:
    with Conversation("worker", env=surroundings) as talk:
        talk.ask("initialize", **HOST)
        id_ = talk.ask("ping")
        assert talk.end() == 0
        assert {"jsonrpc": "2.0", "id": id_, "result": {}} in talk.heard


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_the_end(worker: Conversation, number: signal.Signals) -> None:
    worker.result("status")
    worker.process.send_signal(number)
    assert worker.ended() == 128 + number
    assert worker.said == b""


def test_nobody_listens_any_more(surroundings: dict[str, str]) -> None:
    """EPIPE is the end, too, and without a word."""
    hear, sink = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "fanseek", "worker"],
        env=surroundings,
        stdin=subprocess.PIPE,
        stdout=sink,
        stderr=subprocess.PIPE,
    ) as process:
        os.close(sink)
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert b'"id":1' in os.read(hear, 1000)
        os.close(hear)
        process.stdin.write(b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
        process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0
        assert process.stderr.read() == b""


def test_the_canary_of_every_key_stays_inside(worker: Conversation, common: dict[str, Any], box: Sandbox) -> None:
    """BC-040: keys that every backend refuses are in no answer and on no standard error; the fixture looks."""
    box.faults.add("*", "401")
    keys = dict.fromkeys(box.environment, CANARY)
    whole = {**common, "keys": keys}
    assert worker.error("search", query=f"rust {CANARY[:5]}", progress=True, **whole)["data"]["retryable"]
    worker.result("status", **whole)
    worker.result("test", backend="brave", **whole)
    worker.result("history", **whole)
    worker.error("search", query="rust", **{**whole, "place": {"state": 7}})
    assert worker.end() == 0
    for path in Path(common["place"]["state"]).parent.rglob("*"):
        assert not path.is_file() or CANARY.encode() not in path.read_bytes()


def test_a_closed_standard_output_is_said_in_words(surroundings: dict[str, str]) -> None:
    ran = subprocess.run(
        ["sh", "-c", f'exec "{sys.executable}" -m fanseek worker >&-'],
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
        timeout=PATIENCE_S,
    )
    assert ran.returncode == 2
    assert b"standard output is closed" in ran.stderr
    assert b"Traceback" not in ran.stderr


@pytest.mark.parametrize("whence", ["file", "socket", "terminal"])
def test_standard_input_may_be_anything(surroundings: dict[str, str], tmp_path: Path, whence: str) -> None:
    """Node.js gives its children sockets, a person a terminal, a script a file."""
    lines = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n'
    near, far = socket.socketpair()
    leader, follower = pty.openpty()
    file = tmp_path / "asked.jsonl"
    file.write_bytes(lines)
    with file.open("rb") as opened:
        given = {"file": opened.fileno(), "socket": near.fileno(), "terminal": follower}[whence]
        process = subprocess.Popen(
            [sys.executable, "-m", "fanseek", "worker"], env=surroundings, stdin=given, stdout=subprocess.PIPE
        )
    far.sendall(lines)
    os.write(leader, lines + b"\x04")
    near.close()
    far.close()
    os.close(follower)
    with process:
        assert process.stdout.read().count(b'"result":{}') == 2
        assert process.wait(PATIENCE_S) == 0
    os.close(leader)


HOST_THAT_DIES = """
import json, subprocess, sys, time
worker = subprocess.Popen([sys.executable, "-m", "fanseek", "worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for id_, method, params in ((1, "initialize", {"protocol": 1}), (2, "search", json.loads(sys.argv[1]))):
    line = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
    worker.stdin.write(json.dumps(line).encode() + b"\\n")
    worker.stdin.flush()
    worker.stdout.readline()
print(worker.pid, flush=True)
time.sleep(600)
"""


def test_a_worker_does_not_outlive_its_host(surroundings: dict[str, str], common: dict[str, Any], box: Sandbox) -> None:
    """A host that is killed can close nothing; its worker ends all the same, in the middle of a search."""
    box.faults.add("*", "hang")
    asked = json.dumps({"query": "rust async", "progress": True, **common})
    with subprocess.Popen(
        [sys.executable, "-c", HOST_THAT_DIES, asked],
        env=surroundings,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    ) as host:
        worker = psutil.Process(int(host.stdout.readline()))
        assert worker.is_running()
        host.kill()
        host.wait(PATIENCE_S)
    gone, _ = psutil.wait_procs([worker], timeout=PATIENCE_S)
    assert gone or worker.status() == psutil.STATUS_ZOMBIE


def test_a_line_of_64_megabytes_is_refused_and_costs_no_memory(worker: Conversation) -> None:
    memory = psutil.Process(worker.process.pid).memory_info
    worker.result("status")
    before = memory().rss
    worker.say(b'{"jsonrpc":"2.0","id":77,"method":"search","params":{"query":"')
    for _ in range(64):
        worker.say(b"x" * 1024 * 1024)
    worker.say(b'"}}\n')
    error = worker.reply(77)["error"]
    assert error["code"] == -32600
    assert "the most is 8388608" in error["message"]
    assert memory().rss - before < 40 * 1024 * 1024
    assert worker.result("ping") == {}
