"""Parallel over its hosted MCP server; also reads its REST answers.

https://docs.parallel.ai/integrations/mcp/search-mcp; https://docs.parallel.ai/api-reference/search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

from fanseek.contract import (
    Asked,
    Backend,
    Docs,
    Failure,
    Hit,
    KeyedSettings,
    McpCall,
    Mimic,
    Operation,
    Parsed,
    QueryLimit,
    Reply,
    Response,
    Row,
    SearchRequest,
    Stamp,
    Wording,
    first_text,
    rows,
    stamp,
    worded,
    words,
)
from fanseek_backends._answers import joined, listed, loosely, object_in, of_text, refusal, result_of, rpc_failure
from fanseek_backends._wording import objective

NAME = "Parallel"
KEY_SETTING = "parallelApiKeyEnv"
LIMIT = QueryLimit(characters=200)


class Settings(KeyedSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Parallel's settings. Without a key the free tier answers."""

    base_url: Annotated[
        str, Meta(title="Parallel MCP endpoint", description="Address of the MCP server that is asked.")
    ] = "https://search.parallel.ai/mcp"
    api_key_env: Annotated[
        str,
        Meta(title="Parallel key variable", description="Name of the variable that holds a Parallel key; optional."),
    ] = "PARALLEL_API_KEY"


class Result(msgspec.Struct):
    """One page with its excerpts."""

    url: str
    title: str | None = None
    published: Stamp = msgspec.field(default=None, name="publish_date")
    excerpts: list[object] | None = None
    whole: str | None = msgspec.field(default=None, name="full_content")


class Warned(msgspec.Struct):
    """Something about the request that the server changed or disliked."""

    message: str = ""


class Answer(msgspec.Struct):
    """A search's or a fetch's answer."""

    results: msgspec.Raw = msgspec.Raw()
    errors: msgspec.Raw = msgspec.Raw()
    warnings: msgspec.Raw = msgspec.Raw()


def wording(search: SearchRequest) -> Wording:
    """The query as a list of keywords has it; the objective holds more of it."""
    return worded(search.query, LIMIT)


def build(search: SearchRequest, settings: Settings) -> McpCall:
    """One call of `web_search`. How many results come is the server's choice."""
    arguments: dict[str, object] = {
        "objective": objective(search, 5000),
        "search_queries": [wording(search).text],
        "session_id": search.session or "fanseek",
    }
    return _call("web_search", arguments, settings)


def build_read(search: SearchRequest, settings: Settings) -> McpCall:
    """One call of `web_fetch`; the query is the page's address."""
    return _call("web_fetch", {"urls": [search.query], "session_id": search.session or "fanseek"}, settings)


def _call(tool: str, arguments: dict[str, object], settings: Settings) -> McpCall:
    headers = {"Authorization": f"Bearer {settings.key}"} if settings.key else {}
    return McpCall(
        url=settings.base_url, tool=tool, arguments=arguments, headers=headers, credentialed=bool(settings.key)
    )


def classify(response: Response) -> Failure | None:
    """Failures told by the status, by a JSON-RPC error, or by the tool's own text."""
    if failure := refusal(response, NAME, KEY_SETTING):
        return failure
    if response.is_html:
        return None
    if failure := rpc_failure(response, NAME, KEY_SETTING):
        return failure
    result = result_of(response)
    return of_text(result.text, NAME, KEY_SETTING) if result.is_error else None


def parse(response: Response) -> Parsed:
    """Pages, warnings, and how many pages could not be fetched."""
    answer = object_in(result_of(response), Answer)
    sent = listed(answer.results)
    failed = len(loosely(answer.errors))
    hits = [
        Hit(
            url=row.url,
            title=words(row.title),
            snippet=first_text(joined(row.excerpts), row.whole),
            published=stamp(row.published),
        )
        for row in rows(sent, Result)
    ]
    return Parsed(
        hits=tuple(hits),
        failed=failed,
        warnings=tuple(said for warned in rows(loosely(answer.warnings), Warned) if (said := words(warned.message))),
        empty=sent == [] and not failed,
    )


def _asked(asked: Asked) -> tuple[str, int]:
    queries = asked.arguments.get("search_queries")
    return (str(queries[0]) if isinstance(queries, list) and queries else ""), 10


def _reply(asked: Asked, found: Sequence[Row]) -> Reply:
    results = [
        {
            "url": row.url,
            "title": row.title,
            "publish_date": row.published or None,
            "excerpts": [row.snippet] if row.snippet else [],
        }
        for row in found
    ]
    answer = {"search_id": "search_0", "session_id": str(asked.arguments.get("session_id", "")), "results": results}
    return _tool(msgspec.json.encode(answer).decode())


def _tool(text: str, *, failed: bool = False) -> Reply:
    return Reply(body=msgspec.json.encode({"content": [{"type": "text", "text": text}], "isError": failed}))


FAULTS = {
    "error": _tool("Input validation error: search_queries must contain at least 1 item", failed=True),
    "unauthorized": Reply(
        status=401,
        headers={"WWW-Authenticate": "Bearer"},
        body=b'{"error": "invalid_token", "error_description": "The access token is invalid"}',
    ),
}

BACKEND = Backend(
    name="parallel",
    family="parallel",
    settings=Settings,
    operations={
        "search": Operation(build=build, parse=parse, limit=LIMIT, wording=wording),
        "read": Operation(build=build_read, parse=parse),
    },
    docs=Docs(
        url="https://docs.parallel.ai/integrations/mcp/search-mcp",
        checked="2026-11-30",
        receives="Parallel (parallel.ai)",
        limits="keyless calls: not published",
        get_key="https://platform.parallel.ai",
    ),
    priority=20,
    classify=classify,
    mimic=Mimic(asked=_asked, reply=_reply, faults=FAULTS),
)
