"""Brave's web search seen from the server's side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row


def _asked(asked: Asked) -> tuple[str, int]:
    return asked.parameters.get("q", ""), int(asked.parameters.get("count", "20"))


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    results = [
        {
            "title": escape(row.title),
            "url": row.url,
            "description": escape(row.snippet),
            "type": "search_result",
            **({"page_age": f"{row.published}T00:00:00"} if row.published else {}),
        }
        for row in found
    ]
    query = {"original": _asked(asked)[0], "more_results_available": bool(results)}
    answer: dict[str, object] = {"query": query, "type": "search"}
    if results:
        answer["web"] = {"type": "search", "results": results, "family_friendly": True}
    return Reply(body=msgspec.json.encode(answer))


def _error(status: int, code: str, detail: str, meta: Mapping[str, object], headers: dict[str, str]) -> Reply:
    error = {"id": "sandbox", "status": status, "code": code, "detail": detail, "meta": meta}
    body = msgspec.json.encode({"type": "ErrorResponse", "error": error, "time": 1796032800})
    return Reply(status=status, headers=headers, body=body)


BUSY = {"plan": "Free", "rate_limit": 1, "rate_current": 2, "quota_limit": 15000, "quota_current": 477}
SPENT = {**BUSY, "quota_current": 15000}
RATES = {
    "X-RateLimit-Limit": "1, 15000",
    "X-RateLimit-Policy": "1;w=1, 15000;w=2592000",
    "X-RateLimit-Remaining": "0, 14523",
    "X-RateLimit-Reset": "1, 1419704",
}
MIMIC = Mimic(
    asked=_asked,
    reply=_reply,
    faults={
        "rate-limit": _error(429, "RATE_LIMITED", "Request rate limit exceeded for plan.", BUSY, RATES),
        "quota": _error(429, "RATE_LIMITED", "Request rate limit exceeded for plan.", SPENT, {}),
        "unauthorized": _error(
            422,
            "SUBSCRIPTION_TOKEN_INVALID",
            "The provided subscription token is invalid.",
            {"component": "authentication"},
            {},
        ),
    },
)
