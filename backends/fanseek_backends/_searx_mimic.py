"""A SearXNG instance seen from the client's other side: its JSON, and its default theme's page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import msgspec

from fanseek.contract import Asked, Mimic, Reply, Row

ENGINES = {"wikimedia": "wikipedia", "exa": "mojeek", "parallel": "brave", "searxng": "qwant", "tavily": "startpage"}
"""An engine's name for families that are none of an engine's."""


def _asked(asked: Asked) -> tuple[str, int]:
    return asked.parameters.get("q", ""), 10


def _engine(row: Row) -> str:
    return ENGINES.get(row.family, row.family or "google")


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    query = _asked(asked)[0]
    if asked.parameters.get("format") == "json":
        return Reply(body=msgspec.json.encode(_answer(query, found)))
    return Reply(body=_page(query, found).encode(), content_type="text/html; charset=utf-8")


def _answer(query: str, found: Sequence[Row]) -> dict[str, object]:
    results = [
        {
            "url": row.url,
            "title": row.title,
            "content": row.snippet,
            "engine": _engine(row),
            "engines": [_engine(row)],
            "positions": [rank],
            "score": round(1 / rank, 4),
            "category": "general",
            "template": "default.html",
            "publishedDate": f"{row.published}T00:00:00" if row.published else None,
        }
        for rank, row in enumerate(found, start=1)
    ]
    empty: dict[str, object] = {name: [] for name in ("answers", "corrections", "infoboxes", "suggestions")}
    return {"query": query, "results": results, **empty, "unresponsive_engines": []}


ARTICLE = (
    '<article class="result result-default category-general"><h3><a href="{url}" rel="noreferrer">{title}</a></h3>'
    '{date}<p class="content">{snippet}</p><div class="engines"><span>{engine}</span></div></article>\n'
)


def _page(query: str, found: Sequence[Row]) -> str:
    articles = "".join(
        ARTICLE.format(
            url=escape(row.url),
            title=escape(row.title),
            date=f'<time class="published_date" datetime="{row.published}">{row.published}</time>'
            if row.published
            else "",
            snippet=escape(row.snippet),
            engine=escape(_engine(row)),
        )
        for row in found
    )
    return (
        f"<!DOCTYPE html>\n<html><head><title>{escape(query)} - SearXNG</title></head>"
        f'<body class="results_endpoint"><main id="main_results"><div id="results"><div id="urls" role="main">\n'
        f"{articles or NOTHING}</div></div></main></body></html>\n"
    )


NOTHING = '<div class="dialog-error" role="alert"><p><strong>Sorry!</strong></p></div>'

SUSPENDED = {
    **{name: [] for name in ("results", "answers", "corrections", "infoboxes", "suggestions")},
    "query": "",
    "unresponsive_engines": [["brave", "too many requests"], ["google", "Suspended: access denied"]],
}

FAULTS = {
    "rate-limit": Reply(status=429, body=b"Too Many Requests", content_type="text/plain; charset=utf-8"),
    "captcha": Reply(status=302, headers={"Location": "/"}, content_type="text/html; charset=utf-8"),
    "json-disabled": Reply(
        status=403,
        body=b"<!doctype html>\n<html lang=en>\n<title>403 Forbidden</title>\n<h1>Forbidden</h1>\n",
        content_type="text/html; charset=utf-8",
    ),
    "engines": Reply(body=msgspec.json.encode(SUSPENDED)),
}

MIMIC = Mimic(asked=_asked, reply=_reply, faults=FAULTS)
