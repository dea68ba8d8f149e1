"""`fanseek mcp` under the client of `mcp` 1.x and under the inspector's command line, as their users start it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fanseek

SERVER = [sys.executable, "-m", "fanseek", "mcp", "--sandbox"]
HERE = Path(__file__).parent


def run(*command: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False, **options
    )


def test_the_client_of_the_old_line() -> None:
    """A1, T6: handshake, both tools, progress for each backend, errors, a call that is given up, and on."""
    ran = run(os.environ["OLD_CLIENT_PYTHON"], str(HERE / "old_client.py"), *SERVER)
    assert ran.returncode == 0, ran.stderr
    heard = json.loads(ran.stdout)
    assert heard["server"] == ["fanseek", fanseek.__version__]
    assert heard["protocol"] == "2025-11-25"
    assert heard["tools"] == ["search", "status"]
    assert heard["text"].count("found by:") == 3
    assert heard["structured"] is None
    assert [one[:2] for one in heard["progress"]] == [[number, 11] for number in range(1, 12)]
    assert (heard["wrong"], heard["unknown"], heard["timeout"], heard["after"]) == (True, -32602, 408, False)


@pytest.fixture
def inspect(tmp_path: Path) -> Any:
    """The inspector on what `fanseek mcp config claude` prints."""
    told = run(sys.executable, "-m", "fanseek", "mcp", "config", "claude", "--sandbox", "--set", "numResults=4")
    file = tmp_path / "mcp.json"
    file.write_text(told.stdout, encoding="utf-8")
    secrets = {**os.environ, "MCP_INSPECTOR_SECRET_STORE": "memory", "HOME": str(tmp_path)}

    def inspector(*args: str) -> subprocess.CompletedProcess[str]:
        whole = (os.environ["NODE"], os.environ["INSPECTOR"], "--cli", "--config", str(file), "--server", "fanseek")
        return run(*whole, *args, env=secrets)

    return inspector


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_the_inspector_lists_both_tools_and_finds_no_fault_with_them(inspect: Any, era: str) -> None:
    ran = inspect("--method", "tools/list", "--strict", "--protocol-era", era)
    assert ran.returncode == 0, ran.stderr
    assert [tool["name"] for tool in json.loads(ran.stdout)["tools"]] == ["search", "status"]


def test_the_inspector_searches(inspect: Any) -> None:
    ran = inspect("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=rust async")
    assert ran.returncode == 0, ran.stderr
    result = json.loads(ran.stdout)
    assert result["content"][0]["text"].count("found by:") == 4
    assert "structuredContent" not in result


def test_the_inspector_shows_an_error_as_one(inspect: Any) -> None:
    ran = inspect("--method", "tools/call", "--tool-name", "search", "--tool-arg", "query=x", "freshness=never")
    assert ran.returncode != 0
    assert "freshness must be one of" in ran.stdout + ran.stderr
