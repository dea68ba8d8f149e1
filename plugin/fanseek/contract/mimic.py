"""How a backend's own server talks, seen from the other side: what `fanseek sandbox` needs to stand in for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One synthetic result to be put into a backend's wire format. `family` is the index it came from."""

    url: str
    title: str
    snippet: str = ""
    published: str = ""
    """ISO 8601 date, or empty."""
    family: str = ""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request as the server sees it. For an MCP tool call, `tool` and `arguments` are set."""

    method: str
    target: str
    headers: Mapping[str, str] = {}
    body: bytes = b""
    tool: str = ""
    arguments: Mapping[str, Any] = {}

    @property
    def parameters(self) -> dict[str, str]:
        """Query and form fields together."""
        pairs = parse_qsl(urlsplit(self.target).query, keep_blank_values=True)
        if "urlencoded" in self.headers.get("content-type", ""):
            pairs += parse_qsl(self.body.decode("utf-8", errors="replace"), keep_blank_values=True)
        return dict(pairs)


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """What the server answers. For an MCP tool call `body` is the JSON of the tool result alone."""

    status: int = 200
    headers: Mapping[str, str] = {}
    body: bytes = b""
    content_type: str = "application/json"


class Mimic(msgspec.Struct, frozen=True, kw_only=True):
    """A backend's server in three pure functions' worth of data.

    `asked` reads query and wanted count off a request; `reply` puts rows into the wire format (no rows: the
    format's own way to say so); `faults` are the format's own bodies for named faults (`captcha`,
    `rate-limit` …), where the generic ones of the sandbox would not be true to it; `tools` are those MCP tools, with
    their arguments, that the backend calls only for some searches.
    """

    asked: Callable[[Asked], tuple[str, int]]
    reply: Callable[[Asked, Sequence[Row]], Reply]
    faults: Mapping[str, Reply] = {}
    tools: Mapping[str, tuple[str, ...]] = {}
