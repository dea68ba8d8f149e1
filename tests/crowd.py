"""Processes that search at once, each with many searches in flight, sharing one cache, one history and one state."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

PROGRAM = """
import sys, anyio, msgspec
from pathlib import Path
from fanseek.engine import open_engine
from fanseek.errors import FanseekError

async def main():
    given = msgspec.json.decode(sys.argv[1])
    place = Path(given["place"])
    async with open_engine(
        given["settings"], environment=given["environment"], state_dir=place, cache_dir=place, history_dir=place
    ) as engine:
        print("open", flush=True)
        sys.stdin.readline()

        async def search(number):
            try:
                await engine.search(f"{given['name']} {number % given['queries']}")
            except FanseekError as problem:
                print("failed", type(problem).__name__, flush=True)
            else:
                print("found", flush=True)

        async with anyio.create_task_group() as group:
            for number in range(given["searches"]):
                group.start_soon(search, number)

anyio.run(main)
"""


class Searcher:
    """One process. It opens its engine at once, and searches when it is told to."""

    def __init__(
        self,
        place: Path,
        settings: Mapping[str, Any],
        environment: Mapping[str, str],
        *,
        name: str,
        searches: int = 50,
        queries: int = 50,
    ) -> None:
        given = {
            "place": str(place),
            "settings": settings,
            "environment": environment,
            "name": name,
            "searches": searches,
            "queries": queries,
        }
        self.lines: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, msgspec.json.encode(given).decode()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._read_until(1)

    def start(self) -> None:
        """Search now."""
        assert self._process.stdin is not None
        self._process.stdin.write("go\n")
        self._process.stdin.flush()

    def kill_after(self, ended: int, rest_s: float) -> threading.Thread:
        """Kill it when so many searches have ended, and so many seconds more have passed."""

        def work() -> None:
            self._read_until(1 + ended)
            threading.Event().wait(rest_s)
            self._process.kill()

        thread = threading.Thread(target=work)
        thread.start()
        return thread

    def end(self) -> tuple[int, str]:
        """Its exit code and what it said on standard error, once it has ended."""
        with self._process as process:
            assert process.stdout is not None
            assert process.stderr is not None
            self.lines += process.stdout.read().splitlines()
            said = process.stderr.read()
        return self._process.returncode, said

    def _read_until(self, count: int) -> None:
        assert self._process.stdout is not None
        while len(self.lines) < count and (line := self._process.stdout.readline()):
            self.lines.append(line.strip())
