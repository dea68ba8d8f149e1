"""DuckDuckGo without JavaScript: the HTML page, and the lite page where the address is pointed at it.

No published contract. Parameters: https://duckduckgo.com/duckduckgo-help-pages/settings/params.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from fanseek.contract import (
    SCRAPED,
    Backend,
    BackendSettings,
    Docs,
    Failure,
    Field,
    Filters,
    Hit,
    Markup,
    Operation,
    Pace,
    Parsed,
    QueryLimit,
    Request,
    Response,
    SearchRequest,
    Wording,
    by_status,
    form,
    locale,
    words,
)
from fanseek_backends._duck_links import target
from fanseek_backends._duck_mimic import MIMIC
from fanseek_backends._duck_regions import region_of, unmet
from fanseek_backends._wording import disarmed, with_sites

LIMIT = QueryLimit(characters=499)
DAYS = {"day": "d", "week": "w", "month": "m", "year": "y"}
SAFETY = {"strict": "1", "moderate": "-1", "off": "-2"}
COMMANDS = "!\\"
"""A word that begins so sends the reader to another site; in quotes it is only a word."""


class Settings(BackendSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """DuckDuckGo's settings."""

    base_url: Annotated[
        str, Meta(title="DuckDuckGo page", description="Address of the HTML or lite page that is asked.")
    ] = "https://html.duckduckgo.com/html/"


def wording(search: SearchRequest) -> Wording:
    """The query with operators for domains; words that would be obeyed are quoted."""
    return with_sites(msgspec.structs.replace(search, query=disarmed(search.query, COMMANDS)), LIMIT)


def build(search: SearchRequest, settings: Settings) -> Request:
    """The form as a browser would send it from the page itself."""
    wished = locale(search.language, search.region)
    kl = region_of(wished)
    df = f"{search.since}..{search.until}" if search.since else DAYS.get(search.recency, "")
    fields = {"q": wording(search).text, "b": "", "kl": kl, "df": df, "kp": SAFETY[search.safe_search]}
    tongue = f"{wished.language}-{wished.country}".strip("-") if wished.language else "en-US"
    return Request(
        method="POST",
        url=settings.base_url,
        headers={
            "Content-Type": "application/x-www-form-urlencoded",
            "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
            "Accept-Language": tongue if "-" not in tongue else f"{tongue},{tongue.partition('-')[0]};q=0.8",
            "Referer": re.sub(r"(//[^/]*/).*", r"\1", settings.base_url),
            "Cookie": f"kl={kl}; df={df}" if df else f"kl={kl}",
            "Sec-Fetch-Dest": "document",
            "Sec-Fetch-Mode": "navigate",
            "Sec-Fetch-Site": "same-origin",
            "Sec-Fetch-User": "?1",
        },
        body=form({name: value for name, value in fields.items() if value or name == "b"}),
    )


MARKUP = Markup(
    row="div.result, tr:has(> td > a.result-link), tr:has(> td.result-snippet), tr:has(> td > span.timestamp)",
    skip=".result--ad, .result--ad--small, .result--no-result, div.result:has(.badge--ad)",
    fields={
        "link": Field("a.result__a", "href"),
        "title": Field("a.result__a"),
        "snippet": Field(".result__snippet"),
        "date": Field(".result__extras__url > span:not(.result__icon)"),
        "class": Field("", "class"),
        "lite link": Field("a.result-link", "href"),
        "lite title": Field("a.result-link"),
        "lite snippet": Field("td.result-snippet"),
        "lite date": Field("span.timestamp"),
    },
    signs={
        "empty": ".no-results",
        "blocked": "form#challenge-form, form[action*='//duckduckgo.com/anomaly.js'], "
        ".anomaly-modal__title, .anomaly-modal__modal",
    },
    words={
        "empty": ("No more results.", "No more results", "No results.", "No results", "No results found."),
        "blocked": ("Unfortunately, bots use DuckDuckGo too.",),
    },
)


def classify(response: Response) -> Failure | None:
    """A challenge by its form, whatever the status; a redirect is an obeyed command; the rest by status."""
    told = by_status(response)
    challenged = (response.page is not None and "blocked" in response.page.signs) or b"is506:1" in response.body[:400]
    if challenged or (told is not None and told.kind == "blocked" and response.status in (202, 403, 418)):
        return Failure(
            kind="blocked",
            message=f"DuckDuckGo asks for proof of a person (HTTP {response.status}): "
            "wait some minutes, ask less often, or use another network",
            retry_after=told.retry_after if told else None,
        )
    if response.status in (301, 302, 303, 307, 308):
        return Failure(
            kind="bad-request",
            message=f"DuckDuckGo sends this query elsewhere (HTTP {response.status}): "
            "leave out words that begin with ! or a backslash, or check its base URL",
        )
    return told


def parse(response: Response) -> Parsed:
    """The results, advertisements left out, redirects resolved."""
    page = response.page
    if page is None:
        return Parsed()
    return Parsed(hits=tuple(_hits(page.rows)), empty="empty" in page.signs)


def _hits(found: Sequence[Mapping[str, str]]) -> list[Hit]:
    """One hit for each row of the HTML page; of the lite page each row adds what it holds to the latest hit."""
    hits: list[Hit] = []
    wanted = False
    for row in found:
        link = row.get("link") or row.get("lite link")
        if link is not None:
            url = target(link)
            wanted = url is not None and "result-sponsored" not in row.get("class", "").split()
            if url is not None and wanted:
                hits.append(_hit(url, row))
        elif wanted and hits:
            more = {"snippet": words(row.get("lite snippet")), "published": words(row.get("lite date"))}
            hits[-1] = msgspec.structs.replace(hits[-1], **{name: text for name, text in more.items() if text})
    return hits


def _hit(url: str, row: Mapping[str, str]) -> Hit:
    return Hit(
        url=url,
        title=words(row.get("title") or row.get("lite title")),
        snippet=words(row.get("snippet") or row.get("lite snippet")),
        published=words(row.get("date") or row.get("lite date")),
    )


BACKEND = Backend(
    name="ddg",
    family="bing",
    settings=Settings,
    operations={
        "search": Operation(
            build=build,
            parse=parse,
            markup=MARKUP,
            unmet=unmet,
            filters=Filters(
                recency="native",
                date_range="native",
                language="native",
                region="native",
                safe_search="native",
                include_domains="operator",
                exclude_domains="operator",
            ),
            limit=LIMIT,
            wording=wording,
        )
    },
    docs=Docs(
        url="https://duckduckgo.com/duckduckgo-help-pages/settings/params",
        checked="2026-11-30",
        receives="DuckDuckGo (duckduckgo.com), its HTML page",
        limits="not published; about a dozen calls in a row bring a captcha",
    ),
    cap_s=SCRAPED,
    pace=Pace(interval_s=6, burst=10),
    priority=30,
    classify=classify,
    mimic=MIMIC,
)
