"""The MCP client against the official package's server, in its own process on loopback."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx
import pytest
from anyio.abc import Process
from anyio.streams.text import TextReceiveStream

from fanseek.contract import McpCall
from fanseek.http.client import Client

SERVER = Path(__file__).with_name("official_server.py")
MODES = [("stateful", "stream"), ("stateful", "json"), ("stateless", "stream"), ("stateless", "json")]


@asynccontextmanager
async def official(sessions: str, form: str, port: int = 0) -> AsyncIterator[tuple[str, Process]]:
    if not port:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
    command = [sys.executable, str(SERVER), str(port), sessions, form]
    async with await anyio.open_process(command, stdout=None) as process:
        try:
            with anyio.fail_after(60):
                await listening(port)
            yield f"http://127.0.0.1:{port}/mcp", process
        finally:
            process.kill()


async def listening(port: int) -> None:
    while True:
        try:
            async with await anyio.connect_tcp("127.0.0.1", port):
                return
        except OSError:
            await anyio.sleep(0.05)


def search(url: str, query: str) -> McpCall:
    return McpCall(url=url, tool="web_search", arguments={"query": query})


@pytest.mark.parametrize(("sessions", "form"), MODES)
async def test_the_official_server_answers(sessions: str, form: str) -> None:
    """C22: with and without sessions, as JSON and as a stream, several at once."""
    async with official(sessions, form) as (url, _), Client() as client:
        texts: list[str] = []

        async def ask(query: str) -> None:
            texts.append((await client.call(search(url, query))).tool.text)

        await ask("天气")
        async with anyio.create_task_group() as tasks:
            for number in range(4):
                tasks.start_soon(ask, str(number))
        wrong = await client.call(McpCall(url=url, tool="no_such_tool", arguments={}))
    assert texts[0] == "found 天气"
    assert sorted(texts[1:]) == [f"found {number}" for number in range(4)]
    assert wrong.rpc.error is not None or wrong.tool.is_error


async def test_a_restarted_official_server_is_begun_anew_with() -> None:
    """BC-155: its sessions are gone, the third call works all the same."""
    async with Client() as client:
        async with official("stateful", "stream") as (url, _):
            await client.call(search(url, "1"))
            await client.call(search(url, "2"))
        async with official("stateful", "stream", httpx.URL(url).port or 0):
            answer = await client.call(search(url, "3"))
    assert answer.tool.text == "found 3"


async def test_the_official_server_understands_that_a_call_is_taken_back() -> None:
    async with official("stateful", "stream") as (url, process), Client() as client:
        assert process.stderr is not None
        said = TextReceiveStream(process.stderr)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call, McpCall(url=url, tool="slow", arguments={}))
            await heard(said, "begun")
            tasks.cancel_scope.cancel()
        await heard(said, "taken back")


async def heard(said: TextReceiveStream, word: str) -> None:
    text = ""
    with anyio.fail_after(30):
        while word not in text:
            text += await said.receive()
