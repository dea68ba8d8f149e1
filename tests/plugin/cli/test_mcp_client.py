"""`fanseek mcp` under the official client, the package `mcp` 2.x, on both event loops. Its 1.x is in tests/hosts/mcp."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client

import fanseek
from fanseek.sandbox import Sandbox

Mode = Literal["legacy", "auto"]


@asynccontextmanager
async def client(environment: dict[str, str], *args: str, mode: Mode = "auto") -> AsyncIterator[Client]:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "fanseek", "mcp", *args], env=environment)
    with anyio.fail_after(60):
        async with Client(stdio_client(parameters), mode=mode) as found:
            yield found


@pytest.fixture
def environment(surroundings: dict[str, str], at_box: dict[str, str], box: Sandbox) -> dict[str, str]:
    return {**surroundings, **at_box, **box.environment}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_client_finds_and_calls_both_tools(environment: dict[str, str], mode: Mode, names: list[str]) -> None:
    """A1, T6; `auto` asks first for a protocol without a handshake, which is not spoken here."""
    told: list[tuple[float, float | None, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with client(environment, mode=mode) as found:
        assert found.server_info.name == "fanseek"
        assert found.server_info.version == fanseek.__version__
        assert found.protocol_version == "2025-11-25"
        tools = (await found.list_tools()).tools
        assert {tool.name for tool in tools} == {"search", "status"}
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in tools)
        result: Any = await found.call_tool("search", {"query": "rust async", "max_results": 3}, progress_callback=note)
        assert not result.is_error
        assert result.structured_content is None
        assert result.content[0].text.count("found by:") == 3
        assert [one[:2] for one in told] == [(number, len(names)) for number in range(1, len(names) + 1)]
        assert "11 of 11" in (await found.call_tool("status", {})).content[0].text
        structured: Any = await found.call_tool("search", {"query": "rust async", "structured": True})
        assert structured.structured_content["status"] == "ok"
        wrong: Any = await found.call_tool("search", {"query": "q", "max_results": "many"})
        assert wrong.is_error
        with pytest.raises(MCPError, match="Unknown tool"):
            await found.call_tool("nonsense", {})


async def test_a_client_that_gives_up_is_not_answered(environment: dict[str, str], box: Sandbox) -> None:
    """It tells the server, whose search ends; the next call is answered as ever."""
    box.faults.add("brave", "hang")
    begun = anyio.Event()

    async def note(_progress: float, _total: float | None, _message: str | None) -> None:
        begun.set()

    async with client(environment) as found:
        async with anyio.create_task_group() as group:

            async def search() -> None:
                await found.call_tool("search", {"query": "rust async"}, progress_callback=note)

            group.start_soon(search)
            await begun.wait()
            group.cancel_scope.cancel()
        box.faults.clear()
        result: Any = await found.call_tool("search", {"query": "another thing"})
        assert not result.is_error
