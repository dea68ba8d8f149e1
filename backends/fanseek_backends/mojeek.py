"""Mojeek Web Search API — https://www.mojeek.com/support/api/search/request_parameters.html (JSON; key)."""

from __future__ import annotations

import re
from datetime import date, timedelta
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
    Operation,
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
from fanseek_backends._answers import answer_of, listed
from fanseek_backends._mojeek_mimic import MIMIC
from fanseek_backends._refusals import Service, is_object

MOJEEK = Service("Mojeek", "mojeekApiKeyEnv")
LIMIT = QueryLimit(characters=1000, bytes=2000)
"""Ours: theirs is not documented, and the query travels in the address."""

MOST_RESULTS = 40
KINDS: dict[FailureKind, re.Pattern[str]] = {
    "rate-limit": re.compile(r"too many|rate.?limit|per second|slow down", re.IGNORECASE),
    "quota": re.compile(r"limit|quota|credit|exceeded", re.IGNORECASE),
    "auth": re.compile(r"key|auth|denied|forbidden|not allowed|expired", re.IGNORECASE),
}
"""What the status of an answer means, by its words; the first that fits."""


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Mojeek's settings."""

    base_url: Annotated[str, Meta(title="Mojeek endpoint", description="Address of the API, without /search.")] = (
        "https://api.mojeek.com"
    )
    api_key_env: Annotated[
        str, Meta(title="Mojeek key variable", description="Name of the variable that holds a Mojeek API key.")
    ] = "MOJEEK_API_KEY"


class Result(msgspec.Struct):
    """One page."""

    url: str
    title: str | None = None
    desc: str | None = None
    date: Stamp = None
    timestamp: Stamp = None


class Answer(msgspec.Struct):
    """What stands under `response`; `results` may be left out when there are none."""

    status: str = ""
    results: msgspec.Raw = msgspec.Raw()


class Envelope(msgspec.Struct):
    """The whole body."""

    response: msgspec.Raw = msgspec.Raw()


def wording(search: SearchRequest) -> Wording:
    """The query; domains have fields of their own."""
    return worded(search.query, LIMIT)


def build(search: SearchRequest, settings: Settings) -> Request:
    """One GET. Its documents know no place for the key but the query, so the address is a secret."""
    wished = locale(search.language, search.region)
    fields: dict[str, str | int | None] = {
        "q": wording(search).text,
        "api_key": settings.key,
        "fmt": "json",
        "t": max(1, min(search.limit, MOST_RESULTS)),
        "s": 1,
        "since": since(search),
        "before": f"{date.fromisoformat(search.until) + timedelta(days=1):%Y%m%d}" if search.until else "",
        "safe": 0 if search.safe_search == "off" else 1,
        "lb": wished.language.upper() if len(wished.language) == 2 else "",
        "lbb": 100 if len(wished.language) == 2 else None,
        "rb": wished.country,
        "rbb": 10 if wished.country else None,
        "fi": ",".join(search.include_domains),
        "fe": ",".join(search.exclude_domains),
        "date": 1,
    }
    return Request(
        url=with_query(f"{settings.base_url.rstrip('/')}/search", fields),
        headers={"Accept": "application/json"},
        credentialed=bool(settings.key),
    )


def since(search: SearchRequest) -> str:
    """The first day of a range, or the recency as Mojeek has it: a week is a date, a month where today is not known."""
    if search.since:
        return search.since.replace("-", "")
    if search.recency == "week":
        return f"{date.fromisoformat(search.today) - timedelta(days=7):%Y%m%d}" if search.today else "month"
    return "" if search.recency == "any" else search.recency


def unmet(search: SearchRequest) -> dict[str, str]:
    """A language without a code of two letters."""
    wished = locale(search.language, search.region)
    return {"language": "no code of two letters"} if search.language and len(wished.language) != 2 else {}


def classify(response: Response) -> Failure | None:
    """Most failures come under HTTP 200, told by the words of a status in the body."""
    if not is_object(response):
        return MOJEEK.by_status(response, None)
    status = words(_answer(response).status)
    if status is None or status.upper() == "OK":
        return MOJEEK.by_status(response, None)
    told = MOJEEK.by_status(response, status)
    if told and response.status != 403:
        return told
    unknown: FailureKind = told.kind if told else "server"
    kind = next((kind for kind, said in KINDS.items() if said.search(status)), unknown)
    return MOJEEK.failure(kind, status, status=response.status)


def _answer(response: Response) -> Answer:
    envelope = answer_of(response.body, Envelope)
    return answer_of(envelope.response, Answer) if present(envelope.response) else Answer()


def parse(response: Response) -> Parsed:
    """Pages. A status of OK without any says that there are none."""
    answer = _answer(response)
    sent = listed(answer.results)
    hits = [
        Hit(url=row.url, title=words(row.title), snippet=words(row.desc), published=stamp(row.date, row.timestamp))
        for row in rows(sent, Result)
    ]
    return Parsed(hits=tuple(hits), empty=answer.status.strip().upper() == "OK" and not sent)


BACKEND = Backend(
    name="mojeek",
    family="mojeek",
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
        url="https://www.mojeek.com/support/api/search/request_parameters.html",
        checked="2026-11-30",
        receives="Mojeek (mojeek.com)",
        limits="calls a day depend on the plan",
        get_key="https://www.mojeek.com/services/search/web-search-api/",
    ),
    priority=80,
    needs=("key",),
    classify=classify,
    mimic=MIMIC,
)
