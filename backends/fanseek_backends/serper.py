"""Serper, Google's results as JSON — https://serper.dev (JSON; key). The vendor's page shows no full reference."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

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
    Locale,
    Operation,
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
    words,
)
from fanseek_backends._answers import LIMITED, SPENT, UNKNOWN_KEY, answer_of, listed
from fanseek_backends._refusals import Service, is_object, told
from fanseek_backends._serper_mimic import MIMIC
from fanseek_backends._wording import with_sites

SERPER = Service("Serper", "serperApiKeyEnv")
LIMIT = QueryLimit(characters=2000)
"""Ours: theirs is not documented."""

MOST_RESULTS = 100
SPANS = {"day": "qdr:d", "week": "qdr:w", "month": "qdr:m", "year": "qdr:y"}
NO_CREDITS = re.compile(r"not enough credits", re.IGNORECASE)
FREE_PLAN = re.compile(r"query pattern not allowed", re.IGNORECASE)
TRADITIONAL = frozenset({"TW", "HK", "MO"})


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Serper's settings."""

    base_url: Annotated[str, Meta(title="Serper endpoint", description="Address of the API, without /search.")] = (
        "https://google.serper.dev"
    )
    api_key_env: Annotated[
        str, Meta(title="Serper key variable", description="Name of the variable that holds a Serper key.")
    ] = "SERPER_API_KEY"


class Result(msgspec.Struct):
    """One organic result."""

    link: str
    title: str | None = None
    snippet: str | None = None
    date: Stamp = None
    position: int | None = None


class Box(msgspec.Struct):
    """The box above the results."""

    answer: str | None = None
    snippet: str | None = None
    link: str | None = None


class Asked(msgspec.Struct):
    """What was asked, as the answer repeats it."""

    type: str = "search"


class Answer(msgspec.Struct):
    """The whole answer; `organic` may be left out when there is nothing, what was asked never is."""

    asked: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="searchParameters")
    organic: msgspec.Raw = msgspec.Raw()
    box: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="answerBox")


class Refused(msgspec.Struct):
    """An error body: its own, or a gateway's."""

    message: str = ""
    error: msgspec.Raw = msgspec.Raw()
    status: int = msgspec.field(default=0, name="statusCode")


def wording(search: SearchRequest) -> Wording:
    """The query with operators for domains."""
    return with_sites(search, LIMIT)


def build(search: SearchRequest, settings: Settings) -> Request:
    """One POST."""
    wished = locale(search.language, search.region)
    fields = {
        "q": wording(search).text,
        "num": max(1, min(search.limit, MOST_RESULTS)),
        "gl": wished.country.lower(),
        "hl": tongue(wished),
        "tbs": days(search) if search.since else SPANS.get(search.recency, ""),
        "safe": "off" if search.safe_search == "off" else "active",
    }
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if settings.key:
        headers["X-API-KEY"] = settings.key
    return Request(
        method="POST",
        url=f"{settings.base_url.rstrip('/')}/search",
        headers=headers,
        body=msgspec.json.encode({name: value for name, value in fields.items() if value}),
        credentialed=bool(settings.key),
    )


def days(search: SearchRequest) -> str:
    """The range of days in Google's own form, month before day."""
    first, last = (f"{day.month}/{day.day}/{day.year}" for day in map(date.fromisoformat, (search.since, search.until)))
    return f"cdr:1,cd_min:{first},cd_max:{last}"


def unmet(search: SearchRequest) -> dict[str, str]:
    """A language without a code of two letters."""
    wished = locale(search.language, search.region)
    return {"language": "no code of two letters"} if search.language and not tongue(wished) else {}


def tongue(wished: Locale) -> str:
    """`hl` for `wished`: two letters, and a country where Google tells the variants apart."""
    if wished.language == "zh":
        hant = wished.script == "hant" or (not wished.script and wished.country in TRADITIONAL)
        return "zh-tw" if hant else "zh-cn"
    if wished.language == "pt" and wished.country in ("BR", "PT"):
        return f"pt-{wished.country.lower()}"
    return {"nb": "no", "nn": "no"}.get(wished.language, wished.language if len(wished.language) == 2 else "")


def classify(response: Response) -> Failure | None:
    """Used-up credits are a 400; an error may also come under status 200."""
    if not is_object(response):
        return SERPER.by_status(response, None)
    refused = answer_of(response.body, Refused)
    said, status = first_text(refused.message, told(refused.error)) or "", response.status
    if status == 200 and not (said and not listed(answer_of(response.body, Answer).organic)):
        return None
    if status == 200 and refused.status >= 400:
        status = refused.status
    if NO_CREDITS.search(said) or SPENT.search(said):
        return SERPER.failure("quota", said, status=status)
    if FREE_PLAN.search(said):
        message = "this Serper plan takes no quotes, no operators such as site:, and at most 10 results a query"
        return Failure(kind="bad-request", message=f"{message}: simplify the query or ask for fewer results")
    by_status = SERPER.by_status(msgspec.structs.replace(response, status=status), words(said))
    return by_status or SERPER.failure(_kind_of(said), said)


def _kind_of(said: str) -> FailureKind:
    """An error by its words alone."""
    if UNKNOWN_KEY.search(said):
        return "auth"
    return "rate-limit" if LIMITED.search(said) else "server"


def parse(response: Response) -> Parsed:
    """Organic results by their position, and the text of the answer box."""
    answer = answer_of(response.body, Answer)
    sent = listed(answer.organic)
    found = rows(sent, Result)
    ranked = sorted(enumerate(found, start=1), key=lambda pair: (pair[1].position or pair[0], pair[0]))
    hits = [
        Hit(url=row.link, title=words(row.title), snippet=words(row.snippet), published=stamp(row.date))
        for _, row in ranked
    ]
    box = next(iter(rows([answer.box], Box)), Box()) if present(answer.box) else Box()
    said = first_text(box.answer, box.snippet)
    cited = (box.link,) if said and box.link else ()
    asked = next(iter(rows([answer.asked], Asked)), None) if present(answer.asked) else None
    empty = sent == [] or (sent is None and asked is not None and asked.type == "search")
    return Parsed(hits=tuple(hits), answer=said, citations=cited, empty=empty)


BACKEND = Backend(
    name="serper",
    family="google",
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
                include_domains="operator",
                exclude_domains="operator",
            ),
            limit=LIMIT,
            most_results=MOST_RESULTS,
            wording=wording,
            unmet=unmet,
        )
    },
    docs=Docs(
        url="https://serper.dev",
        checked="2026-11-30",
        receives="Serper (serper.dev), which asks Google",
        limits="free credits once; free plans take no operators",
        get_key="https://serper.dev/api-key",
    ),
    priority=70,
    needs=("key",),
    classify=classify,
    mimic=MIMIC,
)
