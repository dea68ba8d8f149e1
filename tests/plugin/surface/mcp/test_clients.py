"""What a client is told to start the server."""

from __future__ import annotations

import json
import tomllib

import pytest

from fanseek.surface.mcp.clients import CLIENTS, snippet

COMMAND = [r"C:\Program Files\Python\python.exe", "-m", "fanseek", "mcp", "--config", '/home/a "b"/配置.toml\x7f']


@pytest.mark.parametrize("client", CLIENTS)
def test_a_client_reads_back_the_very_command(client: str) -> None:
    text = snippet(client, COMMAND)
    entry = (
        tomllib.loads(text)["mcp_servers"]["fanseek"]
        if client == "codex"
        else json.loads(text)["mcpServers"]["fanseek"]
    )
    assert [entry["command"], *entry["args"]] == COMMAND
    assert set(entry) == {"command", "args"}
