"""The sandbox speaks the backends' formats and adds nothing to them."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import mcp_types
import msgspec
import pytest

import fanseek
from fanseek.config.load import load
from fanseek.contract import McpCall, SearchRequest
from fanseek.contract.rpc import events
from fanseek.registry import backends
from fanseek.sandbox import Sandbox
from stand_ins import rpc

SAMPLES = Path(__file__).parents[2] / "backends"
NAMES = sorted(name for name, backend in backends().items() if backend.mimic)
PROTOCOL = {
    field.alias or name
    for kind in vars(mcp_types).values()
    if isinstance(kind, type) and hasattr(kind, "model_fields")
    for name, field in kind.model_fields.items()
}
"""Every key the official package knows in a message of MCP."""


def keys(text: str) -> set[str]:
    """Every key of the JSON in `text`: plain, as data of events, or quoted within a string."""
    documents = [text] if text.lstrip()[:1] in ("{", "[") else list(events(text.encode()))
    found: set[str] = set()
    stack = []
    for document in documents:
        try:
            stack.append(json.loads(document))
        except ValueError:
            continue
    while stack:
        tree = stack.pop()
        if isinstance(tree, dict):
            found |= tree.keys()
            stack += tree.values()
        elif isinstance(tree, list):
            stack += tree
        elif isinstance(tree, str) and tree[:1] == "{":
            found |= keys(tree)
    return found


def sampled(name: str) -> set[str]:
    files = [file for file in (SAMPLES / name).iterdir() if file.is_file() and file.name != "expected.json"]
    return set().union(*(keys(file.read_text(encoding="utf-8", errors="replace")) for file in files))


async def asked(client: httpx.AsyncClient, request: object) -> httpx.Response:
    if isinstance(request, McpCall):
        headers = {**request.headers, "accept": "application/json, text/event-stream"}
        message = rpc("tools/call", {"name": request.tool, "arguments": request.arguments})
        return await client.post(request.url, json=message, headers=headers)
    return await client.request(request.method, request.url, headers=request.headers, content=request.body)


def requests(box: Sandbox, name: str) -> list[object]:
    settings = load(box.settings()).backends[name]
    return [
        operation.build(SearchRequest(query=query, kind=kind), settings)
        for kind, operation in backends()[name].operations.items()
        for query in ("tidal turbines", "潮汐 发电")
    ]


def deep_requests(box: Sandbox, name: str) -> list[object]:
    settings, operation = load(box.settings()).backends[name], backends()[name].operations["search"]
    wished = SearchRequest(query="latest news about tidal turbines", deep=True)
    domains = ({"include_domains": ("a.test",)}, {"exclude_domains": ("a.test",)})
    return [operation.build(msgspec.structs.replace(wished, **each), settings) for each in domains]


def test_the_collector_of_keys_sees_every_way_json_is_wrapped():
    assert keys('{"a": [{"b": "{\\"c\\": 1}"}]}') == {"a", "b", "c"}
    assert keys('event: message\ndata: {"d": 1}\n\n') == {"d"}


@pytest.mark.parametrize("name", NAMES)
async def test_every_key_of_a_reply_occurs_in_a_sample(name):
    """Deliver 8."""
    known = sampled(name)
    async with Sandbox() as box, httpx.AsyncClient(trust_env=False) as client:
        for fault in (None, "empty", "rate-limit", "captcha", *backends()[name].mimic.faults):
            box.faults.set(name, *([fault] if fault else []))
            for request in requests(box, name):
                reply = await asked(client, request)
                strange = keys(reply.text) - known
                assert not strange, f"{name}, fault {fault}: {sorted(strange)} in no sample"
                assert fault or reply.status_code == 200


@pytest.mark.parametrize("name", NAMES)
async def test_every_key_of_the_handshake_is_the_protocols(name):
    async with Sandbox() as box, httpx.AsyncClient(trust_env=False) as client:
        first = requests(box, name)[0]
        if not isinstance(first, McpCall):
            assert await asked(client, first)
            return
        headers = {"accept": "application/json, text/event-stream"}
        for message in (rpc("initialize", {"protocolVersion": "2025-06-18"}), rpc("tools/list"), rpc("no/such")):
            reply = await client.post(first.url, json=message, headers=headers)
            calls = [*requests(box, name), *deep_requests(box, name)]
            arguments = {key for call in calls for key in call.arguments}
            strange = keys(reply.text) - PROTOCOL - arguments - {"type", "properties"}
            assert not strange


@pytest.mark.parametrize("query", ["tidal turbines", "潮汐发电", "R&D <b> \"x\" 'y'"])
@pytest.mark.parametrize("name", NAMES)
async def test_the_engine_finds_exactly_what_the_corpus_holds(name, query):
    """What a backend's own parser reads off the sandbox is what was put into its format."""
    async with Sandbox() as box, fanseek.open_engine(box.settings(), environment=box.environment) as engine:
        result = await engine.search(query, backends=[name], max_results=10)
        rows = {row.url: row for row in box.corpus.rows(name, query, 10)}
        assert len(result.sources) == 10
        assert {source.url for source in result.sources} == rows.keys()
        for source in result.sources:
            assert source.title == " ".join(rows[source.url].title.split())
            assert source.snippet[:40] == rows[source.url].snippet[:40]
            assert source.published is None or source.published[:10] == rows[source.url].published
