"""Servers of the official `mcp` package in one process: `official_server.py PORT:stateful|stateless:json|stream …`."""

from __future__ import annotations

import sys

import anyio
from mcp.server.mcpserver import Context, MCPServer


def say(word: str) -> None:
    """A word for the test, which reads stderr."""
    sys.stderr.write(f"{word}\n")
    sys.stderr.flush()


async def web_search(query: str, context: Context) -> str:
    """Echo, after a word on the way."""
    await context.info("searching")
    await context.report_progress(1, 2)
    return f"found {query}"


async def slow() -> str:
    """Hang until cancelled, then say so."""
    say("begun")
    try:
        await anyio.sleep_forever()
    except BaseException:
        say("taken back")
        raise
    return ""


async def run(port: str, sessions: str, form: str) -> None:
    """One server."""
    server = MCPServer("official")
    server.tool()(web_search)
    server.tool()(slow)
    await server.run_streamable_http_async(
        host="127.0.0.1", port=int(port), stateless_http=sessions == "stateless", json_response=form == "json"
    )


async def main(places: list[str]) -> None:
    """All of them."""
    async with anyio.create_task_group() as tasks:
        for place in places:
            tasks.start_soon(run, *place.split(":"))


if __name__ == "__main__":
    anyio.run(main, sys.argv[1:])
