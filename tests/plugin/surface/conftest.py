"""Results as an engine makes them."""

from __future__ import annotations

from typing import Any

import pytest

from fanseek.types import Answer, Found, Note, Outcome, SearchResult, Source


def source(number: int = 1, **changes: Any) -> Source:
    fields: dict[str, Any] = {
        "id": f"s{number}",
        "url": f"https://site{number}.example/page",
        "title": f"Title {number}",
        "snippet": f"Words about thing {number}.",
        "domain": f"site{number}.example",
        "published": "2026-11-02",
        "score": 1 / number,
        "found_by": (Found(backend="one", family="west", rank=number), Found(backend="two", family="east", rank=1)),
    }
    return Source(**{**fields, **changes})


OUTCOMES = (
    Outcome(backend="one", status="ok", hits=3, ms=5.4),
    Outcome(
        backend="two",
        status="timeout",
        ms=30000.2,
        message='backend "two" timed out after 30000 ms',
        code="TIMEOUT",
        retryable=True,
    ),
    Outcome(backend="three", status="skipped", message="cooling down after a captcha", retry_after_s=41.7),
)


@pytest.fixture
def result() -> SearchResult:
    return SearchResult(
        query="a query",
        status="partial",
        sources=tuple(source(number) for number in range(1, 4)),
        answers=(Answer(backend="one", text="Forty-two.", citations=("https://cite.example/",)),),
        outcomes=OUTCOMES,
        notes=(Note(kind="not_applied", message="recency was not applied", backend="one"),),
        total=3,
        ms=31.4,
    )
