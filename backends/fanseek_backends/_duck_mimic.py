"""DuckDuckGo's HTML page seen from the server's side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from fanseek.contract import Asked, Mimic, Reply, Row


def _asked(asked: Asked) -> tuple[str, int]:
    return asked.parameters.get("q", ""), 10


RESULT = (
    '<div class="result results_links results_links_deep web-result ">'
    '<div class="links_main links_deep result__body"><h2 class="result__title">'
    '<a rel="nofollow" class="result__a" href="{href}">{title}</a></h2>'
    '<div class="result__extras"><div class="result__extras__url"><a class="result__url" href="{href}">{shown}</a>'
    '{date}</div></div><a class="result__snippet" href="{href}">{snippet}</a><div class="clear"></div></div></div>\n'
)
NO_RESULT = '<div class="result web-result result--no-result"><div class="no-results">No results.</div></div>'


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    query = escape(_asked(asked)[0])
    return _page(query, "".join(map(_result, found)) or NO_RESULT)


def _page(query: str, results: str) -> Reply:
    body = (
        '<!DOCTYPE html>\n<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8">'
        f'<title>{query} at DuckDuckGo</title></head><body class="body--html">'
        f'<form name="x" class="header__form" action="/html/" method="post"><input name="q" value="{query}"></form>'
        f'<div class="serp__results"><div id="links" class="results">\n{results}</div></div></body></html>\n'
    )
    return Reply(body=body.encode(), content_type="text/html; charset=utf-8")


def _result(row: Row) -> str:
    return RESULT.format(
        href=escape(f"//duckduckgo.com/l/?uddg={quote(row.url, safe='')}&rut=0"),
        title=escape(row.title),
        shown=escape(row.url.partition("//")[2]),
        date=f"<span>&nbsp; &nbsp; {row.published}T00:00:00.0000000</span>" if row.published else "",
        snippet=escape(row.snippet),
    )


CHALLENGE = (
    b"<!DOCTYPE html><html><head><title>DuckDuckGo</title></head><body>"
    b'<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&amp;cc=botnet" method="POST">'
    b'<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div></form></body></html>'
)

MIMIC = Mimic(
    asked=_asked,
    reply=_reply,
    faults={"captcha": Reply(status=202, body=CHALLENGE, content_type="text/html; charset=utf-8")},
)
