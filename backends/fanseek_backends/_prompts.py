"""What a model is told that is to search the web."""

from __future__ import annotations

from fanseek.contract import SearchRequest
from fanseek_backends._wording import fitted, wishes

LONGEST_QUERY = 2000
ASKED = "Search the web for: "


def prompt(search: SearchRequest) -> str:
    """The query on a line of its own, then the wishes that only words can carry."""
    asked = f"{ASKED}{fitted(search.query, LONGEST_QUERY)}\n\nThen answer in a few sentences, citing what you found."
    return f"{asked} {wishes(search)}".rstrip()


def query_in(said: str) -> str:
    """The query of a prompt."""
    return said.partition(ASKED)[2].partition("\n")[0]
