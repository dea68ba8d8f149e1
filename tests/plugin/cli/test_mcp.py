"""`fanseek mcp` as a client drives it: a real process, real pipes, the sandbox's eleven backends."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import fanseek
from conversation import Conversation
from fanseek.sandbox import Sandbox
from fanseek.surface.mcp.tools import TOOLS
from processes import CANARY, Command, Screen

CLIENT = {"capabilities": {}, "clientInfo": {"name": "a client", "version": "0"}}
NEWEST = "2025-11-25"

Start = Callable[..., Conversation]


@pytest.fixture
def start(surroundings: dict[str, str], at_box: dict[str, str], box: Sandbox) -> Iterator[Start]:
    """Start a server that asks the sandbox, and greet it."""
    talks: list[Conversation] = []

    def begin(*args: str, protocol: str = NEWEST, code: str = "", **env: str) -> Conversation:
        whole = {**surroundings, **at_box, **box.environment, **env}
        talk = Conversation(*(() if code else ("mcp",)), *args, env=whole, code=code)
        talks.append(talk)
        talk.hello = talk.result("initialize", protocolVersion=protocol, **CLIENT)
        talk.tell("notifications/initialized")
        return talk

    yield begin
    for talk in talks:
        with talk:
            pass


def call(talk: Conversation, name: str, /, **arguments: Any) -> dict[str, Any]:
    return talk.result("tools/call", name=name, arguments=arguments)


def text(result: dict[str, Any]) -> str:
    (block,) = result["content"]
    assert block["type"] == "text"
    found: str = block["text"]
    return found


@pytest.mark.parametrize(
    ("asked", "spoken"),
    [(NEWEST, NEWEST), ("2025-06-18", "2025-06-18"), ("2024-11-05", NEWEST), ("2031-01-01", NEWEST), ("", NEWEST)],
)
def test_the_protocol_is_agreed_on_and_the_server_named(start: Start, asked: str, spoken: str) -> None:
    """A1, T6."""
    hello = start(protocol=asked).hello
    assert hello["protocolVersion"] == spoken
    assert hello["serverInfo"]["name"] == "fanseek"
    assert hello["serverInfo"]["version"] == fanseek.__version__
    assert hello["capabilities"] == {"tools": {"listChanged": False}}


def test_nothing_but_the_protocol_is_on_standard_output(start: Start, box: Sandbox) -> None:
    """A1, BC-159: every line is parsed by the fixture; calls that fail and methods that do not exist included."""
    talk = start(LOG_LEVEL="DEBUG", PYTHONWARNINGS="always", PYTHONUTF8="0", PYTHONIOENCODING="gbk")
    assert talk.result("tools/list") == {"tools": json.loads(json.dumps(TOOLS))}
    assert "天气 🌧" in text(call(talk, "search", query="天气 🌧", max_results=20))
    box.faults.add("*", "500")
    assert call(talk, "search", query="another")["isError"]
    for method in ("resources/list", "prompts/list", "server/discover", "completion/complete", "shutdown"):
        assert talk.error(method)["code"] == -32601
    assert talk.result("ping") == {}
    assert talk.end() == 0


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":null}\n', None),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":null}}\n', None),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{"cursor":"x"}}\n', -32602),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"status"}}\n', None),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"status","arguments":null}}\n', None),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nonsense","arguments":{}}}\n', -32602),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":["search"]}}\n', -32602),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call"}\n', -32602),
        (b'{"jsonrpc":"2.0","id":9,"method":"initialize","params":{"protocolVersion":1}}\n', -32602),
    ],
    ids=range(9),
)
def test_null_parameters_and_unknown_tools(start: Start, raw: bytes, code: int | None) -> None:
    """BC-164."""
    talk = start()
    talk.say(raw)
    assert talk.reply(9).get("error", {}).get("code") == code


def test_a_search_is_text_that_stands_alone(start: Start, names: list[str]) -> None:
    talk = start()
    result = call(talk, "search", query="rust async runtime", max_results=4)
    assert set(result) == {"content"}
    body = text(result)
    opening, closing = (line for line in body.split("\n") if line.startswith(("<<< web content ", ">>> end of web ")))
    assert opening.rpartition(" ")[2] == closing.rpartition(" ")[2]
    inside = body.partition(opening)[2].partition(closing)[0]
    assert inside.count("found by:") == 4
    assert all(f"{number}. " in inside for number in range(1, 5))
    assert "[websearch backends]" in body.partition(closing)[2]
    again = text(call(talk, "search", query="rust async runtime", max_results=4))
    assert opening not in again, "the mark is drawn for each answer"


@pytest.mark.parametrize(("flags", "arguments"), [((), {"structured": True}), (("--structured",), {})])
def test_json_comes_where_it_is_asked_for(start: Start, flags: tuple[str, ...], arguments: dict[str, Any]) -> None:
    """X14."""
    talk = start(*flags)
    result = call(talk, "search", query="rust async runtime", max_results=2, **arguments)
    assert len(result["structuredContent"]["sources"]) == 2
    assert result["structuredContent"]["notice"]
    assert text(result)
    assert call(talk, "status", **arguments)["structuredContent"]["backends"]


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "query"),
        ({"query": ""}, "query"),
        ({"query": {"a": 1}}, "query must be a text"),
        ({"query": "q", "max_results": "many"}, "max_results must be a whole number"),
        ({"query": "q", "freshness": "yesterday"}, "freshness must be one of"),
        ({"query": "q", "time_range": "soon"}, "time"),
        ({"query": "q", "safe_search": "maybe"}, "safe"),
        ({"query": "q", "backends": ["nobody"]}, "nobody"),
        ({"query": "q", "include_domains": 7}, "include_domains must be a list of texts"),
    ],
    ids=range(9),
)
def test_bad_arguments_are_told_to_the_model(start: Start, arguments: dict[str, Any], word: str) -> None:
    result = call(start(), "search", **arguments)
    assert result["isError"]
    assert word in text(result)


def test_arguments_as_models_send_them_work(start: Start, box: Sandbox) -> None:
    """BC-164."""
    talk = start()
    for extra in ({"region": None}, {"region": "null"}, {"include_domains": ["null"]}, {"region": ""}):
        assert "isError" not in call(talk, "search", query="rust async", **extra)
    assert text(call(talk, "search", query="rust async", max_results="3")).count("found by:") == 3
    assert "Arguments that are not known were left alone: bogus." in text(call(talk, "search", query="rust", bogus=1))
    assert "isError" not in talk.result("tools/call", name="search", arguments='{"query": "rust"}')


def test_dates_in_the_query_are_wishes(start: Start) -> None:
    found = call(start(), "search", query="rust async after:2026-01-01 before:2026-02-01", structured=True)
    assert found["structuredContent"]["timeRange"] == "2026-01-01..2026-01-31"


def test_each_backend_is_told_as_it_ends(start: Start, names: list[str]) -> None:
    talk = start()
    talk.result("tools/call", name="search", arguments={"query": "rust async"}, _meta={"progressToken": "token-1"})
    told = [one["params"] for one in talk.heard if one.get("method") == "notifications/progress"]
    assert [one["progress"] for one in told] == list(range(1, len(names) + 1))
    assert {one["progressToken"] for one in told} == {"token-1"}
    assert {one["total"] for one in told} == {len(names)}
    assert {one["message"].split()[0] for one in told} == set(names)
    call(talk, "search", query="something else")
    assert talk.heard == []


def test_what_is_cancelled_is_never_answered(start: Start, box: Sandbox) -> None:
    """The specification's rule: no answer, not even a late one."""
    box.faults.add("brave", "hang")
    talk = start()
    call(talk, "status")
    id_ = talk.ask("tools/call", name="search", arguments={"query": "rust async"}, _meta={"progressToken": 1})
    while (talk.hear() or {}).get("method") != "notifications/progress":
        pass
    talk.tell("notifications/cancelled", requestId=id_, reason="changed my mind")
    talk.tell("notifications/cancelled", requestId=4711)
    box.faults.clear()
    assert "isError" not in call(talk, "search", query="something else")
    assert talk.end() == 0
    assert [one for one in talk.heard if one.get("id") == id_] == []


