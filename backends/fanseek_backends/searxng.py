"""SearXNG instances: the JSON of the search API, or the HTML page of the same instance where JSON is disabled.

https://docs.searxng.org/dev/search_api.html
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from fanseek.contract import (
    SCRAPED,
    Backend,
    Docs,
    Failure,
    Field,
    Filters,
    Hit,
    KeyedSettings,
    Markup,
    Operation,
    Parsed,
    QueryLimit,
    Request,
    Response,
    SearchRequest,
    Wording,
    locale,
    with_query,
    words,
)
from fanseek_backends._answers import answer_of, listed
from fanseek_backends._searx_json import Answer, answers_of, failed_engines, families_of, hits_of, shared_kind, told
from fanseek_backends._searx_language import language_of, unmet
from fanseek_backends._searx_mimic import MIMIC
from fanseek_backends._searx_refusals import INSTANCES, JSON_OFF, OTHERS, refusal
from fanseek_backends._wording import disarmed, with_sites

COMMANDS = "!:<"
"""A word that begins so is a command to the instance; in quotes it is only a word."""

LIMIT = QueryLimit(characters=1000, bytes=1200)
"""Ours: the query travels in the address, and an instance's server takes some 4 kB of it."""

SAFETY = {"off": "0", "moderate": "1", "strict": "2"}


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """SearXNG's settings."""

    base_url: Annotated[
        str,
        Meta(
            title="SearXNG instances",
            description="Addresses of instances, a comma between them, tried in turn; empty: public ones.",
            examples=["https://searx.be", "http://127.0.0.1:8888"],
        ),
    ] = ""
    api_key_env: Annotated[
        str,
        Meta(
            title="SearXNG key variable",
            description="Name of the variable that holds a private instance's bearer token; optional.",
        ),
    ] = "SEARXNG_API_KEY"


def wording(search: SearchRequest) -> Wording:
    """The query with operators for domains; words that would be obeyed are quoted."""
    return with_sites(msgspec.structs.replace(search, query=disarmed(search.query, COMMANDS)), LIMIT)


def build(search: SearchRequest, settings: Settings) -> Request:
    """JSON of the first instance, then its HTML, then the next instance."""
    own = [address.strip().rstrip("/") for address in settings.base_url.split(",") if address.strip()]
    wished = locale(search.language, search.region)
    language = language_of(wished)
    fields = {
        "q": wording(search).text,
        "language": language,
        "time_range": "" if search.recency == "any" else search.recency,
        "safesearch": SAFETY[search.safe_search],
        "pageno": "1",
        "categories": "general,news,it" if search.deep else "",
    }
    headers = {"Accept-Language": "en" if language == "all" else language, **FETCH}
    if own and settings.key:
        headers["Authorization"] = f"Bearer {settings.key}"
    first, *others = (
        Request(
            url=with_query(f"{re.sub('/search$', '', address)}/search", fields | form),
            headers=headers | {"Accept": accept},
            credentialed="Authorization" in headers,
        )
        for address in own or INSTANCES
        for form, accept in FORMS
    )
    return msgspec.structs.replace(first, alternatives=tuple(others))


FETCH = {"Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none"}
FORMS: tuple[tuple[dict[str, str], str], ...] = (
    ({"format": "json"}, "application/json, text/html;q=0.9, */*;q=0.1"),
    ({}, "text/html,application/xhtml+xml,*/*;q=0.8"),
)


MARKUP = Markup(
    row="#urls article.result",
    fields={
        "link": Field("h3 a", "href"),
        "title": Field("h3 a"),
        "snippet": Field("p.content:not(.empty_element)"),
        "date": Field("time.published_date", "datetime"),
        **{f"engine {number}": Field(f".engines span:nth-of-type({number})") for number in range(1, 7)},
    },
    signs={
        "results page": "#urls",
        "none": "#urls .dialog-error, #urls .dialog-error-block",
        "engines failed": "#engines_msg",
        "blocked": "script[src*='/cdn-cgi/challenge-platform/h/']",
    },
)


def classify(response: Response) -> Failure | None:
    """What an instance's owner has switched off, walls, and answers for which every engine failed."""
    if response.page is not None and "blocked" in response.page.signs:
        return Failure(kind="blocked", message=f"the instance wants a browser check; {OTHERS}")
    if response.status != 200:
        return refusal(response)
    if response.is_html:
        return _of_page(response)
    answer = answer_of(response.body, Answer)
    failed = failed_engines(answer)
    if listed(answer.results) == [] and failed and not answers_of(answer):
        return Failure(
            kind=shared_kind(failed), message=f"no engine of the instance answered ({told(failed)}); {OTHERS}"
        )
    if answer.error and not listed(answer.results):
        return Failure(kind="server", message=f"the instance reports an error: {answer.error[:200]}")
    return None


def _of_page(response: Response) -> Failure | None:
    """A page that holds no results: honest emptiness is none, all else a failure."""
    page = response.page
    if page is None or page.rows:
        return None
    if "none" in page.signs and "engines failed" in page.signs:
        return Failure(kind="server", message=f"no engine of the instance answered; {OTHERS}")
    if "none" in page.signs:
        return None
    title = f" ({page.title[:80]!r})" if page.title else ""
    return Failure(kind="format", message=f"a page without results{title} instead of JSON: {JSON_OFF}, or {OTHERS}")


def parse(response: Response) -> Parsed:
    """Results with the index families that found them, answers, and a warning for engines that failed."""
    if response.page is not None:
        found = [_of_row(row) for row in response.page.rows if row.get("link")]
        return Parsed(hits=tuple(found), empty="none" in response.page.signs)
    answer = answer_of(response.body, Answer)
    failed = failed_engines(answer)
    warnings = (f"engines that did not answer: {told(failed)}",) if failed else ()
    return Parsed(
        hits=hits_of(answer),
        answer=answers_of(answer),
        warnings=warnings,
        empty=listed(answer.results) == [],
    )


def _of_row(fields: Mapping[str, str]) -> Hit:
    return Hit(
        url=fields["link"],
        title=words(fields.get("title")),
        snippet=words(fields.get("snippet")),
        published=words(fields.get("date")),
        families=families_of([fields.get(f"engine {number}") for number in range(1, 7)]),
    )


BACKEND = Backend(
    name="searxng",
    family="searxng",
    settings=Settings,
    operations={
        "search": Operation(
            build=build,
            parse=parse,
            markup=MARKUP,
            filters=Filters(
                recency="native",
                language="native",
                region="native",
                safe_search="native",
                include_domains="operator",
                exclude_domains="operator",
            ),
            limit=LIMIT,
            wording=wording,
            unmet=unmet,
        )
    },
    docs=Docs(
        url="https://docs.searxng.org/dev/search_api.html",
        checked="2026-11-30",
        receives="the first of searx.be, searx.tiekoetter.com, priv.au (or yours) to answer, and the engines it asks",
        limits="public instances: few calls an hour for each address",
    ),
    cap_s=SCRAPED,
    priority=40,
    classify=classify,
    mimic=MIMIC,
)
