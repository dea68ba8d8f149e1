"""Any subject behind the two-line protocol: a query in on standard input, one JSON line out.

    python peer.py SUBJECT UPSTREAM.json

answers {"query", "results", "ms"} for each line, several at once, in any order. It shows how to put a peer in, and
what the protocol itself costs.
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench.driver import timed


async def serve(subject: str, upstream: dict[str, Any]) -> None:
    """Answer queries until standard input ends."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    async with import_module(f"bench.{subject}").opened(upstream) as search, asyncio.TaskGroup() as group:

        async def answer(query: str) -> None:
            ms, results = await timed(search, query)
            print(json.dumps({"query": query, "results": results, "ms": ms}), flush=True)

        while line := await reader.readline():
            group.create_task(answer(line.decode().rstrip("\n")))


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))))