def test_a_client_that_leaves_is_not_answered_any_more(start: Start, box: Sandbox) -> None:
    """BC-161: it may not be able to take an answer; the server ends at once, with exit code 0."""
    box.faults.add("brave", "hang")
    talk = start()
    id_ = talk.ask("tools/call", name="search", arguments={"query": "rust async"}, _meta={"progressToken": 1})
    while (talk.hear() or {}).get("method") != "notifications/progress":
        pass
    assert talk.end() == 0
    assert [one for one in talk.heard if one.get("id") == id_] == []


def test_all_failed_is_an_error_with_reasons_in_the_frame(start: Start, box: Sandbox, names: list[str]) -> None:
    box.faults.add("*", "500")
    result = call(start(), "search", query="rust async")
    assert result["isError"]
    body = text(result)
    before, _, rest = body.partition("<<< web content ")
    assert "could not be made" in before
    assert all(name in rest.partition(">>> end")[0] for name in names)


def test_the_status_says_who_can_be_asked(start: Start, box: Sandbox) -> None:
    box.faults.add("brave", "500")
    talk = start(FANSEEK_ENABLE_SERPER="off", TAVILY_API_KEY="")
    call(talk, "search", query="rust async")
    body = text(call(talk, "status"))
    assert f"fanseek {fanseek.__version__}: " in body
    assert "- exa: ready" in body
    assert "- brave: its last call failed" in body
    assert "- serper: off" in body
    assert "- tavily: needs a key (fanseek keys set TAVILY_API_KEY" in body
    assert "brave" in body.partition("<<< web content ")[2]
    assert CANARY not in body


