"""What the Messages API is asked to have a model search the web, and how a paused turn goes on.

https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool
"""

from __future__ import annotations

from typing import Any

import msgspec

from fanseek.contract import Request, Response, SearchRequest
from fanseek_backends._messages import blocks_of, message_of
from fanseek_backends._prompts import prompt

VERSION = "2023-06-01"
TOOL = "web_search_20250305"
MOST_TOKENS = 2048


class Sent(msgspec.Struct):
    """A request of ours, read back to go on from it."""

    messages: list[msgspec.Raw]
    tools: list[dict[str, Any]]


def request(url: str, key: str, search: SearchRequest, model: str, tool: dict[str, object], **more: object) -> Request:
    """One turn of the model that searches; `tool` bounds and filters its searches."""
    whole = {
        "model": model,
        "max_tokens": MOST_TOKENS,
        "messages": [{"role": "user", "content": prompt(search)}],
        "tools": [{"type": TOOL, "name": "web_search", **tool}],
        **more,
    }
    headers = {"Content-Type": "application/json", "anthropic-version": VERSION}
    return Request(
        url=url,
        method="POST",
        headers=headers | ({"x-api-key": key} if key else {}),
        body=msgspec.json.encode(whole),
        credentialed=bool(key),
    )


def follow(response: Response, sent: Request) -> Request | None:
    """The request that goes on from a paused turn with the searches that are left of those allowed."""
    if response.status != 200 or b'"pause_turn"' not in response.body:
        return None
    message, ours = message_of(response), msgspec.json.decode(sent.body, type=Sent)
    used = sum(block.type == "server_tool_use" and block.name == "web_search" for block in blocks_of(message))
    left = int(ours.tools[0].get("max_uses", 0)) - used
    if message.stop_reason != "pause_turn" or left < 1:
        return None
    whole = msgspec.json.decode(sent.body, type=dict[str, msgspec.Raw])
    whole.pop("tool_choice", None)
    said = msgspec.Raw(msgspec.json.encode({"role": "assistant", "content": message.content}))
    whole["messages"] = msgspec.Raw(msgspec.json.encode([*ours.messages, said]))
    whole["tools"] = msgspec.Raw(msgspec.json.encode([{**ours.tools[0], "max_uses": left}]))
    return msgspec.structs.replace(sent, body=msgspec.json.encode(whole))
