"""Our MCP client as the conformance suite runs it: its server's address is the last argument."""

from __future__ import annotations

import os
import sys

import anyio

from fanseek.contract import McpCall
from fanseek.http.client import Client

CALLS = {
    "initialize": McpCall(url="", tool="none", arguments={}),
    "tools_call": McpCall(url="", tool="add_numbers", arguments={"a": 5, "b": 3}),
    "sse-retry": McpCall(url="", tool="test_reconnection", arguments={}),
}
EXPECTED = {"tools_call": "8", "sse-retry": "Reconnection test completed successfully"}


async def main(scenario: str, url: str) -> None:
    """Call the scenario's tool and check what it says."""
    call = CALLS[scenario]
    async with Client() as client:
        response = await client.call(McpCall(url=url, tool=call.tool, arguments=call.arguments))
    said = response.tool.text
    if EXPECTED.get(scenario, "") not in said:
        sys.exit(f"{scenario}: the tool said {said!r}")


if __name__ == "__main__":
    anyio.run(main, os.environ["MCP_CONFORMANCE_SCENARIO"], sys.argv[-1])
