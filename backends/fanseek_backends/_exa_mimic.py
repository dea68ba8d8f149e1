"""Exa's MCP tools seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row

RATE_LIMITED = "ai.exa/rateLimited"
ADVANCED = "web_search_advanced_exa"
LIMIT_TEXT = "You've hit Exa's free MCP rate limit"


def _asked(asked: Asked) -> tuple[str, int]:
    wanted = asked.arguments.get("numResults")
    return str(asked.arguments.get("query", "")), wanted if isinstance(wanted, int) else 10


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    if asked.tool == ADVANCED:
        return _tool(msgspec.json.encode(_document(found)).decode())
    records = [
        f"Title: {' '.join(row.title.split())}\nURL: {row.url}\nPublished: {row.published or 'N/A'}\nAuthor: N/A"
        + (f"\nHighlights:\n{' '.join(row.snippet.split())}" if row.snippet else "")
        for row in found
    ]
    return _tool("\n\n---\n\n".join(records) or "No search results found. Please try a different query.")


def _document(found: Sequence[Row]) -> dict[str, object]:
    """The JSON of the advanced tool: an empty list is left out."""
    results = [
        {"url": row.url, "title": row.title}
        | ({"publishedDate": row.published} if row.published else {})
        | ({"highlights": [row.snippet]} if row.snippet else {})
        for row in found
    ]
    return {"requestId": "0"} | ({"results": results} if results else {})


def _tool(text: str, **more: object) -> Reply:
    return Reply(body=msgspec.json.encode({"content": [{"type": "text", "text": text}], **more}))


FAULTS = {
    "rate-limit": _tool(LIMIT_TEXT + ".", _meta={RATE_LIMITED: True}),
    "captcha": Reply(
        status=403,
        content_type="text/html; charset=utf-8",
        body=b"<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head><body></body></html>",
    ),
    "error": _tool("web_search_exa error (503): Service temporarily unavailable", isError=True),
}

MIMIC = Mimic(
    asked=_asked,
    reply=_reply,
    faults=FAULTS,
    tools={ADVANCED: ("query", "numResults", "category", "enableHighlights", "includeDomains", "excludeDomains")},
)
