"""Serper's search seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row


class Body(msgspec.Struct):
    """What of a request matters here."""

    q: str
    num: int = 10


def _asked(asked: Asked) -> tuple[str, int]:
    body = msgspec.json.decode(asked.body, type=Body)
    return body.q, body.num


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    organic = [
        {
            "title": row.title,
            "link": row.url,
            **({"snippet": row.snippet} if row.snippet else {}),
            **({"date": row.published} if row.published else {}),
            "position": rank,
        }
        for rank, row in enumerate(found, start=1)
    ]
    query, wanted = _asked(asked)
    parameters = {"q": query, "type": "search", "num": wanted, "engine": "google"}
    return Reply(body=msgspec.json.encode({"searchParameters": parameters, "organic": organic, "credits": 1}))


def _error(status: int, said: str) -> Reply:
    return Reply(status=status, body=msgspec.json.encode({"message": said, "statusCode": status}))


MIMIC = Mimic(
    asked=_asked,
    reply=_reply,
    faults={
        "rate-limit": _error(429, "Too many requests"),
        "quota": _error(400, "Not enough credits"),
        "unauthorized": _error(403, "Unauthorized."),
        "plan": _error(400, "Query pattern not allowed for free accounts."),
    },
)
