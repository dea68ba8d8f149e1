"""The Responses API with the web search tool, seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlsplit

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row
from fanseek_backends._prompts import query_in


class Body(msgspec.Struct):
    """The part of a request that tells what is searched for."""

    model: str
    input: str


def _asked(asked: Asked) -> tuple[str, int]:
    return query_in(msgspec.json.decode(asked.body, type=Body).input), 10


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    text, annotations = "", []
    for row in found:
        page, hash_sign, part = row.url.partition("#")
        marked = f"{page}{'&' if '?' in page else '?'}utm_source=openai{hash_sign}{part}"
        text += f"{row.snippet} "
        link = f"([{urlsplit(row.url).hostname}]({marked}))"
        annotations.append(
            {
                "type": "url_citation",
                "start_index": len(text),
                "end_index": len(text) + len(link),
                "url": marked,
                "title": row.title,
            }
        )
        text += f"{link}\n\n"
    content = {"type": "output_text", "text": text or "Nothing was found.", "annotations": annotations}
    sources = [{"type": "url", "url": row.url} for row in found]
    action = {"type": "search", "query": _asked(asked)[0], "sources": sources}
    output = [
        {"id": "ws_0", "type": "web_search_call", "status": "completed", "action": action},
        {"type": "message", "id": "msg_0", "status": "completed", "role": "assistant", "content": [content]},
    ]
    return _response("completed", output)


def _response(status: str, output: Sequence[object], error: object = None) -> Reply:
    whole = {"id": "resp_0", "object": "response", "status": status, "error": error, "output": output}
    return Reply(body=msgspec.json.encode(whole))


def _error(status: int, kind: str, code: str | None, message: str) -> Reply:
    error = {"message": message, "type": kind, "param": None, "code": code}
    return Reply(status=status, body=msgspec.json.encode({"error": error}))


QUOTA = "You exceeded your current quota, please check your plan and billing details."

FAULTS = {
    "rate-limit": _error(429, "requests", "rate_limit_exceeded", "Rate limit reached on requests per min"),
    "quota": _error(429, "insufficient_quota", "insufficient_quota", QUOTA),
    "unauthorized": _error(401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided: sk-x***yy."),
    "failed": _response("failed", [], {"code": "server_error", "message": "The model failed to generate a response."}),
    "unsearched": _response("completed", []),
}

MIMIC = Mimic(asked=_asked, reply=_reply, faults=FAULTS)
