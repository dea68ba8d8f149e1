"""What to tell a client so that it starts `fanseek mcp`: the part of its configuration that does. No key is in it."""

from __future__ import annotations

import json
from collections.abc import Sequence

CLIENTS = ("claude", "codex", "cursor")

NAME = "fanseek"


def snippet(client: str, command: Sequence[str]) -> str:
    """Text for the client's own file: TOML for Codex, JSON for the others. `command` starts the server."""
    program, *args = command
    if client == "codex":
        return f"[mcp_servers.{NAME}]\ncommand = {_toml(program)}\nargs = [{', '.join(map(_toml, args))}]\n"
    entry = {"command": program, "args": args}
    return json.dumps({"mcpServers": {NAME: entry}}, indent=2, ensure_ascii=False) + "\n"


def _toml(text: str) -> str:
    """A TOML basic string. https://toml.io/en/v1.0.0#string; JSON's escapes are among its own."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
