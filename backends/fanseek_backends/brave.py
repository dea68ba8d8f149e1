"""Brave Search API, web results — https://api-dashboard.search.brave.com/app/documentation/web-search (JSON; key)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from fanseek.contract import (
    Backend,
    Docs,
    Failure,
    Filters,
    Hit,
    KeyedSettings,
    Operation,
    Pace,
    Parsed,
    QueryLimit,
    Request,
    Response,
    SearchRequest,
    Stamp,
    Wording,
    locale,
    present,
    rows,
    stamp,
    with_query,
    worded,
    words,
)
from fanseek_backends._answers import answer_of, joined, listed
from fanseek_backends._brave_codes import COUNTRIES, language_of
from fanseek_backends._brave_mimic import MIMIC
from fanseek_backends._brave_refusals import refusal
from fanseek_backends._wording import is_suffix, with_sites

LIMIT = QueryLimit(characters=400, words=50)
MOST_RESULTS = 20
FRESHNESS = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Brave's settings."""

    base_url: Annotated[str, Meta(title="Brave endpoint", description="Address of the API, without /web/search.")] = (
        "https://api.search.brave.com/res/v1"
    )
    api_key_env: Annotated[
        str, Meta(title="Brave key variable", description="Name of the variable that holds a Brave Search API key.")
    ] = "BRAVE_API_KEY"


class Result(msgspec.Struct):
    """One web result."""

    url: str
    title: str | None = None
    description: str | None = None
    page_age: Stamp = None
    age: Stamp = None
    extra: list[object] | None = msgspec.field(default=None, name="extra_snippets")


class Web(msgspec.Struct):
    """The web results."""

    results: msgspec.Raw = msgspec.Raw()


class Answer(msgspec.Struct):
    """The whole answer; `web` is left out when nothing matched."""

    type: str = ""
    web: msgspec.Raw = msgspec.Raw()


def wording(search: SearchRequest) -> Wording:
    """The query, with operators for domains that are suffixes."""
    return with_sites(search, LIMIT) if _by_operator(search) else worded(search.query, LIMIT)


def _by_operator(search: SearchRequest) -> bool:
    return any(map(is_suffix, (*search.include_domains, *search.exclude_domains)))


def build(search: SearchRequest, settings: Settings) -> Request:
    """One GET. Domains go into a goggle, which costs the query none of its 50 words; suffixes into operators."""
    wished = locale(search.language, search.region)
    fields: dict[str, str | int | None] = {
        "q": wording(search).text,
        "count": max(1, min(search.limit, MOST_RESULTS)),
        "country": wished.country if wished.country in COUNTRIES else "ALL",
        "search_lang": language_of(wished),
        "freshness": f"{search.since}to{search.until}" if search.since else FRESHNESS.get(search.recency),
        "safesearch": search.safe_search,
        "text_decorations": "false",
        "result_filter": "web",
        "goggles": None if _by_operator(search) else goggle(search),
    }
    headers = {"Accept": "application/json"}
    if settings.key:
        headers["X-Subscription-Token"] = settings.key
    url = with_query(f"{settings.base_url.rstrip('/')}/web/search", fields)
    return Request(url=url, headers=headers, credentialed=bool(settings.key))


def unmet(search: SearchRequest) -> dict[str, str]:
    """A language or a country that Brave does not list."""
    wished = locale(search.language, search.region)
    lost = ["language"] * bool(search.language and not language_of(wished))
    lost += ["region"] * bool(search.region and wished.country not in COUNTRIES)
    return dict.fromkeys(lost, "not on its list")


def goggle(search: SearchRequest) -> str:
    """The domains wished as a definition of Brave's re-ranking language: all else discarded, or these."""
    wanted = [f"$site={domain}" for domain in search.include_domains]
    return "\n".join(
        [*(["$discard"] * bool(wanted)), *wanted, *(f"$discard,site={domain}" for domain in search.exclude_domains)]
    )


def classify(response: Response) -> Failure | None:
    """A bad key is a 422, and one status covers both a busy second and a used-up month."""
    return refusal(response)


def parse(response: Response) -> Parsed:
    """The web results. An answer of type `search` without them says that there are none."""
    answer = answer_of(response.body, Answer)
    sent = listed(answer_of(answer.web, Web).results) if present(answer.web) else None
    hits = [
        Hit(
            url=row.url,
            title=words(row.title),
            snippet=joined([row.description, *(row.extra or ())]),
            published=stamp(row.page_age, row.age),
        )
        for row in rows(sent, Result)
    ]
    absent = not present(answer.web) and (answer.type == "search" or bool(bytes(answer.web)))
    return Parsed(hits=tuple(hits), empty=absent or sent == [])


BACKEND = Backend(
    name="brave",
    family="brave",
    settings=Settings,
    operations={
        "search": Operation(
            build=build,
            parse=parse,
            filters=Filters(
                max_results="native",
                recency="native",
                date_range="native",
                language="native",
                region="native",
                safe_search="native",
                include_domains="native",
                exclude_domains="native",
            ),
            html_text=True,
            limit=LIMIT,
            most_results=MOST_RESULTS,
            wording=wording,
            unmet=unmet,
        )
    },
    docs=Docs(
        url="https://api-dashboard.search.brave.com/app/documentation/web-search",
        checked="2026-11-30",
        receives="Brave (search.brave.com)",
        limits="calls a second and a month depend on the plan",
        get_key="https://api-dashboard.search.brave.com",
    ),
    pace=Pace(interval_s=0.02, burst=20),
    priority=50,
    needs=("key",),
    classify=classify,
    mimic=MIMIC,
)