def test_a_wrong_setting_is_told_to_the_model_and_can_be_mended(start: Start, tmp_path: Path) -> None:
    """The engine is opened again with the next call, so that nobody has to start the client again."""
    file = tmp_path / "config.toml"
    file.write_text("numResults = 5000\n", encoding="utf-8")
    talk = start("--config", str(file))
    for _ in range(2):
        result = call(talk, "search", query="rust async")
        assert result["isError"]
        assert "numResults" in text(result)
    file.write_text("numResults = 2\n", encoding="utf-8")
    assert text(call(talk, "search", query="rust async")).count("found by:") == 2


def test_chinese_where_it_is_set(start: Start) -> None:
    talk = start("--lang", "zh")
    assert "第三方的文字" in text(call(talk, "search", query="rust async"))
    assert "个引擎" in text(call(talk, "status"))


def test_a_text_has_a_limit(start: Start) -> None:
    """BC-165."""
    body = text(call(start("--max-chars", "2500"), "search", query="rust async", max_results=50))
    assert len(body) <= 2500
    assert "cut to 2500 characters" in body


NOISE = """
import os, subprocess, sys
from fanseek import __main__, registry
before = registry.scan
def scan(package):
    print("noise of an import"); os.write(1, b"raw noise\\n")
    subprocess.run([sys.executable, "-c", "print('noise of a child')"])
    return before(package)
registry.scan = scan
sys.argv = ["fanseek", "mcp", *sys.argv[1:]]
sys.exit(__main__.main())
"""


def test_a_backend_that_prints_disturbs_nothing(start: Start) -> None:
    """BC-159."""
    talk = start(code=NOISE)
    assert "isError" not in call(talk, "search", query="rust async")
    assert talk.end() == 0
    assert all(noise in talk.said for noise in (b"noise of an import", b"raw noise", b"noise of a child"))


