"""What every backend of the registry promises, on its samples (`<name>/expected.json`) and on damaged ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fanseek import registry
from fanseek.contract import AnyBackend, Asked, McpCall, Request, Response, Row, SearchRequest
from fanseek.errors import ConfigError
from fanseek.reading import Reading, read

HERE = Path(__file__).parent
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
KEY = "canary-5f2c9e"
KEY_IN_URL = {"mojeek"}
"""Backends whose API documents no other place for a key than the query."""
FAILURES = {"auth", "quota", "rate-limit", "bad-request", "blocked", "server", "timeout", "network", "format"}

backends = pytest.mark.parametrize("backend", registry.backends().values(), ids=lambda backend: backend.name)


def expected(backend: AnyBackend) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((HERE / backend.name / "expected.json").read_bytes())
    return found


def samples() -> Iterator[Any]:
    for backend in registry.backends().values():
        for file, entry in expected(backend).items():
            yield pytest.param(backend, file, entry, id=f"{backend.name}/{file}")


def response_of(backend: AnyBackend, file: str, entry: dict[str, Any]) -> Response:
    headers = {name.lower(): value for name, value in entry["headers"].items()}
    return Response(status=entry["status"], headers=headers, body=(HERE / backend.name / file).read_bytes())


def reading_of(backend: AnyBackend, entry: dict[str, Any], response: Response) -> Reading:
    return read(backend, backend.operations[entry.get("kind", "search")], response, NOW)


def with_key(backend: AnyBackend, key: str = KEY) -> Any:
    own = backend.settings()
    return msgspec.structs.replace(own, key=key) if hasattr(own, "key") else own


def sent(request: Request | McpCall) -> str:
    """Everything of a request that is not a header."""
    if isinstance(request, McpCall):
        return request.url + json.dumps(request.arguments, ensure_ascii=False)
    return "\n".join(one.url + one.body.decode() for one in (request, *request.alternatives))


@pytest.mark.parametrize(("backend", "file", "entry"), list(samples()))
def test_a_sample_is_read_as_stated(backend: AnyBackend, file: str, entry: dict[str, Any]) -> None:
    """C1–C4, C24: outcome and number of results of every payload."""
    reading = reading_of(backend, entry, response_of(backend, file, entry))
    assert (reading.status, len(reading.hits)) == (entry["class"], entry.get("results", 0)), reading.message
    if "retry_after" in entry:
        assert reading.retry_after == entry["retry_after"]
    if reading.status in FAILURES:
        assert reading.message
        assert not reading.hits
    for hit in reading.hits:
        assert hit.url.startswith(("http://", "https://"))
        assert hit.title not in ("", "None", "null", "N/A")
        assert hit.snippet not in ("", "None", "null", "N/A")
        assert hit.published not in ("", "None", "null", "N/A")


@pytest.mark.parametrize(("backend", "file", "entry"), list(samples()))
def test_a_sample_cut_anywhere_is_read_without_an_error(backend: AnyBackend, file: str, entry: dict[str, Any]) -> None:
    whole = response_of(backend, file, entry)
    for part in range(1, 24):
        cut = msgspec.structs.replace(whole, body=whole.body[: len(whole.body) * part // 24])
        reading = reading_of(backend, entry, cut)
        assert len(reading.hits) <= max(entry.get("results", 0), 4)
        if entry["class"] in FAILURES - {"format"}:
            assert reading.status != "empty"


@pytest.mark.parametrize(("backend", "file", "entry"), list(samples()))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_sample_is_read_without_an_error(
    backend: AnyBackend, file: str, entry: dict[str, Any], data: st.DataObject
) -> None:
    whole = response_of(backend, file, entry)
    body = bytearray(whole.body)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(body)))
        body[at : at + data.draw(st.integers(0, 6))] = data.draw(
            st.sampled_from([b"", b"null", b"{", b"]", b'"', b"<", b"\xff\xfe", b"<div>", b"\\ud800", b"0", b"[[]]"])
        )
    status = data.draw(st.sampled_from([entry["status"], 200, 404, 500]))
    reading = reading_of(backend, entry, msgspec.structs.replace(whole, body=bytes(body), status=status))
    assert reading.status in FAILURES | {"ok", "partial", "empty"}
    if status >= 400:
        assert reading.status in FAILURES


@backends
def test_a_backend_has_samples_of_success_and_of_its_absence(backend: AnyBackend) -> None:
    classes = {entry["class"] for entry in expected(backend).values()}
    assert "ok" in classes
    assert classes - {"ok", "partial"}
    files = {path.name for path in (HERE / backend.name).iterdir()} - {"expected.json"}
    assert files == set(expected(backend))


@backends
@pytest.mark.parametrize(
    "query", ["tidal turbines", "C++ & C#", "100% off", "a%20b", "AT&T #1", "中文 标点，。", 'x"y']
)
def test_build_is_pure_and_asks_the_query_once_encoded(backend: AnyBackend, query: str) -> None:
    """BC-134: the server gets the words as they were typed."""
    search = SearchRequest(query=query, session="s1")
    for operation in backend.operations.values():
        request = operation.build(search, backend.settings())
        assert request == operation.build(search, backend.settings())
        assert query in asked_of(request)


def asked_of(request: Request | McpCall) -> str:
    if isinstance(request, McpCall):
        return " ".join(str(value) for value in request.arguments.values()) + " ".join(
            request.arguments.get("urls", [])
        )
    headers = {name.lower(): value for name, value in request.headers.items()}
    asked = Asked(method=request.method, target=request.url, headers=headers, body=request.body)
    typed = strings(json.loads(request.body)) if headers.get("content-type") == "application/json" else ()
    return " ".join((*asked.parameters.values(), *typed))


def strings(tree: Any) -> list[str]:
    if isinstance(tree, dict | list):
        return [text for value in (tree.values() if isinstance(tree, dict) else tree) for text in strings(value)]
    return [tree] if isinstance(tree, str) else []


@backends
def test_a_key_travels_in_a_header_only_and_never_by_itself(backend: AnyBackend) -> None:
    """A6, C24: without a key no header speaks of one; with one the request is marked and its URL is clean.

    C8 as design.md overrules it: where an API takes its key only in the URL, the mark is what hides it.
    """
    search = SearchRequest(query="tidal")
    for operation in backend.operations.values():
        bare = operation.build(search, backend.settings())
        names = {name.lower() for name in bare.headers}
        assert not names & {"authorization", "x-api-key", "x-subscription-token"}
        assert not bare.credentialed
        keyed = operation.build(search, with_key(backend))
        in_url = backend.name in KEY_IN_URL
        assert (KEY in sent(keyed)) is in_url
        carried = [value for value in keyed.headers.values() if KEY in value]
        assert keyed.credentialed is bool(carried or in_url)
        assert keyed.credentialed or not backend.needs


@backends
def test_the_address_can_be_another(backend: AnyBackend) -> None:
    """C23."""
    own = msgspec.structs.replace(backend.settings(), base_url="http://127.0.0.1:9/path")
    for operation in backend.operations.values():
        request = operation.build(SearchRequest(query="tidal"), own)
        others = request.alternatives if isinstance(request, Request) else ()
        assert all(one.url.startswith("http://127.0.0.1:9/path") for one in (request, *others))


@backends
def test_what_the_mimic_replies_is_read_back(backend: AnyBackend) -> None:
    assert backend.mimic is not None
    operation = backend.operations["search"]
    found = [
        Row(
            url="https://a.example.org/?x=1&y=2", title="One & <two>", snippet="Three 'four' \"five\"", family="google"
        ),
        Row(url="https://b.example.cn/%E6%BD%AE", title="潮汐发电", snippet="容量系数", published="2026-03-18"),
        Row(url="https://c.example.org/path#part", title="No snippet"),
    ]
    request = operation.build(SearchRequest(query="tidal & wave <x>", limit=7), backend.settings())
    for asked in asked_by(request):
        query, wanted = backend.mimic.asked(asked)
        assert query.replace('"', "") == "tidal & wave <x>"
        assert wanted > 0
        for rows in (found, found[:1], []):
            reading = read(backend, operation, answered(backend.mimic.reply(asked, rows), asked), NOW)
            assert [hit.url for hit in reading.hits] == [row.url for row in rows], reading.message
            assert [hit.title for hit in reading.hits] == [row.title for row in rows]
            assert [hit.snippet or "" for hit in reading.hits] == [row.snippet for row in rows]
            assert reading.status == ("ok" if rows else "empty")
    for reply in backend.mimic.faults.values():
        reading = read(backend, operation, answered(reply, asked), NOW)
        assert reading.status in FAILURES, reading


def asked_by(request: Request | McpCall) -> list[Asked]:
    if isinstance(request, McpCall):
        return [Asked(method="POST", target="/mcp", tool=request.tool, arguments=request.arguments)]
    return [
        Asked(
            method=one.method,
            target=one.url,
            headers={name.lower(): value for name, value in one.headers.items()},
            body=one.body,
        )
        for one in (request, *request.alternatives)
    ]


def answered(reply: Any, asked: Asked) -> Response:
    body = reply.body
    if asked.tool and reply.status == 200 and reply.content_type == "application/json":
        body = b'{"jsonrpc":"2.0","id":1,"result":' + body + b"}"
    headers = {name.lower(): value for name, value in reply.headers.items()} | {"content-type": reply.content_type}
    return Response(status=reply.status, headers=headers, body=body)


@backends
def test_a_mimic_says_no_key_that_no_sample_has(backend: AnyBackend) -> None:
    assert backend.mimic is not None
    theirs = [file for file, entry in expected(backend).items() if not entry.get("ours")]
    known = b"\n".join((HERE / backend.name / file).read_bytes() for file in theirs).decode(errors="replace")
    request = backend.operations["search"].build(SearchRequest(query="q"), backend.settings())
    rows = [Row(url="https://a.example.org/", title="T", snippet="S", published="2026-03-18")]
    for asked in asked_by(request):
        for reply in (backend.mimic.reply(asked, rows), *backend.mimic.faults.values()):
            if reply.content_type == "application/json":
                assert all(f'"{key}"' in known or f'"{key}\\"' in known for key in keys(json.loads(reply.body)))


def keys(tree: Any) -> set[str]:
    if isinstance(tree, dict):
        return set(tree) | {key for value in tree.values() for key in keys(value)}
    if isinstance(tree, list):
        return {key for value in tree for key in keys(value)}
    if isinstance(tree, str) and tree.startswith("{"):
        return keys(json.loads(tree))
    return set()


@backends
def test_the_facts_people_need_are_there(backend: AnyBackend) -> None:
    """Q2, R10: where the format is described, when it was read, who gets the query; every setting described."""
    assert backend.docs.url.startswith("https://")
    assert datetime.fromisoformat(backend.docs.checked)
    assert backend.docs.receives
    assert backend.family
    schema = msgspec.json.schema(backend.settings)["$defs"]["Settings"]["properties"]
    for name, field in schema.items():
        if name != "key":
            assert field["title"], name
            assert field["description"], name


@backends
def test_selectors_are_selectors(backend: AnyBackend) -> None:
    for operation in backend.operations.values():
        if operation.markup is not None:
            from fanseek.text.html import apply

            page = Response(status=200, headers={"content-type": "text/html"}, body=b"<p>x")
            try:
                assert apply(operation.markup, page).rows == ()
            except ConfigError as problem:
                pytest.fail(str(problem))


def test_keyless_backends_are_the_four() -> None:
    """B3."""
    keyless = [name for name, backend in registry.backends().items() if not backend.needs and not backend.costs_tokens]
    assert keyless[:4] == ["exa", "parallel", "ddg", "searxng"]
    assert all(registry.backends()[name].settings().enabled == "auto" for name in keyless)
