"""Tavily Search — https://docs.tavily.com/documentation/api-reference/endpoint/search (JSON; key, or keyless)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from fanseek.contract import (
    Backend,
    Docs,
    Failure,
    FailureKind,
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
    first_text,
    locale,
    present,
    rows,
    stamp,
    worded,
    words,
)
from fanseek_backends._answers import LIMITED, SPENT, UNKNOWN_KEY, answer_of, listed
from fanseek_backends._countries import COUNTRIES
from fanseek_backends._refusals import Service, is_object, told
from fanseek_backends._tavily_mimic import MIMIC
from fanseek_backends._wording import without_sites

TAVILY = Service("Tavily", "tavilyApiKeyEnv")
LIMIT = QueryLimit(characters=400)
MOST_RESULTS, MOST_INCLUDED, MOST_EXCLUDED = 20, 300, 150


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Tavily's settings."""

    base_url: Annotated[str, Meta(title="Tavily endpoint", description="Address of the API, without /search.")] = (
        "https://api.tavily.com"
    )
    api_key_env: Annotated[
        str, Meta(title="Tavily key variable", description="Name of the variable that holds a Tavily key.")
    ] = "TAVILY_API_KEY"
    search_depth: Annotated[
        Literal["basic", "advanced"],
        Meta(title="Tavily search depth", description="basic costs one credit a search, advanced two and more time."),
    ] = "basic"
    keyless: Annotated[
        bool,
        Meta(title="Tavily without a key", description="Where no key is found, ask anyway, a few times an hour."),
    ] = False


class Result(msgspec.Struct):
    """One page."""

    url: str
    title: str | None = None
    content: str | None = None
    published: Stamp = msgspec.field(default=None, name="published_date")


class Answer(msgspec.Struct):
    """The whole answer."""

    results: msgspec.Raw = msgspec.Raw()
    answer: str | None = None


class Capped(msgspec.Struct):
    """The error of keyless use. Its `next_actions` speak to models and are never read."""

    code: str = ""
    message: str = ""
    retry_after_seconds: float | None = None


class Refused(msgspec.Struct):
    """An error body in any of its forms."""

    detail: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()
    message: str = ""


def wording(search: SearchRequest) -> Wording:
    """The query without the `site:` words that move into the lists of domains."""
    return worded(without_sites(search).query, LIMIT)


def build(search: SearchRequest, settings: Settings) -> Request:
    """One POST. `site:` moves from the query into the lists of domains."""
    wished = locale(search.language, search.region)
    query, search = wording(search).text, without_sites(search)
    fields: dict[str, object] = {
        "query": query,
        "search_depth": "advanced" if search.deep else settings.search_depth,
        "topic": "general",
        "max_results": max(1, min(search.limit, MOST_RESULTS)),
        "include_answer": True,
        "include_published_date": True,
        "safe_search": search.safe_search != "off",
        "include_domains": search.include_domains[:MOST_INCLUDED],
        "exclude_domains": search.exclude_domains[:MOST_EXCLUDED],
        "time_range": "" if search.recency == "any" or search.since else search.recency,
        "start_date": search.since,
        "end_date": search.until,
        "country": COUNTRIES.get(wished.country, ""),
        "language": wished.language if len(wished.language) == 2 else "",
    }
    if fields["language"]:
        fields["filter_by_language"] = True
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if settings.key:
        headers["Authorization"] = f"Bearer {settings.key}"
    elif settings.keyless:
        headers["X-Tavily-Access-Mode"] = "keyless"
    return Request(
        method="POST",
        url=f"{settings.base_url.rstrip('/')}/search",
        headers=headers,
        body=msgspec.json.encode({name: value for name, value in fields.items() if value not in ("", ())}),
        credentialed=bool(settings.key),
    )


def unmet(search: SearchRequest) -> dict[str, str]:
    """A language without a code of two letters, or a country whose name is not known."""
    wished = locale(search.language, search.region)
    lost = ["language"] * bool(search.language and len(wished.language) != 2)
    lost += ["region"] * bool(search.region and wished.country not in COUNTRIES)
    return dict.fromkeys(lost, "not on its list")


def classify(response: Response) -> Failure | None:
    """Used-up plans have statuses of their own; error bodies have five forms, and one speaks to models."""
    if not is_object(response):
        return _quota(response, None) or TAVILY.by_status(response, None)
    body = answer_of(response.body, Refused)
    capped = next(iter(rows([body.error], Capped)), None) if present(body.error) else None
    said = first_text(told(body.detail), told(body.error), body.message)
    if capped is not None and capped.code.endswith("cap_reached"):
        message = (
            "the hourly limit of Tavily without a key is reached: wait, or set a key of your own (tavilyApiKeyEnv)"
        )
        return Failure(kind="rate-limit", message=message, retry_after=capped.retry_after_seconds)
    if response.status == 200:
        return (
            TAVILY.failure(_kind_of(said), said)
            if said and not listed(answer_of(response.body, Answer).results)
            else None
        )
    if response.status == 403 and not UNKNOWN_KEY.search(said or ""):
        return TAVILY.failure("bad-request", said, status=403)
    return _quota(response, said) or TAVILY.by_status(response, said)


def _quota(response: Response, said: str | None) -> Failure | None:
    spent = response.status in (432, 433) or (response.status >= 400 and _kind_of(said or "") == "quota")
    return TAVILY.failure("quota", said, status=response.status) if spent else None


def _kind_of(said: str) -> FailureKind:
    """An error by its words alone."""
    if "usage limit" in said.lower() or "pay-as-you-go limit" in said.lower() or SPENT.search(said):
        return "quota"
    if UNKNOWN_KEY.search(said):
        return "auth"
    return "rate-limit" if LIMITED.search(said) or "excessive requests" in said.lower() else "server"


def parse(response: Response) -> Parsed:
    """Pages, and the answer Tavily writes from them."""
    answer = answer_of(response.body, Answer)
    sent = listed(answer.results)
    hits = [
        Hit(url=row.url, title=words(row.title), snippet=words(row.content), published=stamp(row.published))
        for row in rows(sent, Result)
    ]
    return Parsed(hits=tuple(hits), answer=words(answer.answer), empty=sent == [])


BACKEND = Backend(
    name="tavily",
    family="tavily",
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
            limit=LIMIT,
            most_results=MOST_RESULTS,
            wording=wording,
            unmet=unmet,
        )
    },
    docs=Docs(
        url="https://docs.tavily.com/documentation/api-reference/endpoint/search",
        checked="2026-11-30",
        receives="Tavily (tavily.com)",
        limits="free credits each month; without a key, a few calls an hour",
        get_key="https://app.tavily.com",
    ),
    pace=Pace(interval_s=0.6, burst=10),
    priority=60,
    needs=("key",),
    classify=classify,
    mimic=MIMIC,
)