def test_a_search_without_a_network_says_that_it_is_made_up(surroundings: dict[str, str]) -> None:
    with Conversation("mcp", "--sandbox", env=surroundings) as talk:
        talk.result("initialize", protocolVersion=NEWEST, **CLIENT)
        assert text(call(talk, "search", query="rust async")).startswith("[SYNTHETIC")
        assert talk.end() == 0


def test_the_canary_of_every_key_stays_inside(
    surroundings: dict[str, str], at_box: dict[str, str], box: Sandbox
) -> None:
    """BC-040: every key of the environment is the canary, every backend refuses it; the fixture looks at all output."""
    box.faults.add("*", "401")
    on = {name: "on" for name in at_box if name.startswith("FANSEEK_ENABLE_")}
    with Conversation("mcp", "--structured", env={**surroundings, **at_box, **on}) as talk:
        talk.result("initialize", protocolVersion=NEWEST, **CLIENT)
        for tool, arguments in (("search", {"query": f"rust {CANARY[:4]}"}), ("status", {}), ("search", {"query": 1})):
            call(talk, tool, **arguments)
        assert talk.end() == 0


@pytest.mark.parametrize("client", ["claude", "codex", "cursor"])
def test_what_a_client_is_told_starts_the_server(fanseek: Command, surroundings: dict[str, str], client: str) -> None:
    ran = fanseek("mcp", "config", client, "--sandbox", "--set", "numResults=3", "--max-chars", "9000")
    assert ran.code == 0
    whole = tomllib.loads(ran.text)["mcp_servers"] if client == "codex" else ran.json["mcpServers"]
    entry = whole["fanseek"]
    assert set(entry) == {"command", "args"}
    assert "keys set" in ran.said

    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": NEWEST, **CLIENT}}
    listed = subprocess.run(
        [entry["command"], *entry["args"]],
        env=surroundings,
        input=json.dumps(hello).encode() + b"\n",
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert json.loads(listed.stdout)["result"]["serverInfo"]["name"] == "fanseek"


@pytest.mark.parametrize(
    "flag", [("--set", "bogus=1"), ("--proxy", "http://u:p@127.0.0.1:1"), ("--config", "nowhere.toml")]
)
def test_what_would_not_start_is_not_told_to_a_client(fanseek: Command, flag: tuple[str, ...]) -> None:
    ran = fanseek("mcp", "config", "claude", *flag)
    assert ran.code == 2
    assert ran.text == ""


def test_a_person_at_a_terminal_is_told_what_this_is(screen: Callable[..., Screen]) -> None:
    found = screen("mcp")
    found.read_until(b"fanseek mcp config claude")


def test_little_is_loaded_before_the_first_answer() -> None:
    """Ready in under half a second: what takes longer to load is loaded in the background."""
    look = (
        "import sys, fanseek.cli.mcp, fanseek.surface.mcp.service; print(*{n.partition('.')[0] for n in sys.modules})"
    )
    ran = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True, encoding="utf-8")
    assert not {"httpx", "selectolax", "rapidfuzz", "sqlite3", "fanseek_backends", "mcp"} & set(ran.stdout.split())


def test_it_is_ready_long_before_the_official_sdk_is_loaded(start: Start) -> None:
    """A ratio of two starts that take turns, so that a loaded machine slows both."""
    import time

    def timed(begin: Callable[[], object]) -> float:
        began = time.perf_counter()
        begin()
        return time.perf_counter() - began

    sdk = [sys.executable, "-c", "import mcp.server.mcpserver"]
    pairs = [(timed(start), timed(lambda: subprocess.run(sdk, check=True))) for _ in range(3)]
    assert min(ours / theirs for ours, theirs in pairs) < 0.7


def test_the_readme_shows_what_is_printed() -> None:
    from fanseek.surface.mcp.clients import snippet

    root = Path(__file__).resolve().parents[3]
    for name in ("README.md", "README.zh-CN.md"):
        assert snippet("claude", ["fanseek", "mcp"]) in (root / name).read_text(encoding="utf-8")
