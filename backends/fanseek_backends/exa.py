"""Exa over its hosted MCP server; also reads its REST answers and earlier text formats.

https://exa.ai/docs/reference/exa-mcp; source of the server: github.com/exa-labs/exa-mcp-server.
"""

from __future__ import annotations

import re
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
    McpCall,
    Operation,
    Pace,
    Parsed,
    QueryLimit,
    Response,
    SearchRequest,
    ToolResult,
    Wording,
    first_text,
    rows,
    stamp,
    with_query,
    worded,
    words,
)
from fanseek_backends._answers import (
    answer_of,
    joined,
    limited,
    listed,
    loosely,
    object_in,
    of_text,
    refusal,
    result_of,
    rpc_failure,
)
from fanseek_backends._exa_category import category
from fanseek_backends._exa_json import Answer, Result, Status
from fanseek_backends._exa_mimic import ADVANCED, LIMIT_TEXT, MIMIC, RATE_LIMITED
from fanseek_backends._exa_text import pages, records
from fanseek_backends._wording import objective

NAME = "Exa"
KEY_SETTING = "exaApiKeyEnv"
NOTHING = ("No search results found", "No content found for the provided URL")
LIMIT = QueryLimit(characters=2000)
"""Ours: theirs is not documented."""

MOST_RESULTS = 100
SPENT_TAGS = {"NO_MORE_CREDITS", "API_KEY_BUDGET_EXCEEDED", "TEAM_BUDGET_EXCEEDED"}


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Exa's settings. Without a key the free tier answers, a limited number of times a day."""

    base_url: Annotated[str, Meta(title="Exa MCP endpoint", description="Address of the MCP server that is asked.")] = (
        "https://mcp.exa.ai/mcp"
    )
    api_key_env: Annotated[
        str, Meta(title="Exa key variable", description="Name of the variable that holds an Exa key; optional.")
    ] = "EXA_API_KEY"


def wording(search: SearchRequest) -> Wording:
    """The query alone; what else is wished goes into the objective."""
    return worded(search.query, LIMIT)


def build(search: SearchRequest, settings: Settings) -> McpCall:
    """One call of `web_search_exa`; under deep coverage, of its sibling that takes a category where one is plain."""
    if search.deep and _takes_categories(settings) and (kind := category(search.query)):
        return _advanced(search, settings, kind)
    arguments = {
        "query": wording(search).text,
        "objective": objective(search, 4096),
        "numResults": max(1, min(search.limit, MOST_RESULTS)),
    }
    return _call("web_search_exa", arguments, settings)


def _takes_categories(settings: Settings) -> bool:
    """Whether the tool that does is among those an address asks for; one that names none can be made to."""
    return "tools=" not in settings.base_url or ADVANCED in settings.base_url


def _advanced(search: SearchRequest, settings: Settings, kind: str) -> McpCall:
    """One call of the tool that takes categories and domains. It has to be named in the address."""
    arguments: dict[str, object] = {
        "query": wording(search).text,
        "numResults": max(1, min(search.limit, MOST_RESULTS)),
        "category": kind,
        "enableHighlights": True,
    }
    if search.include_domains:
        arguments["includeDomains"] = list(search.include_domains)
    elif search.exclude_domains:
        arguments["excludeDomains"] = list(search.exclude_domains)
    call = _call(ADVANCED, arguments, settings)
    return (
        call if ADVANCED in call.url else msgspec.structs.replace(call, url=with_query(call.url, {"tools": ADVANCED}))
    )


def build_read(search: SearchRequest, settings: Settings) -> McpCall:
    """One call of `web_fetch_exa`; the query is the page's address."""
    return _call("web_fetch_exa", {"urls": [search.query]}, settings)


def _call(tool: str, arguments: dict[str, object], settings: Settings) -> McpCall:
    headers = {"x-api-key": settings.key} if settings.key else {}
    return McpCall(
        url=settings.base_url, tool=tool, arguments=arguments, headers=headers, credentialed=bool(settings.key)
    )


def classify(response: Response) -> Failure | None:
    """Failures told by the status, by a mark in the result, or by the tool's own text."""
    failure = _by_tag(response) or refusal(response, NAME, KEY_SETTING)
    if failure is not None or response.is_html:
        return failure
    return rpc_failure(response, NAME, KEY_SETTING) or _of_result(result_of(response))


def _of_result(result: ToolResult) -> Failure | None:
    text = result.text.lstrip()
    if result.meta.get(RATE_LIMITED) is True or text.startswith(LIMIT_TEXT):
        return Failure(kind="rate-limit", message=limited(NAME, KEY_SETTING))
    if text.startswith("Error fetching URL(s):"):
        return Failure(kind="server", message=f"{NAME} could not fetch any of the pages: {_tags(text)}")
    return of_text(text, NAME, KEY_SETTING) if result.is_error else None


def _by_tag(response: Response) -> Failure | None:
    """A REST error whose tag or mere presence tells more than the status."""
    if b'"error"' not in response.body or b'"jsonrpc"' in response.body or not response.body.startswith(b"{"):
        return None
    answer = answer_of(response.body, Answer)
    if answer.tag in SPENT_TAGS:
        return Failure(kind="quota", message=f"the credits of this {NAME} key are used up ({answer.tag})")
    if answer.tag == "INVALID_API_KEY":
        return Failure(kind="auth", message=f"{NAME} refused the key: correct or remove it ({KEY_SETTING})")
    said = response.status == 200 and answer.error and not listed(answer.results)
    return of_text(answer.error, NAME, KEY_SETTING) if said else None


def _tags(text: str) -> str:
    return ", ".join(sorted(set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", text)))) or "no reason given"


def parse(response: Response) -> Parsed:
    """Results or pages, from whichever form the answer has."""
    result = result_of(response)
    text = re.sub(r"\A\s*Search Time: [^\n]*\n+", "", result.text).lstrip()
    if text.startswith("{") or bytes(result.structured).lstrip().startswith(b"{"):
        return _from_json(object_in(result, Answer))
    if text.startswith(NOTHING):
        return Parsed(empty=True)
    lines = re.split(r"\r\n|\r|\n", text)
    return pages(lines) if re.match(r"# |Error fetching ", text) else Parsed(hits=tuple(records(lines)))


def _from_json(answer: Answer) -> Parsed:
    sent = listed(answer.results)
    hits = [
        Hit(
            url=row.url,
            title=words(row.title),
            snippet=first_text(joined(row.highlights), row.summary, row.text),
            published=stamp(row.published),
            author=words(row.author),
        )
        for row in rows(sent, Result)
    ]
    failed = sum(page.status == "error" for page in rows(loosely(answer.statuses), Status))
    known = sent is not None or bool(answer.request)
    return Parsed(hits=tuple(hits), failed=failed, empty=known and not sent and not failed)


BACKEND = Backend(
    name="exa",
    family="exa",
    settings=Settings,
    operations={
        "search": Operation(
            build=build,
            parse=parse,
            filters=Filters(max_results="native"),
            limit=LIMIT,
            wording=wording,
            most_results=MOST_RESULTS,
        ),
        "read": Operation(build=build_read, parse=parse),
    },
    docs=Docs(
        url="https://exa.ai/docs/reference/exa-mcp",
        checked="2026-11-30",
        receives="Exa (exa.ai)",
        limits="a daily number of keyless calls for each address, about 50 to 150; two a second",
        get_key="https://dashboard.exa.ai/api-keys",
    ),
    pace=Pace(interval_s=0.5),
    priority=10,
    classify=classify,
    mimic=MIMIC,
)
