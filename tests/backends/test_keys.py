"""Several keys of one backend: every refusal that is sampled, put to the keys it is about. In virtual time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fanseek.config.load import load
from fanseek.config.options import options
from fanseek.contract import AnyBackend, KeyedSettings, McpCall, Request, Response, SearchRequest
from fanseek.engine import running
from fanseek.errors import AllFailed
from fanseek.guard.bench import LADDERS
from fanseek.guard.keys import Keys
from fanseek.registry import backends
from fanseek.select.plan import resolved
from fanseek.types import Outcome
from virtual import virtual

HERE = Path(__file__).parent
ONE, TWO, THREE = KEYS = ("key-one-000001", "key-two-000002", "key-three-0003")
KEYED = {name: backend for name, backend in backends().items() if issubclass(backend.settings, KeyedSettings)}


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> Any:
    return virtual(request.param)


USUAL = {
    **{name: f"{name.upper()}_API_KEY" for name in ("anthropic", "brave", "deepseek", "exa", "mojeek", "openai")},
    **{name: f"{name.upper()}_API_KEY" for name in ("parallel", "searxng", "serper", "tavily")},
}


@pytest.mark.parametrize("name", USUAL)
def test_n14_a_key_is_read_from_its_usual_variable_or_from_the_one_the_settings_name(name: str) -> None:
    """What the variable holds is in the request, and no other variable is looked at."""
    keys = Keys({USUAL[name]: ONE, "ANOTHER_NAME": TWO})
    for said, (used, unused) in (({}, (ONE, TWO)), ({f"{name}ApiKeyEnv": "ANOTHER_NAME"}, (TWO, ONE))):
        where = {"searxngBaseURL": "https://own.test"} if name == "searxng" else {}
        own = resolved(KEYED[name], load({**said, **where}), keys).settings
        request = KEYED[name].operations["search"].build(SearchRequest(query="q"), own)
        assert used in str(request)
        assert unused not in str(request)


def test_n14_these_are_all_that_take_a_key() -> None:
    assert USUAL.keys() == KEYED.keys()


def samples() -> Iterator[Any]:
    for backend in KEYED.values():
        for file, entry in json.loads((HERE / backend.name / "expected.json").read_bytes()).items():
            if entry.get("kind", "search") == "search":
                yield pytest.param(backend, file, entry, id=f"{backend.name}/{file}")


def response(backend: AnyBackend, file: str, entry: dict[str, Any]) -> Response:
    headers = {name.lower(): value for name, value in entry["headers"].items()}
    return Response(status=entry["status"], headers=headers, body=(HERE / backend.name / file).read_bytes())


def good(backend: AnyBackend) -> Response:
    entries = json.loads((HERE / backend.name / "expected.json").read_bytes())
    file = next(file for file, entry in entries.items() if entry["class"] == "ok" and "kind" not in entry)
    return response(backend, file, entries[file])


async def asked(backend: AnyBackend, environment: dict[str, str], replies: dict[str, Response]) -> Any:
    """The outcome of one search, and the keys it used in their order; who is not in `replies` gets a good answer."""
    used: list[str] = []

    async def send(request: Request | McpCall) -> Response:
        (key,) = [key for key in KEYS if key in str(request)] or [""]
        used.append(key)
        return replies.get(key) or good(backend)

    many = [option.key for option in options().values() if option.backend == backend.name and option.takes_many]
    settings = load({f"enable{backend.name.capitalize()}": "on", **dict.fromkeys(many, "https://own.test")})
    async with running(settings, {backend.name: backend}, send=send, keys=Keys(environment)) as engine:
        try:
            result = await engine.search("tidal turbines")
        except AllFailed as problem:
            result = problem.result
    outcome: Outcome
    (outcome,) = result.outcomes
    return outcome, list(dict.fromkeys(used))


@pytest.mark.parametrize(("backend", "file", "entry"), list(samples()))
async def test_bc_036_bc_037_another_key_is_used_for_refusals_of_a_key_and_for_no_other_failure(
    backend: AnyBackend, file: str, entry: dict[str, Any]
) -> None:
    """N6, N7: whatever status or text the service says it with."""
    reply = response(backend, file, entry)
    outcome, used = await asked(backend, {backend.settings().api_key_env: f"{ONE},{TWO}"}, {ONE: reply})
    if entry["class"] in LADDERS:
        assert used == [ONE, TWO]
        assert outcome.status == "ok"
        assert [attempt.key for attempt in outcome.attempts][:1] == ["slot 1 ••••0001"]
    else:
        assert used == [ONE]
        assert outcome.status == entry["class"]


@pytest.mark.parametrize("environment", [{"": f"{ONE},{TWO}"}, {"": ONE, "_2": TWO}, {"S": f"{ONE} {TWO}"}], ids=str)
@pytest.mark.parametrize("backend", KEYED.values(), ids=lambda backend: backend.name)
async def test_n1_n12_keys_are_found_under_every_name(backend: AnyBackend, environment: dict[str, str]) -> None:
    """BC-037: one list, numbered names, the plural alone."""
    name = backend.settings().api_key_env
    refused = Response(status=401, body=b"no")
    named = {f"{name}{ending}": value for ending, value in environment.items()}
    outcome, used = await asked(backend, named, {ONE: refused})
    assert (outcome.status, used) == ("ok", [ONE, TWO])
