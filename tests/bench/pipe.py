"""What a process between costs: the worker beside a library call, and how soon `fanseek mcp` can be talked to.

    .venv/bin/python tests/bench/pipe.py                             a Markdown table on standard output
    .venv/bin/python tests/bench/pipe.py --write docs/bench-pipe.md  the same, written into a file as well
    .venv/bin/python tests/bench/pipe.py --quick                     a few calls, to see that it runs

Library and worker take turns, call by call, on the same query with the same settings. A result of the cache costs
both the same work, so that the difference is the pipe: two lines of JSON, two threads, two processes. It ends with 1
when the worker adds more than 2 ms at the median. Starts take turns with those of a bare interpreter; a start counts
until the first answer. Absolute times are this machine's alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import msgspec

from fanseek.engine import open_engine
from fanseek.sandbox import Sandbox, running
from fanseek.surface.seam import ask

MOST_ADDED_MS = 2.0
QUERY = "grid scale sodium batteries"
HELLO = {
    "worker": {"protocol": 1, "client": {"name": "bench", "version": "0"}},
    "mcp": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "0"},
    },
}
SDK = "import mcp.server.mcpserver"
"""What a server on the official SDK loads before it can say a word."""

Call = Callable[[str], Awaitable[int]]
"""Searches and returns how many sources came."""


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """Library and worker on one load, in milliseconds."""

    calls: int
    sources: int
    """That every call brought, on both ways."""
    library_ms: float
    worker_ms: float
    added_ms: float
    """The median of the differences between calls that followed each other."""


class Server:
    """`fanseek worker` or `fanseek mcp`, greeted."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "fanseek", command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._asked = 0
        self.ask("initialize", HELLO[command])

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """One request and its answer."""
        self._asked += 1
        whole = {"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params}
        self._process.stdin.write(msgspec.json.encode(whole) + b"\n")
        self._process.stdin.flush()
        return msgspec.json.decode(self._process.stdout.readline())["result"]

    def end(self) -> None:
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


@contextmanager
def worker(common: dict[str, Any]) -> Iterator[Call]:
    server = Server("worker")

    async def search(query: str) -> int:
        return len(server.ask("search", {"query": query, **common})["sources"])

    try:
        yield search
    finally:
        server.end()


async def compared(box: Sandbox, place: Path, queries: list[str]) -> Compared:
    """Each query by library and by worker, who begins in turns."""
    settings = {**box.settings(), "cacheTtl": 3600}
    folders = {name: str(place / "worker" / name) for name in ("state", "cache")}
    common = {"settings": settings, "keys": dict(box.environment), "place": folders}
    own = {f"{name}_dir": place / "library" / name for name in folders}
    with worker(common) as by_worker:
        async with open_engine(settings, environment=box.environment, **own) as engine:

            async def by_library(query: str) -> int:
                return len((await ask(engine, query)).web.to_dict()["sources"])

            ways = (by_library, by_worker)
            for way in ways:
                await way(QUERY)
            times: list[tuple[float, float]] = []
            seen: set[int] = set()
            for number, query in enumerate(queries):
                pair = {}
                for way in ways if number % 2 else reversed(ways):
                    began = time.perf_counter()
                    seen.add(await way(query))
                    pair[way] = (time.perf_counter() - began) * 1000
                times.append((pair[by_library], pair[by_worker]))
    (sources,) = seen
    return Compared(
        calls=len(queries),
        sources=sources,
        library_ms=statistics.median(one for one, _ in times),
        worker_ms=statistics.median(one for _, one in times),
        added_ms=statistics.median(two - one for one, two in times),
    )


def starts(rounds: int) -> dict[str, float]:
    """The median of each kind of start, in milliseconds."""
    bare = [sys.executable, "-c", "pass"]
    kinds: dict[str, Callable[[], Any]] = {
        "a bare interpreter": lambda: subprocess.run(bare, check=True),
        "`fanseek mcp`": lambda: Server("mcp"),
        "`fanseek worker`": lambda: Server("worker"),
        "the official SDK, imported": lambda: subprocess.run([sys.executable, "-c", SDK], check=True),
    }
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(rounds):
        for kind, start in kinds.items():
            began = time.perf_counter()
            started = start()
            times[kind].append((time.perf_counter() - began) * 1000)
            if isinstance(started, Server):
                started.end()
    return {kind: statistics.median(found) for kind, found in times.items()}


def measured(calls: int, searches: int, rounds: int) -> tuple[dict[str, Compared], dict[str, float]]:
    """Everything."""
    with running() as box, TemporaryDirectory() as folder:
        rows = {}
        for title, queries in (
            ("a result of the cache", [QUERY] * calls),
            ("eleven backends asked", [f"{QUERY} {number}" for number in range(searches)]),
        ):
            rows[title] = anyio.run(compared, box, Path(folder) / str(len(rows)), queries)
    return rows, starts(rounds)


def report(rows: dict[str, Compared], begun: dict[str, float]) -> str:
    """Two tables."""
    bare = begun["a bare interpreter"]
    return "\n".join(
        [
            (
                f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} "
                f"{platform.machine()}, {os.cpu_count()} cores, asyncio; medians, milliseconds."
            ),
            "",
            "| a search | calls | library | worker | added |",
            "|---|---|---|---|---|",
            *(
                f"| {title} | {row.calls} | {row.library_ms:.2f} | {row.worker_ms:.2f} | {row.added_ms:.2f} |"
                for title, row in rows.items()
            ),
            "",
            "| from start to the first answer | ms | times a bare interpreter |",
            "|---|---|---|",
            *(f"| {kind} | {found:.0f} | {found / bare:.1f} |" for kind, found in begun.items()),
        ]
    )


def main(argv: list[str] | None = None) -> int:
    """The tables; 1 when the pipe costs too much."""
    parser = argparse.ArgumentParser(prog="pipe", description="What a process between costs.")
    parser.add_argument("--quick", action="store_true", help="a few calls only")
    parser.add_argument("--json", action="store_true", help="the figures as JSON")
    parser.add_argument("--write", type=Path, metavar="FILE")
    given = parser.parse_args(argv)
    rows, begun = measured(*((20, 4, 1) if given.quick else (500, 100, 9)))
    print(json.dumps({"searches": msgspec.to_builtins(rows), "starts": begun}) if given.json else report(rows, begun))
    if given.write:
        given.write.write_text(f"# The process between\n\n{report(rows, begun)}\n", encoding="utf-8")
    return 0 if rows["a result of the cache"].added_ms <= MOST_ADDED_MS else 1


if __name__ == "__main__":
    sys.exit(main())
