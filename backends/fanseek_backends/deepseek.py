"""DeepSeek: its Search API, or a model of its that searches, over its Messages endpoint.

https://api-docs.deepseek.com/guides/search/; https://api-docs.deepseek.com/guides/anthropic_api
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from fanseek.contract import (
    MODEL,
    Backend,
    Docs,
    Failure,
    Filters,
    Hit,
    KeyedSettings,
    Operation,
    Pace,
    Parsed,
    Request,
    Response,
    SearchRequest,
    Stamp,
    first_text,
    fitted,
    rows,
    stamp,
    words,
)
from fanseek_backends import _messages, _messages_request, _prompts
from fanseek_backends._answers import answer_of, listed
from fanseek_backends._deepseek_mimic import MIMIC
from fanseek_backends._deepseek_query import LIMIT, Query, unmet, wording
from fanseek_backends._refusals import Service
from fanseek_backends._vendor_errors import refused

DEEPSEEK = Service("DeepSeek", "deepseekApiKeyEnv", "deepseekModel")
GIVEN_PATH = re.compile(r"(?:/(?:beta|v1|anthropic(?:/v1)?))?(?:/(?:messages|tools/search))?/*\Z")
MOST = 50


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """DeepSeek's settings. Model and number of searches hold for messages only."""

    base_url: Annotated[
        str, Meta(title="DeepSeek endpoint", description="Address of the API, without the path of its version.")
    ] = "https://api.deepseek.com"
    api_key_env: Annotated[
        str, Meta(title="DeepSeek key variable", description="Name of the variable that holds a DeepSeek key.")
    ] = "DEEPSEEK_API_KEY"
    mode: Annotated[
        Literal["search", "messages"],
        Meta(
            title="DeepSeek mode",
            description="search: the Search API; messages: a model searches and answers, which costs tokens.",
        ),
    ] = "search"
    model: Annotated[
        str,
        Meta(title="DeepSeek model", description="Model that searches in mode messages.", min_length=1, max_length=200),
    ] = "deepseek-v4-flash"
    max_searches: Annotated[
        int,
        Meta(
            title="DeepSeek searches",
            description="The most searches the model may make for one of ours, in mode messages.",
            ge=1,
            le=10,
        ),
    ] = 3


class Result(msgspec.Struct):
    """One page of the Search API."""

    url: str
    title: str | None = None
    snippet: str | None = None
    summary: str | None = None
    date: Stamp = None


class Answer(msgspec.Struct):
    """The Search API's whole answer; null stands for no results."""

    results: msgspec.Raw = msgspec.Raw()


def build(search: SearchRequest, settings: Settings) -> Request:
    """One POST to the Search API, or one turn of the model that must search."""
    root = GIVEN_PATH.sub("", settings.base_url)
    if settings.mode == "messages":
        must = {"type": "tool", "name": "web_search"}
        tool: dict[str, object] = {"max_uses": settings.max_searches}
        url = f"{root}/anthropic/v1/messages"
        return _messages_request.request(url, settings.key, search, settings.model, tool, tool_choice=must)
    query = Query(search)
    body: dict[str, object] = {"query": query.text, "count": max(1, min(search.limit, MOST))}
    if query.text != search.query:
        body["ori_question"] = fitted(search.query, LIMIT)
    return Request(
        url=f"{root}/v1/tools/search",
        method="POST",
        headers={"Content-Type": "application/json"}
        | ({"Authorization": f"Bearer {settings.key}"} if settings.key else {}),
        body=msgspec.json.encode(body),
        credentialed=bool(settings.key),
    )


def follow(response: Response, sent: Request) -> Request | None:
    """The rest of a paused turn; the same turn unforced where forcing is what the server does not take."""
    if response.status in (400, 422) and b"tool_choice" in response.body and b'"tool_choice"' in sent.body:
        whole = msgspec.json.decode(sent.body, type=dict[str, msgspec.Raw])
        del whole["tool_choice"]
        return msgspec.structs.replace(sent, body=msgspec.json.encode(whole))
    return _messages_request.follow(response, sent)


def classify(response: Response) -> Failure | None:
    """Failures of either endpoint."""
    if (failure := refused(response, DEEPSEEK)) or _is_found(response):
        return failure
    return _messages.classify(response, DEEPSEEK)


def parse(response: Response) -> Parsed:
    """Pages of the Search API, else of the model's turn."""
    if not _is_found(response):
        return _messages.parse(response)
    sent = listed(answer_of(_messages.bare(response.body), Answer).results)
    hits = [
        Hit(
            url=row.url,
            title=words(row.title),
            snippet=first_text(row.snippet, row.summary),
            published=stamp(row.date),
        )
        for row in rows(sent, Result)
    ]
    return Parsed(hits=tuple(hits), empty=not sent)


def _is_found(response: Response) -> bool:
    """Whether this is an answer of the Search API."""
    body = _messages.bare(response.body)
    return body.startswith(b"{") and bool(bytes(answer_of(body, Answer).results))


SEARCH = Operation(
    build=build,
    parse=parse,
    filters=Filters(
        max_results="native",
        recency="operator",
        date_range="operator",
        language="operator",
        include_domains="operator",
        exclude_domains="operator",
    ),
    follow=follow,
    unmet=unmet,
    limit=LIMIT,
    most_results=MOST,
    wording=wording,
)


def as_set(settings: Settings) -> Backend[Settings]:
    """In mode messages a model that costs tokens, takes its time, and honours wishes as it likes."""
    if settings.mode == "search":
        return BACKEND
    search = msgspec.structs.replace(
        SEARCH, filters=Filters(), unmet=None, most_results=0, limit=_prompts.LIMIT, wording=_prompts.wording
    )
    return msgspec.structs.replace(BACKEND, operations={"search": search}, cap_s=MODEL, costs_tokens=True, pace=Pace())


BACKEND = Backend(
    name="deepseek",
    family="deepseek",
    settings=Settings,
    operations={"search": SEARCH},
    docs=Docs(
        url="https://api-docs.deepseek.com/guides/search/",
        checked="2026-11-30",
        receives="DeepSeek (deepseek.com)",
        limits="0.75 USD for 1000 successful searches, 5 a second; in mode messages also tokens",
        get_key="https://platform.deepseek.com/api_keys",
    ),
    pace=Pace(interval_s=0.2, burst=5),
    priority=60,
    needs=("key",),
    classify=classify,
    mimic=MIMIC,
    as_set=as_set,
)
