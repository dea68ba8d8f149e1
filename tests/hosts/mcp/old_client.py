"""A talk with `fanseek mcp` by the client of `mcp` 1.x; runs in an environment of its own and prints JSON.

Its arguments are the command that starts the server.
"""

from __future__ import annotations

import json
import os
import sys
from datetime import timedelta
from typing import Any

import anyio
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent


async def talk(command: list[str]) -> dict[str, Any]:
    """What was heard."""
    found: dict[str, Any] = {"progress": []}

    async def note(progress: float, total: float | None, message: str | None) -> None:
        found["progress"].append([progress, total, message])

    parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        found["server"] = [hello.serverInfo.name, hello.serverInfo.version]
        found["protocol"] = hello.protocolVersion
        found["tools"] = [tool.name for tool in (await session.list_tools()).tools]
        result = await session.call_tool("search", {"query": "rust async", "max_results": 3}, progress_callback=note)
        block = result.content[0]
        found["text"] = block.text if isinstance(block, TextContent) else ""
        found["structured"] = result.structuredContent
        found["wrong"] = (await session.call_tool("search", {"max_results": 3})).isError
        try:
            await session.call_tool("nonsense", {})
        except McpError as problem:
            found["unknown"] = problem.error.code
        try:
            await session.call_tool("search", {"query": "slow"}, read_timeout_seconds=timedelta(milliseconds=1))
        except McpError as problem:
            found["timeout"] = problem.error.code
        found["after"] = (await session.call_tool("status", {})).isError
    return found


if __name__ == "__main__":
    sys.stdout.write(json.dumps(anyio.run(talk, sys.argv[1:])))
