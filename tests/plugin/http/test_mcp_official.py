"""The MCP client against the official package's server, in its own process on loopback."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from fanseek.contract import McpCall
from fanseek.http.client import Client

SERVER = Path(__file__).with_name("official_server.py")
MODES = ("stateful:stream", "stateful:json", "stateless:stream", "stateless:json")


@contextmanager
def official(places: dict[str, int], said: Path) -> Iterator[dict[str, str]]:
    """The addresses by mode; the process's stderr goes to `said`."""
    command = [sys.executable, str(SERVER), *(f"{port}:{mode}" for mode, port in places.items())]
    with said.open("wb") as sink, subprocess.Popen(command, stderr=sink, stdout=subprocess.DEVNULL) as process:
        try:
            for port in places.values():
                until_listening(port, process)
            yield {mode: f"http://127.0.0.1:{port}/mcp" for mode, port in places.items()}
        finally:
            process.kill()


def until_listening(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1200):
        assert process.poll() is None
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail("the official server does not listen")


def free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("official") / "said"


@pytest.fixture(scope="module")
def urls(said: Path) -> Iterator[dict[str, str]]:
    with official(dict(zip(MODES, free_ports(len(MODES)), strict=True)), said) as found:
        yield found


def search(url: str, query: str) -> McpCall:
    return McpCall(url=url, tool="web_search", arguments={"query": query})


@pytest.mark.parametrize("mode", MODES)
async def test_the_official_server_answers(mode: str, urls: dict[str, str]) -> None:
    """C22: with and without sessions, as JSON and as a stream, several at once."""
    async with Client() as client:
        texts: list[str] = []

        async def ask(query: str) -> None:
            texts.append((await client.call(search(urls[mode], query))).tool.text)

        await ask("天气")
        async with anyio.create_task_group() as tasks:
            for number in range(4):
                tasks.start_soon(ask, str(number))
        wrong = await client.call(McpCall(url=urls[mode], tool="no_such_tool", arguments={}))
    assert texts[0] == "found 天气"
    assert sorted(texts[1:]) == [f"found {number}" for number in range(4)]
    assert wrong.rpc.error is not None or wrong.tool.is_error


async def test_the_official_server_understands_that_a_call_is_taken_back(urls: dict[str, str], said: Path) -> None:
    already = spoken(said, "taken back")
    async with Client() as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call, McpCall(url=urls["stateful:stream"], tool="slow", arguments={}))
            await until_said(said, "begun", already + 1)
            tasks.cancel_scope.cancel()
        await until_said(said, "taken back", already + 1)


async def until_said(said: Path, word: str, times: int) -> None:
    with anyio.fail_after(30):
        while spoken(said, word) < times:  # noqa: ASYNC110 - another process says it
            await anyio.sleep(0.02)


def spoken(said: Path, word: str) -> int:
    return said.read_text(encoding="utf-8").count(word)


async def test_a_restarted_official_server_is_begun_anew_with(tmp_path: Path) -> None:
    """BC-155: its sessions are gone, the third call works all the same."""
    places = {"stateful:stream": free_ports(1)[0]}
    async with Client() as client:
        with official(places, tmp_path / "first") as urls:
            await client.call(search(urls["stateful:stream"], "1"))
            await client.call(search(urls["stateful:stream"], "2"))
        with official(places, tmp_path / "second") as urls:
            answer = await client.call(search(urls["stateful:stream"], "3"))
    assert answer.tool.text == "found 3"
