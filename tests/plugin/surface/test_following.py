"""Events reach those whose searches they are of, and nobody else."""

from __future__ import annotations

from fanseek.surface.following import Following
from fanseek.telemetry import BreakerClosed, CallEnded, Event, SearchEnded, SearchStarted
from fanseek.types import Outcome, SearchRequest, SearchResult


def started(number: int) -> SearchStarted:
    return SearchStarted(search=number, request=SearchRequest(query="q"), backends=("one",), deadline_s=1)


def ended(number: int) -> CallEnded:
    return CallEnded(search=number, outcome=Outcome(backend="one", status="ok"))


OVER = SearchEnded(search=1, result=SearchResult(query="q", status="ok"))


def test_only_the_search_that_was_begun_inside_is_told() -> None:
    following, heard = Following(), list[Event]()
    following(started(7))
    with following.told(heard.append):
        following(started(1))
        for event in (ended(7), ended(1), BreakerClosed(backend="one"), OVER, ended(1)):
            following(event)
    assert heard == [started(1), ended(1), OVER]


def test_nothing_is_told_after_the_block() -> None:
    """A search that was cancelled has no end of its own."""
    following, heard = Following(), list[Event]()
    with following.told(heard.append):
        following(started(1))
    following(ended(1))
    with following.told(None):
        following(started(2))
        following(ended(2))
    assert heard == [started(1)]
    assert following._of == {}
