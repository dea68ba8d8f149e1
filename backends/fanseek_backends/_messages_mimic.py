"""The Messages API with the web search server tool, seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fanseek.contract import Asked, Reply, Row
from fanseek_backends._prompts import query_in


class Turn(msgspec.Struct):
    """What a client said."""

    content: object


class Body(msgspec.Struct):
    """The part of a request that tells what is searched for."""

    model: str
    messages: list[Turn]


def asked_of(asked: Asked) -> tuple[str, int]:
    """The query in the first turn; how many pages come is the server's choice."""
    return query_in(str(msgspec.json.decode(asked.body, type=Body).messages[0].content)), 10


def reply_to(asked: Asked, found: Sequence[Row]) -> Reply:
    """One search, its pages, and an answer that cites those with a snippet."""
    body, (query, _) = msgspec.json.decode(asked.body, type=Body), asked_of(asked)
    pages = [
        {
            "type": "web_search_result",
            "title": row.title,
            "url": row.url,
            "encrypted_content": "ErADCioICBgCIiQ",
            "page_age": row.published or None,
        }
        for row in found
    ]
    return Reply(body=msgspec.json.encode(_message(body.model, query, pages, _said(found))))


def _said(found: Sequence[Row]) -> list[dict[str, object]]:
    cited: list[dict[str, object]] = [
        {
            "type": "text",
            "text": f"{row.snippet} ",
            "citations": [
                {
                    "type": "web_search_result_location",
                    "url": row.url,
                    "title": row.title,
                    "cited_text": row.snippet,
                    "encrypted_index": "Eo8BCioIAhgB",
                }
            ],
        }
        for row in found
        if row.snippet
    ]
    return cited or [{"type": "text", "text": "That is all there is." if found else "Nothing was found."}]


def _message(model: str, query: str, pages: object, said: Sequence[object]) -> dict[str, object]:
    return {
        "id": "msg_0",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [
            {"type": "server_tool_use", "id": "srvtoolu_0", "name": "web_search", "input": {"query": query}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_0", "content": pages},
            *said,
        ],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 6039, "output_tokens": 431, "server_tool_use": {"web_search_requests": 1}},
    }


def tool_error(model: str, code: str) -> Reply:
    """A search that failed under a status of success."""
    error = {"type": "web_search_tool_result_error", "error_code": code}
    said = [{"type": "text", "text": "I could not search."}]
    return Reply(body=msgspec.json.encode(_message(model, "q", error, said)))
