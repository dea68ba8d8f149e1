"""One subject, alone in its own process: warmed up, told to go, then timed.

Standard input: one JSON line, the `Task`; later one line, the word to go. Standard output: `ready`, then one JSON line,
what was measured. The rig reads the sandbox's CPU between the two. Nothing is imported that the subject does not
need, so that its CPU is its own.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

Search = Callable[[str], Awaitable[int]]

WORDS = "grid scale sodium batteries"


def query_text(series: int, number: int) -> str:
    """A query nobody has asked before; its last word is the token the floor writes into the recorded bytes."""
    return f"{WORDS} {series:03x}{number:05x}"


async def timed(search: Search, query: str) -> tuple[float, int]:
    """Milliseconds and number of results of one search; a failed one has none."""
    began = time.perf_counter()
    try:
        results = await search(query)
    except Exception as problem:  # noqa: BLE001 - a lost search is a fact to report, not an end of the run
        print(f"{type(problem).__name__}: {problem}", file=sys.stderr)
        results = -1
    return (time.perf_counter() - began) * 1000, results


async def crowd(search: Search, task: dict[str, Any], series: int, searches: int) -> list[tuple[int, float, int]]:
    """`searches` searches, `at_once` at a time, cut after `seconds` but never below two rounds of the crowd."""
    numbers = iter(range(searches))
    least, end = 2 * task["at_once"], time.perf_counter() + task["seconds"]
    done: list[tuple[int, float, int]] = []

    async def worker() -> None:
        for number in numbers:
            if number >= least and time.perf_counter() > end:
                return
            done.append((number, *await timed(search, query_text(series, number))))

    await asyncio.gather(*[worker() for _ in range(task["at_once"])])
    return done


async def measured(task: dict[str, Any]) -> dict[str, Any]:
    """Warm up, wait for the word, measure."""
    subject = import_module(f"bench.{task['subject']}")
    async with subject.opened(task["upstream"]) as search:
        await crowd(search, task, task["series"] + 1, task["warm_up"])
        print("ready", flush=True)
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
        began, cpu = time.perf_counter(), time.process_time()
        done = await crowd(search, task, task["series"], task["searches"])
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return {
        "wall_s": wall,
        "cpu_s": cpu,
        "ms": [ms for _, ms, _ in done],
        "counts": {str(number): count for number, _, count in done},
    }


def main() -> None:
    task = json.loads(sys.stdin.readline())
    factory = import_module("uvloop").new_event_loop if task["uvloop"] else None
    with asyncio.Runner(loop_factory=factory) as runner:
        print(json.dumps(runner.run(measured(task))), flush=True)


if __name__ == "__main__":
    main()
