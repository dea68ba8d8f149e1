"""DeepSeek's Search API and Messages endpoint, seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row
from fanseek_backends import _messages_mimic


class Body(msgspec.Struct):
    """The part of a request to the Search API that tells what is searched for."""

    query: str
    count: int = 10


def _asked(asked: Asked) -> tuple[str, int]:
    if asked.target.endswith("/messages"):
        return _messages_mimic.asked_of(asked)
    body = msgspec.json.decode(asked.body, type=Body)
    return body.query, body.count


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    if asked.target.endswith("/messages"):
        return _messages_mimic.reply_to(asked, found)
    results = [
        {
            "rerank_score": round(3 / rank, 2),
            "title": row.title,
            "url": row.url,
            "snippet": row.snippet,
            "summary": row.snippet,
            "content": "",
            "site_name": None,
            "site_icon": None,
            "date": f"{row.published}T00:00:00Z" if row.published else None,
            "authority": -1,
        }
        for rank, row in enumerate(found, start=1)
    ]
    return Reply(body=msgspec.json.encode({"results": results}))


def _error(status: int, kind: str, message: str) -> Reply:
    error = {"message": message, "type": kind, "param": None, "code": "invalid_request_error"}
    return Reply(status=status, body=msgspec.json.encode({"error": error}))


FAULTS = {
    "rate-limit": _error(429, "rate_limit_error", "Rate limit reached"),
    "unauthorized": _error(401, "authentication_error", "Authentication Fails, Your api key: ****0000 is invalid"),
    "quota": _error(402, "unknown_error", "Insufficient Balance"),
    "too-long": _error(400, "invalid_request_error", "query must be between 1 and 128 characters"),
    "tool": _messages_mimic.tool_error("deepseek-v4-flash", "unavailable"),
}

MIMIC = Mimic(asked=_asked, reply=_reply, faults=FAULTS)
