"""The query as every backend sends it: within its limit, operators kept, encoded once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fanseek import registry
from fanseek.contract import AnyBackend, Asked, McpCall, Request, SearchRequest, pieces
from fanseek.engine import open_engine
from fanseek.sandbox import Sandbox

MOVES_SITES = {"tavily"}
"""`site:` goes from the query into a field."""

DOCUMENTED = {"brave": (400, 50), "tavily": (400, 0), "deepseek": (128, 0), "ddg": (499, 0), "parallel": (200, 0)}

backends = pytest.mark.parametrize("backend", registry.backends().values(), ids=lambda backend: backend.name)
BITS = [
    "tidal",
    "turbine",
    "潮汐发电的容量系数",
    '"exact phrase"',
    "site:arxiv.org",
    "-draft",
    "intitle:x",
    '5"',
    "!bang",
    ":de",
]
queries = st.lists(st.sampled_from(BITS), min_size=1, max_size=90).map(" ".join)


def asked(backend: AnyBackend, request: Request | McpCall) -> str:
    """The query as the server reads it."""
    assert backend.mimic is not None
    if isinstance(request, McpCall):
        return backend.mimic.asked(Asked(method="POST", target="/", tool=request.tool, arguments=request.arguments))[0]
    headers = {name.lower(): value for name, value in request.headers.items()}
    return backend.mimic.asked(Asked(method=request.method, target=request.url, headers=headers, body=request.body))[0]


@backends
def test_a_backend_says_how_long_a_query_it_takes(backend: AnyBackend) -> None:
    operation = backend.operations["search"]
    assert operation.limit.characters
    assert operation.wording
    if backend.name in DOCUMENTED:
        assert (operation.limit.characters, operation.limit.words) == DOCUMENTED[backend.name]


@backends
@settings(max_examples=60, deadline=None)
@given(query=queries, include=st.booleans(), exclude=st.booleans())
def test_bc_133_a_long_query_fits_whatever_is_put_beside_it(
    backend: AnyBackend, query: str, include: bool, exclude: bool
) -> None:
    operation = backend.operations["search"]
    wished: dict[str, Any] = {"include_domains": ("a.org", "gov") * include, "exclude_domains": ("b.org",) * exclude}
    search = SearchRequest(query=query, recency="week", language="de", today="2026-11-30", **wished)
    wording = operation.wording(search)
    sent = asked(backend, operation.build(search, backend.settings()))
    assert sent == wording.text
    assert operation.limit.takes(sent)
    if wording.cut:
        assert sent.count('"') % 2 == 0
    kept = {piece.text for piece in pieces(sent)}
    for piece in pieces(query):
        if piece.kind == "operator" and not (backend.name in MOVES_SITES and piece.text.startswith("site:")):
            assert piece.text in kept


@backends
def test_a_query_that_fits_is_not_cut(backend: AnyBackend) -> None:
    wording = backend.operations["search"].wording(SearchRequest(query='tidal "power plant" -draft 潮汐'))
    assert not wording.cut
    assert wording.left_out == ()


QUERIES = {
    "C++ & C#": "C++ & C#",
    '"Bonnie&Clyde" +film': '"Bonnie&Clyde" +film',
    "100% off": "100% off",
    "a%20b": "a%20b",
    "AT&T #1": "AT&T #1",
    "中文 标点，。": "中文 标点，。",
    "a\u00a0b\u3000c": "a b c",
    "  x  ": "x",
    "a+b=c?&d;e": "a+b=c?&d;e",
    "\\path %2B %u00e9 é": "\\path %2B %u00e9 é",
    "«100 %» 'x' <b>": "«100 %» 'x' <b>",
    "🦆 naïve \u200bＡＢ": "🦆 naïve ＡＢ",
    'intitle:"a & b" site:x.org/?q=1': 'intitle:"a & b" site:x.org/?q=1',
}
COMMANDS = {"ddg": "\\path", "searxng": "<b>"}
"""Words these would obey, were they not quoted."""


async def test_bc_134_every_server_decodes_the_words_as_they_were_typed() -> None:
    """All eleven, over real sockets: what the servers recorded is the query, encoded once."""
    async with Sandbox() as box, open_engine(box.settings(), environment=box.environment) as engine:
        for typed, meant in QUERIES.items():
            box.log.clear()
            result = await engine.search(typed)
            assert {outcome.status for outcome in result.outcomes} <= {"ok", "empty"}, result.outcomes
            for name, backend in engine.backends.items():
                word = COMMANDS.get(name, "")
                expected = meant.replace(word, f'"{word}"') if word else meant
                assert backend.mimic.asked(searched(box.log[name]))[0] == expected, name


def searched(requests: Iterable[Asked]) -> Asked:
    """The last search among `requests`, its tool's arguments read."""
    for one in reversed([*requests]):
        if b'"jsonrpc"' not in one.body:
            return one
        call = json.loads(one.body)
        if call["method"] == "tools/call":
            params = call["params"]
            return msgspec.structs.replace(one, tool=params["name"], arguments=params["arguments"])
    raise AssertionError
