"""A backend made ready: cap, pace, and a build that fails."""

from __future__ import annotations

import pytest

from fanseek.config.settings import Settings
from fanseek.contract import BackendSettings, Pace, Request
from fanseek.errors import BackendError
from fanseek.fanout.entrant import Entrant, Entrants
from fanseek.select.plan import Ask
from fanseek.types import Outcome, SearchRequest
from scripted import backend

VENDOR = Pace(interval_s=0.5, burst=2)


class Own(BackendSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    base_url: str = "https://vendor.test"


def build(search, own) -> Request:
    return Request(url=f"{own.base_url}/?q={search.query}")


def made(own, *, build=build, clean=str, **more) -> Entrant | Outcome:
    it = backend("x", build=build, settings=Own, pace=VENDOR)
    request = SearchRequest(query="q")
    ask = Ask(backend=it, operation=it.operations["search"], settings=own, request=request)
    return Entrants(clean).make(ask, Settings(**more), 10.0)


@pytest.mark.parametrize(
    ("own", "pace"),
    [
        (Own(), VENDOR),
        (Own(base_url="http://127.0.0.1:8000"), Pace()),
        (Own(rate_per_minute=6), Pace(interval_s=10)),
        (Own(rate_per_minute=600), Pace(interval_s=0.1)),
        (Own(base_url="http://127.0.0.1:8000", rate_per_minute=60), Pace(interval_s=1)),
    ],
)
def test_the_user_s_pace_holds_else_the_vendor_s_at_the_vendor_s_address(own, pace):
    assert made(own).pace == pace


def test_the_cap_is_the_least_of_three():
    assert made(Own()).question.cap_s == 8.0
    assert made(Own(), backend_timeout_ms=700).question.cap_s == 0.7


def test_d5_a_build_that_raises_is_that_backend_s_outcome():
    def refuses(_search, _own):
        raise BackendError("auth", "the key is of another service", retry_after=5)

    outcome = made(Own(), build=refuses)
    assert (outcome.status, outcome.message, outcome.retry_after_s) == ("auth", "the key is of another service", 5)

    def breaks(_search, _own):
        raise TypeError("canary")

    outcome = made(Own(), build=breaks, clean=lambda text: text.replace("canary", "***"))
    assert outcome.status == "bad-request"
    assert outcome.message == "the request could not be built: TypeError: ***"
