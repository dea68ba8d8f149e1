"""The one stream of events."""

from __future__ import annotations

import logging

import pytest

from fanseek.telemetry import BreakerClosed, CallStarted, Event, Telemetry


def test_every_listener_hears_every_event_until_it_leaves() -> None:
    first: list[Event] = []
    second: list[Event] = []
    telemetry = Telemetry(first.append)
    leave = telemetry.listen(second.append)
    telemetry.emit(CallStarted(search=1, backend="a"))
    leave()
    telemetry.emit(BreakerClosed(backend="a"))
    assert first == [CallStarted(search=1, backend="a"), BreakerClosed(backend="a")]
    assert second == first[:1]


def test_a_listener_that_raises_is_logged_and_costs_the_others_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """B14: logging and other listeners never break a search."""

    def broken(event: Event) -> None:
        raise RuntimeError(f"no room for {type(event).__name__}")

    heard: list[Event] = []
    with caplog.at_level(logging.WARNING, logger="fanseek"):
        Telemetry(broken, heard.append).emit(BreakerClosed(backend="a"))
    assert heard == [BreakerClosed(backend="a")]
    assert "BreakerClosed" in caplog.text


def test_a_listener_may_leave_while_it_listens() -> None:
    heard: list[str] = []
    telemetry = Telemetry()

    def once(_: Event) -> None:
        heard.append("once")
        leave()

    leave = telemetry.listen(once)
    telemetry.listen(lambda _: heard.append("always"))
    telemetry.emit(BreakerClosed(backend="a"))
    telemetry.emit(BreakerClosed(backend="a"))
    assert heard == ["once", "always", "always"]
