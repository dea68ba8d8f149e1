"""What the limits of backends took from a search is said, with the backend's name."""

from __future__ import annotations

from typing import Any

import msgspec

from fanseek.contract import BackendSettings, QueryLimit, Wording, worded
from fanseek.select.limits import limited
from fanseek.select.plan import Ask
from fanseek.types import SearchRequest
from scripted import backend

SHORT = QueryLimit(characters=20)


def ask(name: str, request: SearchRequest, **more: Any) -> Ask:
    made = backend(name)
    operation = msgspec.structs.replace(made.operations["search"], **more)
    return Ask(backend=made, operation=operation, settings=BackendSettings(), request=request)


def wording(search: SearchRequest) -> Wording:
    return worded(search.query, SHORT, include=search.include_domains)


def test_bc_133_a_cut_query_is_a_note_that_names_the_backend():
    request = SearchRequest(query="one two three four five site:a.org")
    (note,) = limited(request, [ask("short", request, limit=SHORT, wording=wording), ask("long", request)])
    assert (note.kind, note.backend) == ("query_cut", "short")
    assert "20 characters" in note.message
    assert "'one two site:a.org'" in note.message


def test_domains_without_room_are_told():
    domains = ("long-name.example.org", "b.org")
    request = SearchRequest(query="one", include_domains=domains)
    (note,) = limited(request, [ask("short", request, limit=SHORT, wording=wording)])
    assert "long-name.example.org, b.org" in note.message


def test_nothing_is_said_where_nothing_was_cut():
    request = SearchRequest(query="one two", limit=8)
    assert (
        limited(request, [ask("short", request, limit=SHORT, wording=wording, most_results=10), ask("b", request)])
        == ()
    )


def test_bc_137_results_beyond_a_backend_s_own_maximum_are_told():
    """Requested and effective, once for all."""
    request = SearchRequest(query="one", limit=50)
    asks = [
        ask(name, request, most_results=most) for name, most in (("a", 20), ("b", 0), ("c", 50), ("d", 20), ("e", 40))
    ]
    (note,) = limited(request, asks)
    assert note.kind == "results_clamped"
    assert note.message.startswith("50 results")
    assert note.message.endswith("20 by a, d; 40 by e")
    (alone,) = limited(request, asks[:2])
    assert alone.backend == "a"


def test_a_raising_backend_costs_its_own_note_only():
    def broken(search: SearchRequest) -> Wording:
        raise ValueError(search.query)

    request = SearchRequest(query="one two three four five six")
    notes = limited(request, [ask("bad", request, wording=broken), ask("short", request, limit=SHORT, wording=wording)])
    assert [note.backend for note in notes] == ["short"]
