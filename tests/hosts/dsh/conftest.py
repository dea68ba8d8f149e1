"""Homes of the harness with profiles in them, and the sandbox's eleven backends."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import harness
import pytest

HERE = Path(__file__).parent


class Box:
    """A running `fanseek sandbox`."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.url: str = told["url"]
        self.settings: dict[str, Any] = told["settings"]
        self.environment: dict[str, str] = told["environment"]

    @property
    def assignments(self) -> list[str]:
        """Its settings as arguments of `fanseek dsh set`."""
        return [f"{key}={_text(value)}" for key, value in self.settings.items()]


def _text(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


@pytest.fixture
def sandbox() -> Iterator[Callable[..., Box]]:
    """Starts one with these flags; it ends with the test."""
    running: list[subprocess.Popen[bytes]] = []

    def start(*flags: str) -> Box:
        command = [sys.executable, "-m", "fanseek", "sandbox", "--json", *flags]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        running.append(process)
        assert process.stdout
        return Box(json.loads(process.stdout.readline()))

    yield start
    for process in running:
        process.communicate(timeout=harness.LIMIT_S)


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    """One sandbox for all tests of a file."""
    with subprocess.Popen(
        [sys.executable, "-m", "fanseek", "sandbox", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        yield Box(json.loads(process.stdout.readline()))
        process.stdin.close()


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home as the harness makes it, its profiles never touched."""
    home = tmp_path_factory.mktemp("fresh") / "home"
    home.mkdir()
    for profile in ("headless", "sdk", "web"):
        ran = harness.run(harness.DSH, "--profile", profile, "--dump-config", home=home)
        assert ran.returncode == 0, ran.stderr
    return home


@pytest.fixture
def home(fresh: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(fresh, tmp_path / "home"))


@pytest.fixture
def scripted(tmp_path: Path) -> Callable[[dict[str, list[str]]], tuple[str, Callable[[str], list[dict[str, Any]]]]]:
    """A program in place of Python whose worker does as the script says, and what it was sent."""

    def write(script: dict[str, list[str]]) -> tuple[str, Callable[[str], list[dict[str, Any]]]]:
        program, log = tmp_path / "python", tmp_path / "worker.jsonl"
        program.write_text(
            f"#!/bin/sh\nexec {sys.executable} {HERE}/scripted_worker.py '{json.dumps(script)}' {log}\n",
            encoding="utf-8",
        )
        program.chmod(0o755)

        def seen(method: str) -> list[dict[str, Any]]:
            lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
            return [one for one in map(json.loads, lines) if one["method"] == method]

        return str(program), seen

    return write
