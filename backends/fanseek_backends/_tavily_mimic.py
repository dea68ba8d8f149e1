"""Tavily's search seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row


class Body(msgspec.Struct):
    """What of a request matters here."""

    query: str
    max_results: int = 5


def _asked(asked: Asked) -> tuple[str, int]:
    body = msgspec.json.decode(asked.body, type=Body)
    return body.query, body.max_results


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    results = [
        {
            "title": row.title,
            "url": row.url,
            "content": row.snippet,
            "score": round(1 / rank, 4),
            "raw_content": None,
            **({"published_date": row.published} if row.published else {}),
        }
        for rank, row in enumerate(found, start=1)
    ]
    answer = {"query": _asked(asked)[0], "follow_up_questions": None, "answer": None, "images": [], "results": results}
    return Reply(body=msgspec.json.encode({**answer, "response_time": 1.09, "request_id": "sandbox"}))


def _error(status: int, said: str) -> Reply:
    return Reply(status=status, body=msgspec.json.encode({"detail": {"error": said}}))


MIMIC = Mimic(
    asked=_asked,
    reply=_reply,
    faults={
        "rate-limit": _error(
            429, "Your request has been blocked due to excessive requests. Please reduce rate of requests."
        ),
        "quota": _error(432, "This request exceeds your plan's set usage limit."),
        "unauthorized": _error(401, "Unauthorized: missing or invalid API key."),
        "error": _error(500, "Internal server error"),
    },
)
