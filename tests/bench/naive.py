"""The naive aggregator: what a capable newcomer writes in an afternoon.

One shared httpx.AsyncClient, asyncio.gather, BeautifulSoup and json, results merged in a dict by URL. No limits, no
deadline, no breaker, no MCP session.

Alone, for the cold start: python naive.py UPSTREAM.json QUERY
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
from bs4 import BeautifulSoup

Result = dict[str, str]


async def exa(client: httpx.AsyncClient, url: str, query: str) -> list[Result]:
    text = await call_tool(client, url, "web_search_exa", {"query": query, "objective": query, "numResults": 10})
    results = []
    for block in text.split("\n\n---\n\n"):
        head, _, highlights = block.partition("\nHighlights:\n")
        fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        if "URL" in fields:
            results.append({"url": fields["URL"], "title": fields.get("Title", ""), "snippet": highlights})
    return results


async def parallel(client: httpx.AsyncClient, url: str, query: str) -> list[Result]:
    arguments = {"objective": query, "search_queries": [query], "session_id": "bench"}
    text = await call_tool(client, url, "web_search", arguments)
    return [
        {"url": row["url"], "title": row.get("title") or "", "snippet": "\n".join(row.get("excerpts") or [])}
        for row in json.loads(text)["results"]
    ]


async def call_tool(client: httpx.AsyncClient, url: str, tool: str, arguments: dict[str, Any]) -> str:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    response = await client.post(url, json=call, headers={"Accept": "application/json, text/event-stream"})
    response.raise_for_status()
    body = response.text
    if "event-stream" in response.headers["content-type"]:
        body = next(line[5:] for line in body.splitlines() if line.startswith("data:"))
    return str(json.loads(body)["result"]["content"][0]["text"])


async def ddg(client: httpx.AsyncClient, url: str, query: str) -> list[Result]:
    response = await client.post(url, data={"q": query, "b": "", "kl": "wt-wt"})
    response.raise_for_status()
    soup = BeautifulSoup(response.text, "html.parser")
    results = []
    for block in soup.select(".result"):
        link = block.select_one("a.result__a")
        if link is None or "result--ad" in (block.get("class") or []):
            continue
        target = urljoin("https://duckduckgo.com/", str(link["href"]))
        target = parse_qs(urlsplit(target).query).get("uddg", [target])[0]
        snippet = block.select_one(".result__snippet")
        results.append({"url": target, "title": link.get_text(), "snippet": snippet.get_text() if snippet else ""})
    return results


async def searxng(client: httpx.AsyncClient, url: str, query: str) -> list[Result]:
    response = await client.get(url, params={"q": query, "format": "json"})
    response.raise_for_status()
    return [
        {"url": row["url"], "title": row.get("title", ""), "snippet": row.get("content", "")}
        for row in response.json()["results"]
    ]


ASKED = {"exa": exa, "parallel": parallel, "ddg": ddg, "searxng": searxng}


async def search(client: httpx.AsyncClient, urls: dict[str, str], query: str) -> list[Result]:
    """Every backend at once; the first of several results with one URL wins, missing fields are filled in."""
    found: dict[str, Result] = {}
    for results in await asyncio.gather(*[ask(client, urls[name], query) for name, ask in ASKED.items()]):
        for result in results:
            kept = found.setdefault(result["url"], result)
            for field, value in result.items():
                if value and not kept[field]:
                    kept[field] = value
    return list(found.values())


@asynccontextmanager
async def opened(upstream: dict[str, Any]) -> AsyncIterator[Callable[[str], Awaitable[int]]]:
    """A search function over the sandbox's addresses in `upstream`."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    async with httpx.AsyncClient(timeout=60, limits=limits, trust_env=False) as client:

        async def count(query: str) -> int:
            return len(await search(client, upstream["urls"], query))

        yield count


async def _once(upstream: dict[str, Any], query: str) -> None:
    async with opened(upstream) as count:
        print(json.dumps({"results": await count(query)}))


if __name__ == "__main__":
    asyncio.run(_once(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")), sys.argv[2]))
