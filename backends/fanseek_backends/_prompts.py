"""What a model is told that is to search the web."""

from __future__ import annotations

from fanseek.contract import QueryLimit, SearchRequest, Wording, worded
from fanseek_backends._wording import wishes

LIMIT = QueryLimit(characters=2000)
"""Ours: a model would take more."""

ASKED = "Search the web for: "


def wording(search: SearchRequest) -> Wording:
    """The query as the prompt has it."""
    return worded(search.query, LIMIT)


def prompt(search: SearchRequest) -> str:
    """The query on a line of its own, then the wishes that only words can carry."""
    asked = f"{ASKED}{wording(search).text}\n\nThen answer in a few sentences, citing what you found."
    return f"{asked} {wishes(search)}".rstrip()


def query_in(said: str) -> str:
    """The query of a prompt."""
    return said.partition(ASKED)[2].partition("\n")[0]
