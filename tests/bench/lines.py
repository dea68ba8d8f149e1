"""A command that reads queries and writes one JSON line for each, in any order when several are open."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import psutil

from bench.driver import query_text

if TYPE_CHECKING:
    from bench.run import Effort


class Lines:
    """The two-line protocol, from the asking side: {"results": n, "ms": …}, with "query" where answers overtake."""

    def __init__(self, name: str, command: list[str], env: dict[str, str]) -> None:
        self._name = name
        self._command = command
        self._env = env

    def run(self, at_once: int, effort: Effort, series: int, sandbox_s: Callable[[], float]) -> dict[str, Any]:
        """Warm the command up and measure it; `sandbox_s` reads the sandbox's CPU."""
        with subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=self._env
        ) as child:
            try:
                self._crowd(child, at_once, effort.seconds, series + 1, effort.warm_up)
                process = psutil.Process(child.pid)
                began, cpu, sandbox = time.perf_counter(), _tree_cpu(process), sandbox_s()
                done = self._crowd(child, at_once, effort.seconds, series, effort.searches)
                return {
                    "wall_s": time.perf_counter() - began,
                    "cpu_s": _tree_cpu(process) - cpu,
                    "sandbox_s": sandbox_s() - sandbox,
                    "ms": [ms for ms, _ in done.values()],
                    "counts": {number: count for number, (_, count) in done.items()},
                }
            except (OSError, ValueError, KeyError, psutil.Error) as problem:
                child.kill()
                return {"failed": f"{self._name}: {problem}"}

    def _crowd(
        self, child: subprocess.Popen[str], at_once: int, seconds: float, series: int, searches: int
    ) -> dict[int, tuple[float, int]]:
        """Milliseconds and results of each search, `at_once` of them open, cut after `seconds`."""
        assert child.stdin
        assert child.stdout
        end = time.perf_counter() + seconds
        asked = 0
        since: dict[str, tuple[int, float]] = {}
        done: dict[int, tuple[float, int]] = {}
        while True:
            while len(since) < at_once and asked < searches and (asked < 2 * at_once or time.perf_counter() < end):
                query = query_text(series, asked)
                since[query] = asked, time.perf_counter()
                child.stdin.write(query + "\n")
                child.stdin.flush()
                asked += 1
            if not since:
                return done
            line = child.stdout.readline()
            if not line:
                raise ValueError("ended before it had answered")
            answer = json.loads(line)
            number, began = since.pop(answer.get("query") or next(iter(since)))
            done[number] = answer.get("ms") or (time.perf_counter() - began) * 1000, answer["results"]


def _tree_cpu(process: psutil.Process) -> float:
    """CPU seconds of a process and its children."""
    return sum(sum(p.cpu_times()[:2]) for p in [process, *process.children(recursive=True)])
