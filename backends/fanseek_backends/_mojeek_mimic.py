"""Mojeek's search seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row


def _asked(asked: Asked) -> tuple[str, int]:
    return asked.parameters.get("q", ""), int(asked.parameters.get("t", "10"))


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    results = [
        {
            "url": row.url,
            "title": escape(row.title),
            "desc": escape(row.snippet),
            **({"date": row.published} if row.published else {}),
        }
        for row in found
    ]
    head = {"query": _asked(asked)[0], "start": 0, "return": len(results), "results": len(results)}
    return Reply(body=msgspec.json.encode({"response": {"status": "OK", "head": head, "results": results}}))


def _status(said: str) -> Reply:
    return Reply(body=msgspec.json.encode({"response": {"status": said}}))


MIMIC = Mimic(
    asked=_asked,
    reply=_reply,
    faults={
        "quota": _status("ERROR: Daily Limit Reached"),
        "unauthorized": _status("ERROR: Invalid API key"),
        "error": _status("ERROR: Internal"),
    },
)
