"""A server of the official `mcp` package, run as a process: `official_server.py PORT stateful|stateless json|stream`."""

from __future__ import annotations

import sys

import anyio
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("official")


@server.tool()
async def web_search(query: str, context: Context) -> str:
    """Echo, after a word on the way."""
    await context.info("searching")
    await context.report_progress(1, 2)
    return f"found {query}"


@server.tool()
async def slow(context: Context) -> str:
    """Hang until cancelled, then say so on stderr."""
    sys.stderr.write("begun\n")
    sys.stderr.flush()
    try:
        await anyio.sleep_forever()
    except BaseException:
        sys.stderr.write("taken back\n")
        sys.stderr.flush()
        raise
    return ""


if __name__ == "__main__":
    server.run(
        "streamable-http",
        host="127.0.0.1",
        port=int(sys.argv[1]),
        stateless_http=sys.argv[2] == "stateless",
        json_response=sys.argv[3] == "json",
    )
