"""The real command, in a process of its own, with surroundings of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from fanseek.config.options import options
from fanseek.registry import backends
from fanseek.sandbox import Sandbox, running
from processes import CANARY, PATIENCE_S, Command, Ran, Screen


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """An environment with nothing of this machine but the path, and a canary for every key."""
    kept = {
        name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP", "LANG", "PYTHONPATH") if name in os.environ
    }
    keys = {option.default: CANARY for option in options().values() if option.is_reference and option.default}
    return {
        **kept,
        **keys,
        "HOME": str(tmp_path),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "TMPDIR": str(tmp_path),
        "SOME_API_KEY": CANARY,
    }


@pytest.fixture
def fanseek(surroundings: dict[str, str]) -> Iterator[Command]:
    """Run the command to its end. What it wrote never holds the canary."""

    def run(*args: str, env: Mapping[str, str] | None = None, **options: Any) -> Ran:
        ran = subprocess.run(
            [sys.executable, "-m", "fanseek", *args],
            env={**surroundings, **(env or {})},
            **{"capture_output": True, **({} if "input" in options else {"stdin": subprocess.DEVNULL}), **options},
            timeout=PATIENCE_S,
            check=False,
        )
        found = Ran(ran.returncode, ran.stdout or b"", ran.stderr or b"")
        assert CANARY.encode() not in found.out + found.err
        return found

    yield run
    home = Path(surroundings["HOME"])
    for path in home.rglob("*"):
        if path.is_file():
            assert CANARY.encode() not in path.read_bytes(), path


@pytest.fixture
def box() -> Iterator[Sandbox]:
    """A sandbox in a thread of this process, to look into while the command runs."""
    with running() as box:
        yield box


@pytest.fixture
def at_box(box: Sandbox) -> dict[str, str]:
    """The variables that point every backend to the sandbox."""
    return pointed(box.settings())


@pytest.fixture
def unplugged() -> dict[str, str]:
    """The variables that point every backend to a port where nobody listens: no network."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    return pointed({option.key: f"http://127.0.0.1:{port}" for option in options().values() if option.is_base_url})


def pointed(settings: Mapping[str, Any]) -> dict[str, str]:
    table = options()
    texts = {key: ",".join(value) if isinstance(value, list) else str(value) for key, value in settings.items()}
    return {**{table[key].variable: text for key, text in texts.items()}, "FANSEEK_PROXY": "direct"}


@pytest.fixture
def names() -> list[str]:
    return list(backends())


@pytest.fixture
def screen(surroundings: dict[str, str]) -> Iterator[Callable[..., Screen]]:
    """Start the command on a terminal."""
    pytest.importorskip("pty", reason="pseudo-terminals are a thing of POSIX")
    opened: list[Screen] = []

    def start(
        *args: str, env: Mapping[str, str] | None = None, piped: tuple[str, ...] = (), columns: int = 0
    ) -> Screen:
        opened.append(Screen(args, {**surroundings, "TERM": "xterm", **(env or {})}, piped=piped, columns=columns))
        return opened[-1]

    yield start
    for one in opened:
        one.close()
