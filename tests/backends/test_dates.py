"""BC-131: the dates providers give, in every shape, through every backend's own reader, to one moment each."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from fanseek.contract import Asked, Request, Response, Row, SearchRequest
from fanseek.merge import Contribution, Timeliness, merge
from fanseek.reading import read
from fanseek.registry import backends

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
SHAPES: list[tuple[object, str | None]] = [
    ("2026-02-28T10:00:00", "2026-02-28T10:00:00Z"),
    ("2026-02-28T10:00:00Z", "2026-02-28T10:00:00Z"),
    ("Sat, 28 Feb 2026 10:00:00 GMT", "2026-02-28T10:00:00Z"),
    (1772272800, "2026-02-28T10:00:00Z"),
    (1772272800000, "2026-02-28T10:00:00Z"),
    ("2 days ago", "2026-02-28T00:00:00Z"),
    ("2 天前", "2026-02-28T00:00:00Z"),
    ("2026-02", "2026-02-01T00:00:00Z"),
    ("0001-01-01T00:00:00", None),
    ("9999-12-31", None),
    ("1970-01-01T00:00:00Z", None),
    (0, None),
    (None, None),
    ({"x": 1}, None),
    ([1], None),
    (True, None),
]
CANARY = "2026-03-01"
TYPED = ["searxng", "brave", "tavily", "serper", "mojeek", "deepseek", "parallel", "anthropic"]
"""Those whose answers are JSON with a field for the date."""


def answer(name: str, date: object) -> Response:
    """What the stand-in of `name` gives for one page, its date replaced by `date` wherever it stands."""
    backend = backends()[name]
    request = backend.operations["search"].build(SearchRequest(query="cats"), backend.settings())
    if isinstance(request, Request):
        asked = Asked(method=request.method, target=request.url, headers={}, body=request.body)
    else:
        asked = Asked(method="POST", target="/mcp", tool=request.tool, arguments=request.arguments)
    reply = backend.mimic.reply(asked, [Row(url="https://a.test/", title="T", snippet="S", published=CANARY)])
    body = msgspec.json.encode(replaced(msgspec.json.decode(reply.body), date))
    if asked.tool:
        body = b'{"jsonrpc":"2.0","id":1,"result":' + body + b"}"
    return Response(status=200, headers={"content-type": "application/json"}, body=body)


def replaced(tree: object, date: object) -> object:
    if isinstance(tree, dict):
        return {key: replaced(value, date) for key, value in tree.items()}
    if isinstance(tree, list):
        return [replaced(value, date) for value in tree]
    if isinstance(tree, str) and tree.startswith("{") and CANARY in tree:
        return msgspec.json.encode(replaced(msgspec.json.decode(tree), date)).decode()
    return date if isinstance(tree, str) and tree.startswith(CANARY) else tree


@pytest.mark.parametrize(("date", "moment"), SHAPES, ids=lambda value: repr(value)[:24])
@pytest.mark.parametrize("name", TYPED)
def test_bc_131_one_moment_of_each_shape(name: str, date: object, moment: str | None) -> None:
    backend = backends()[name]
    reading = read(backend, backend.operations["search"], answer(name, date), NOW)
    assert [hit.url for hit in reading.hits] == ["https://a.test/"], reading.message
    found = merge([Contribution(backend=name, family=name, hits=reading.hits)], timeliness=Timeliness(now=NOW))
    assert found.sources[0].published_at == moment


@pytest.mark.parametrize("name", TYPED)
def test_the_stand_ins_give_a_date_at_all(name: str) -> None:
    backend = backends()[name]
    reading = read(backend, backend.operations["search"], answer(name, CANARY), NOW)
    assert reading.hits[0].published == CANARY


def test_bc_131_dates_of_all_shapes_sort_together() -> None:
    hits = []
    for number, (date, _) in enumerate(SHAPES):
        name = TYPED[number % len(TYPED)]
        backend = backends()[name]
        (hit,) = read(backend, backend.operations["search"], answer(name, date), NOW).hits
        hits.append(msgspec.structs.replace(hit, url=f"https://a{number}.test/"))
    found = merge([Contribution(backend="b", family="b", hits=hits)], timeliness=Timeliness(now=NOW)).sources
    moments = [datetime.fromisoformat(source.published_at) for source in found if source.published_at]
    assert sorted(moments)
    assert len(moments) == 8
    assert all(1990 < moment.year < 2027 for moment in moments)
