"""Faults by name and as text."""

from __future__ import annotations

import pytest

from fanseek.errors import UsageError
from fanseek.sandbox import parse_fault, parse_latency
from fanseek.sandbox.faults import KINDS, Bomb, Captcha, Hang, Http, Latency, Own, RateLimit

KNOWN = {"one": (), "two": ("maintenance",)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one=captcha", ("one", Captcha())),
        ("*=hang", ("*", Hang())),
        ("one=hang:share=.1", ("one", Hang(share=0.1))),
        ("one=rate-limit:retry_after=30", ("one", RateLimit(retry_after="30"))),
        ("one=503", ("one", Http(status=503))),
        ("one=404:after=2,times=1", ("one", Http(status=404, after=2, times=1))),
        ("two=maintenance", ("two", Own(what="maintenance"))),
        ("one=bomb:mb=3,layers=2", ("one", Bomb(mb=3, layers=2))),
        (
            "one=rate-limit:retry_after=Wed, 21 Oct 2026 07:28:00 GMT,times=1",
            ("one", RateLimit(retry_after="Wed, 21 Oct 2026 07:28:00 GMT", times=1)),
        ),
        ('one=http:status=400,body={"error":"a=b","n":1}', ("one", Http(status=400, body='{"error":"a=b","n":1}'))),
    ],
)
def test_a_fault_as_text(text, expected):
    assert parse_fault(text, KNOWN) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("three=hang", "one, two"),
        ("one=hung", "hang"),
        ("two=hung", "maintenance"),
        ("one=maintenance", "no fault is named"),
        ("hang", "BACKEND=FAULT"),
        ("one=", "BACKEND=FAULT"),
        ("=hang", "BACKEND=FAULT"),
        ("one=bomb:mb=many", "layers=1"),
        ("one=bomb:size=3", "mb="),
        ("one=bomb:mb=-1", "mb must be a whole number from 1 to 1024"),
        ("one=hang:share=2", "share must be a number from 0 to 1"),
        ("one=bomb:3", "KEY=VALUE"),
        ("one=99", "status must be a whole number from 200 to 999"),
    ],
)
def test_what_is_wrong_is_said_with_what_there_is(text, said):
    with pytest.raises(UsageError) as told:
        parse_fault(text, KNOWN)
    assert said in str(told.value)


def test_every_backend_of_the_registry_that_has_a_mimic_is_known():
    with pytest.raises(UsageError, match="and \\* for all"):
        parse_fault("no-such-backend=hang")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("50", Latency(ms=50)),
        (".5", Latency(ms=0.5)),
        ("ms=50,shape=lognormal,sigma=.4", Latency(ms=50, shape="lognormal", sigma=0.4)),
    ],
)
def test_latency_as_text(text, expected):
    assert parse_latency(text) == ("*", expected)


@pytest.mark.parametrize("text", ["fast", "-1", "ms=1,shape=normal", "nan", "inf"])
def test_a_wrong_latency_is_said(text):
    with pytest.raises(UsageError):
        parse_latency(text)


def test_every_fault_of_the_brief_has_a_name():
    """Deliver 8: latency distribution, hang, HTTP errors … MCP session loss."""
    assert KINDS.keys() >= {
        "latency", "hang", "http", "rate-limit", "captcha", "empty", "malformed", "drip", "oversized", "bomb", "drop",
        "reset", "redirect", "mcp-session-loss", "wrong-type", "slow-headers",
    }  # fmt: skip
