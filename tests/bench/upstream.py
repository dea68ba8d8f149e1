"""The sandbox in a process of its own, and what it is known to answer."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench import product
from bench.driver import WORDS
from bench.floor import TOKEN
from bench.record import Relay
from fanseek.sandbox import Sandbox

WANTED = 10
"""Results asked of each backend."""

PATHS = {"exa": "/mcp", "parallel": "/mcp", "ddg": "/html/", "searxng": "/search"}
"""Where each backend's own service answers: what a newcomer would read in its documentation."""


class Upstream:
    """A running sandbox: its addresses, its CPU, and how many results there are to be found for a query."""

    def __init__(self, process: psutil.Process, file: Path, told: dict[str, Any]) -> None:
        self._process = process
        self._corpus = Sandbox().corpus
        self._known: dict[str, tuple[int, int, int]] = {}
        self.file = file
        self.told = told
        """As in the file: `urls` by backend, the product's `settings`, `wanted`, and the `recorded` requests."""
        self.env = environment()

    def cpu_s(self) -> float:
        """The sandbox's CPU so far, in seconds."""
        times = self._process.cpu_times()
        return float(times.user + times.system)

    def addresses(self, query: str) -> int:
        """How many different URLs there are for `query`, every spelling counted."""
        return self._counted(query)[0]

    def pages(self, query: str) -> int:
        """How many different pages, mirrors under another host counted."""
        return self._counted(query)[1]

    def documents(self, query: str) -> int:
        """How many different documents, mirrors folded."""
        return self._counted(query)[2]

    def at_home(self, folder: str) -> dict[str, str]:
        """The environment of someone whose home is `folder`, where nothing is remembered from earlier searches."""
        return {**self.env, "HOME": folder, "XDG_STATE_HOME": folder, "XDG_CACHE_HOME": folder}

    def _counted(self, query: str) -> tuple[int, int, int]:
        if query not in self._known:
            placed = [one for name in self.told["urls"] for one in self._corpus.placed(name, query, WANTED)]
            self._known[query] = (
                len({one.row.url for one in placed}),
                len({(one.document, one.mirror) for one in placed}),
                len({one.document for one in placed}),
            )
        return self._known[query]

    def product_command(self) -> list[str]:
        """`fanseek search` pointed at this sandbox; the query comes last."""
        flags = [
            f"--set={key}={value if isinstance(value, str) else json.dumps(value)}"
            for key, value in self.told["settings"].items()
        ]
        program = Path(sys.executable).with_name("fanseek")
        return [str(program), "search", "--json", "--max-results", str(WANTED), *flags]


@contextmanager
def started(latency_ms: int) -> Iterator[Upstream]:
    """A sandbox that answers after `latency_ms`, with the product's requests to it recorded."""
    command = [sys.executable, "-m", "fanseek", "sandbox", "--json", "--results", str(WANTED)]
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        subprocess.Popen(
            [*command, "--latency", str(latency_ms)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment(),
        ) as child,
    ):
        assert child.stdin
        assert child.stdout
        try:
            box = json.loads(child.stdout.readline())
            told = {
                "urls": {name: box["urls"][name] + path for name, path in PATHS.items()},
                "settings": box["settings"] | dict.fromkeys(_others(box["settings"]), "off"),
                "wanted": WANTED,
            }
            told["recorded"] = asyncio.run(_recorded(box["url"], told))
            file = Path(folder) / "upstream.json"
            file.write_text(json.dumps(told), encoding="utf-8")
            yield Upstream(psutil.Process(child.pid), file, told)
        finally:
            child.stdin.close()
            child.terminate()


def _others(settings: dict[str, Any]) -> list[str]:
    """The switches of backends that are not measured."""
    return [key for key in settings if key.startswith("enable") and key.removeprefix("enable").lower() not in PATHS]


async def _recorded(origin: str, told: dict[str, Any]) -> list[dict[str, Any]]:
    """The requests of one search of the product, seen on its way to `origin`."""
    relay = Relay()
    address = await relay.stand_for(origin)
    settings = json.loads(json.dumps(told["settings"]).replace(origin, address))
    async with product.opened({**told, "settings": settings}) as search:
        await search(f"{WORDS} {TOKEN.decode()}")
    await relay.close()
    found = relay.requests()
    if len(found) != len(told["urls"]):
        raise RuntimeError(
            f"{len(found)} requests were recorded, one for each of {', '.join(told['urls'])} was expected"
        )
    return found


def environment() -> dict[str, str]:
    """This process's environment without proxies, Fanseek's settings and Python's switches.

    With PYTHONDONTWRITEBYTECODE a cold start would compile the subject's sources each time.
    """
    return {
        name: value
        for name, value in os.environ.items()
        if not name.upper().endswith("_PROXY") and not name.startswith(("FANSEEK_", "PYTHON"))
    }
