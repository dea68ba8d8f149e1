"""What only Mojeek does: its key in the query, no week, failures under HTTP 200."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from fanseek.contract import Response, SearchRequest
from fanseek.engine import open_engine
from fanseek.errors import AllFailed
from fanseek.reading import Reading, read
from fanseek.sandbox import Sandbox
from fanseek_backends.mojeek import BACKEND, Settings

SEARCH = BACKEND.operations["search"]
HERE = Path(__file__).parent / "mojeek"
CANARY = "canaryMojeek9f3a"


def fields(settings: Settings | None = None, **wishes: object) -> dict[str, str]:
    request = SEARCH.build(SearchRequest(**{"query": "cats", **wishes}), settings or Settings())
    return {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}


def reading(file: str) -> Reading:
    return read(BACKEND, SEARCH, Response(status=200, body=(HERE / file).read_bytes()))


def test_the_documented_endpoint_is_asked_for_json() -> None:
    """C8 as design.md overrules it."""
    request = SEARCH.build(SearchRequest(query="cats"), Settings(key=CANARY))
    assert request.url.startswith("https://api.mojeek.com/search?q=cats&")
    assert request.credentialed
    assert CANARY not in str(request.headers)
    found = fields(Settings(key=CANARY))
    assert (found["api_key"], found["fmt"], found["s"], found["t"]) == (CANARY, "json", "1", "8")
    assert "api_key" not in fields()


def stored(place: Path) -> bytes:
    return b"".join(path.read_bytes() for path in place.rglob("*") if path.is_file())


@pytest.mark.parametrize("fault", ["quota", "unauthorized", "error", "http", "malformed", "redirect", "reset", "hang"])
async def test_the_key_shows_nowhere_however_the_call_ends(
    fault: str, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    """C8: over real sockets, the key in the address, each way to fail; errors, outcomes, logs and state are clean."""
    caplog.set_level(0)
    async with Sandbox() as box:
        box.faults.set("mojeek", fault)
        settings = {**box.settings(), "proxy": "direct"}
        surroundings = {"MOJEEK_API_KEY": CANARY}
        async with open_engine(settings, environment=surroundings, state_dir=tmp_path) as engine:
            with pytest.raises(AllFailed) as failed:
                await engine.search("cats", backends=["mojeek"], deadline_ms=700 if fault == "hang" else 5000)
        assert CANARY in next(iter(box.log["mojeek"])).target
        assert box.trapped == 0
    said = f"{failed.value!r} {failed.value} {failed.value.result} {caplog.text}"
    assert CANARY not in said
    assert CANARY.encode() not in stored(tmp_path)


@pytest.mark.parametrize(
    ("recency", "today", "since"),
    [
        ("any", "2026-11-30", None),
        ("day", "2026-11-30", "day"),
        ("week", "2026-11-30", "20261123"),
        ("week", "2026-03-03", "20260224"),
        ("week", "2027-01-02", "20261226"),
        ("week", "", "month"),
        ("month", "2026-11-30", "month"),
        ("year", "2026-11-30", "year"),
    ],
)
def test_a_week_is_a_date(recency: str, today: str, since: str | None) -> None:
    """G5: Mojeek knows day, month and year only."""
    assert fields(recency=recency, today=today).get("since") == since


async def test_the_engine_s_clock_says_which_week() -> None:
    async with (
        Sandbox() as box,
        open_engine(box.settings(), environment=box.environment, clock=lambda: 1_780_000_000.0) as engine,
    ):
        await engine.search("cats", backends=["mojeek"], freshness="week")
        assert "since=20260521" in next(iter(box.log["mojeek"])).target


def test_wishes_become_parameters() -> None:
    """BC-143: two levels, moderate is on."""
    assert [fields(safe_search=level)["safe"] for level in ("off", "moderate", "strict")] == ["0", "1", "1"]
    found = fields(language="zh-CN", include_domains=("a.test", "b.test"), exclude_domains=("c.test",), limit=90)
    assert (found["lb"], found["lbb"], found["rb"], found["rbb"]) == ("ZH", "100", "CN", "10")
    assert (found["fi"], found["fe"], found["t"]) == ("a.test,b.test", "c.test", "40")
    assert not {"lb", "lbb", "rb", "rbb", "fi", "fe"} & set(fields())


def test_entities_are_resolved_once_and_tags_go() -> None:
    hit = reading("search_ok.json").hits[0]
    assert (hit.title, hit.snippet, hit.published) == (
        "Tidal & wave energy",
        'The array reached 41 % … "record"',
        "18 Mar 2026",
    )
    assert reading("own_rows_mixed.json").hits[0].title == "Tidal &amp; more"


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("ERROR: Daily Limit Reached", "quota"),
        ("ERROR: Monthly quota exceeded", "quota"),
        ("ERROR: Rate limit", "rate-limit"),
        ("ERROR: No API key given", "auth"),
        ("ERROR: Authorisation failed", "auth"),
        ("ERROR: Access Denied", "auth"),
        ("ERROR: API key expired", "auth"),
        ("ERROR: Internal", "server"),
        ("Something else", "server"),
    ],
)
def test_a_status_in_the_body_is_a_failure_by_its_words(said: str, status: str) -> None:
    """a.md §13 no. 1."""
    body = b'{"response":{"status":"%s","results":[]}}' % said.encode()
    told = read(BACKEND, SEARCH, Response(status=200, body=body))
    assert told.status == status
    assert said in told.message


@pytest.mark.parametrize(
    ("http", "kind"), [(401, "auth"), (402, "quota"), (403, "auth"), (429, "rate-limit"), (500, "server")]
)
def test_a_status_of_http_outranks_the_words(http: int, kind: str) -> None:
    body = b'{"response":{"status":"ERROR: Something","results":[]}}'
    assert read(BACKEND, SEARCH, Response(status=http, body=body)).status == kind


@pytest.mark.parametrize("ok", ["OK", "ok", " Ok "])
def test_a_status_of_ok_is_none_of_a_failure(ok: str) -> None:
    body = f'{{"response":{{"status":"{ok}","results":[{{"url":"https://a.test/"}}]}}}}'
    assert read(BACKEND, SEARCH, Response(status=200, body=body.encode())).status == "ok"
    assert fields()["date"] == "1"


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (403, "ERROR: Daily Limit Reached", "quota"),
        (403, "ERROR: Access Denied", "auth"),
        (403, "ERROR", "auth"),
        (429, "ERROR: Daily Limit Reached", "rate-limit"),
        (500, "ERROR: key store is down", "server"),
    ],
)
def test_a_403_is_about_the_key_or_about_its_calls(status: int, said: str, kind: str) -> None:
    body = f'{{"response":{{"status":"{said}"}}}}'.encode()
    assert read(BACKEND, SEARCH, Response(status=status, body=body)).status == kind
