"""`ctx.web` for hosts that have none: the rules, caps and codes of the harness's own (HF7, host-dsh.md 3)."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from itertools import permutations
from typing import Any

import anyio
import pytest

from fanseek.surface.seam import WebError
from fanseek.surface.web import Web

ONE = {"url": "https://a.example/"}


class Answering:
    """A provider of both kinds."""

    def __init__(self, name: str, *, usable: Any = True, found: Any = None, stubborn: bool = False) -> None:
        self.id = name
        self.usable = usable
        self.found = {"sources": [ONE], "truncated": False} if found is None else found
        self.stubborn = stubborn
        self.asked: list[Any] = []

    def available(self) -> bool:
        if isinstance(self.usable, Exception):
            raise self.usable
        return bool(self.usable)

    async def search(self, request: Mapping[str, Any], signal: Any = None) -> Any:
        self.asked.append((request, signal))
        if self.stubborn:
            await anyio.sleep_forever()
        if isinstance(self.found, Exception):
            raise self.found
        return self.found

    fetch = search


def web(*providers: Answering, chosen: str | None = None, environment: Mapping[str, str] | None = None) -> Web:
    made = Web(chosen, chosen, environment=environment or {})
    for provider in providers:
        made.register_search_provider(provider)
        made.register_fetch_provider(provider)
    return made


async def code(made: Web, kind: str = "search", signal: Any = None) -> str:
    """The id of who was asked, or the code of the error."""
    try:
        found = await getattr(made, kind)({"query": "q", "url": "https://a.example/"}, signal)
    except WebError as problem:
        return problem.code
    return "ok" if found["sources"] else "empty"


@pytest.mark.parametrize("kind", ["search", "fetch"])
@pytest.mark.parametrize(
    ("providers", "chosen", "expected"),
    [
        ({}, None, "WEB_PROVIDER_UNAVAILABLE"),
        ({"a": False}, None, "WEB_PROVIDER_UNAVAILABLE"),
        ({"a": True}, None, "ok"),
        ({"a": True, "b": False}, None, "ok"),
        ({"a": False, "b": True}, None, "ok"),
        ({"a": True, "b": True}, None, "WEB_PROVIDER_AMBIGUOUS"),
        ({"a": True, "b": True}, "a", "ok"),
        ({"a": True}, "b", "WEB_PROVIDER_CONFIGURED_MISSING"),
        ({}, "b", "WEB_PROVIDER_CONFIGURED_MISSING"),
        ({"a": False, "b": True}, "a", "WEB_PROVIDER_CONFIGURED_UNAVAILABLE"),
        ({"a": OSError("x"), "b": True}, "a", "WEB_PROVIDER_CONFIGURED_UNAVAILABLE"),
        ({"a": OSError("x"), "b": True}, None, "ok"),
        ({"a": True}, "", "ok"),
    ],
    ids=str,
)
async def test_hf7_who_is_asked(kind: str, providers: dict[str, Any], chosen: str | None, expected: str) -> None:
    """HF7: never by the order of registration."""
    for order in permutations(providers.items()):
        made = web(*(Answering(name, usable=usable) for name, usable in order), chosen=chosen)
        assert await code(made, kind) == expected


async def test_fact_3_1_the_message_names_all_that_could_be_asked() -> None:
    with pytest.raises(
        WebError, match=r"multiple usable web providers are registered \(a, b\); configure one"
    ) as caught:
        await web(Answering("a"), Answering("b"), Answering("c", usable=False)).search({"query": "q"})
    assert caught.value.code == "WEB_PROVIDER_AMBIGUOUS"


@pytest.mark.parametrize(
    ("chosen", "variable", "expected"), [(None, "b", "b"), ("a", "b", "a"), (None, "", "a or b"), ("", "b", "b")]
)
async def test_fact_3_2_the_environment_counts_only_where_nothing_is_configured(
    chosen: str | None, variable: str, expected: str
) -> None:
    """Fact 3.2, for searching and for fetching, each by its own variable."""
    for kind, name in (("search", "DSH_WEB_SEARCH_PROVIDER"), ("fetch", "DSH_WEB_FETCH_PROVIDER")):
        first, second = Answering("a"), Answering("b")
        result = await code(web(first, second, chosen=chosen, environment={name: variable}), kind)
        asked = "a" * len(first.asked) + "b" * len(second.asked)
        assert (asked or "a or b") == expected
        assert result == ("ok" if asked else "WEB_PROVIDER_AMBIGUOUS")


async def test_the_environment_is_the_processs_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DSH_WEB_SEARCH_PROVIDER", "nobody")
    with pytest.raises(WebError) as caught:
        await Web().search({"query": "q"})
    assert caught.value.code == "WEB_PROVIDER_CONFIGURED_MISSING"


def test_hf7_an_id_is_taken_once_for_each_kind() -> None:
    """HF7: WEB_DUPLICATE_PROVIDER."""
    made = Web(environment={})
    made.register_search_provider(Answering("a"))
    made.register_fetch_provider(Answering("a"))
    with pytest.raises(WebError) as caught:
        made.register_search_provider(Answering("a"))
    assert caught.value.code == "WEB_DUPLICATE_PROVIDER"
    assert (made.search_providers, made.fetch_providers) == (("a",), ("a",))


def test_a_disposer_takes_away_its_own_provider_and_no_other() -> None:
    made = Web(environment={})
    gone = made.register_search_provider(Answering("a"))
    gone()
    assert made.search_providers == ()
    made.register_search_provider(Answering("a"))
    gone()
    assert made.search_providers == ("a",)


@pytest.mark.parametrize(
    ("most", "kept", "truncated"),
    [
        (None, 3, False),
        (5, 3, False),
        (3, 3, False),
        (2, 2, True),
        (0, 0, True),
        ("2", 3, False),
        (True, 3, False),
        (-1, 3, False),
    ],
)
async def test_hf2_the_cap_is_the_seams_own(most: Any, kept: int, truncated: bool) -> None:
    """HF2: whatever a provider brings."""
    provider = Answering("a", found={"content": "c", "sources": [ONE] * 3})
    found = await web(provider).search({"query": "q", "maxResults": most})
    assert (len(found["sources"]), found["truncated"], found["content"]) == (kept, truncated, "c")
    assert provider.asked[0][0] == {"query": "q", "maxResults": most}


async def test_what_a_provider_says_was_cut_stays_so() -> None:
    assert (await web(Answering("a", found={"sources": [], "truncated": True})).search({"query": "q"}))["truncated"]


@pytest.mark.parametrize("found", [[], "x", {"content": "c"}, {"sources": "x"}, 7])
async def test_an_answer_of_no_known_shape_is_a_providers_error(found: Any) -> None:
    assert await code(web(Answering("a", found=found))) == "WEB_PROVIDER_ERROR"


async def test_a_providers_error_keeps_its_words() -> None:
    """HF7: WEB_PROVIDER_ERROR; a code of its own is passed on."""
    with pytest.raises(WebError, match='web provider "a" failed: the disk is full') as caught:
        await web(Answering("a", found=OSError("the disk\nis full"))).search({"query": "q"})
    assert (caught.value.code, type(caught.value.__cause__)) == ("WEB_PROVIDER_ERROR", OSError)
    assert await code(web(Answering("a", found=WebError("m", "WEB_ABORTED")))) == "WEB_ABORTED"
    with pytest.raises(WebError, match='"a" failed: KeyError'):
        await web(Answering("a", found=KeyError())).fetch({"url": "u"})


@pytest.mark.parametrize("kind", ["search", "fetch"])
@pytest.mark.parametrize("made", [anyio.Event, threading.Event], ids=["waited for", "looked at"])
async def test_b9_an_abort_ends_also_a_provider_that_does_not_heed_it(kind: str, made: Any) -> None:
    """B9: WEB_ABORTED."""
    signal, provider = made(), Answering("a", stubborn=True)
    codes: list[str] = []

    async def ask() -> None:
        codes.append(await code(web(provider), kind, signal))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked() if made is anyio.Event else await anyio.sleep(0.05)
            signal.set()
    assert codes == ["WEB_ABORTED"]
    assert await code(web(untouched := Answering("a")), kind, signal) == "WEB_ABORTED"
    assert not untouched.asked


async def test_a_callers_cancellation_is_passed_on() -> None:
    with anyio.move_on_after(0.01) as scope:
        await web(Answering("a", stubborn=True)).search({"query": "q"})
    assert scope.cancelled_caught
