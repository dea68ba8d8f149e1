"""Calls in flight: identical ones made once, each backend's bounded in number, none ending without an outcome."""

from __future__ import annotations

import logging
from collections.abc import Callable

import anyio
import msgspec
from anyio.abc import TaskGroup

from fanseek.contract import Pace
from fanseek.fanout.call import Answered, Question, failed
from fanseek.fanout.relay import Relay
from fanseek.guard.breaker import Admission, Breaker
from fanseek.guard.pacing import Pacer

log = logging.getLogger("fanseek.fanout")


Waiter = Callable[[Answered], None]
"""One search's place in a flight; told once, by a plain call that must not block."""


class Flight:
    """One call in flight and the searches that wait for it."""

    def __init__(self, key: bytes, question: Question, pace: Pace, patience_s: float, admission: Admission) -> None:
        self.key = key
        self.question = question
        self.pace = pace
        self.patience_s = patience_s
        self.admission = admission
        self.scope = anyio.CancelScope()
        self.waiters: list[Waiter] = []
        self.sent_at: float | None = None
        """When the call itself began, on the loop's clock; None while it waits for a slot or its turn."""
        self.answered: Answered | None = None
        self.after: Flight | None = None
        """One that is to have its turn first."""
        self.turned = anyio.Event()
        """Set when it has had its turn, or never will."""

    def had_its_time(self, now: float) -> bool:
        """Whether the call has had its whole cap."""
        return self.sent_at is not None and now >= self.sent_at + self.question.cap_s


class Flights:
    """All calls of one engine, run in its task group."""

    def __init__(self, group: TaskGroup, relay: Relay, pacer: Pacer, concurrency: int) -> None:
        self.group = group
        self._relay = relay
        self._pacer = pacer
        self._concurrency = concurrency
        self._slots: dict[str, anyio.CapacityLimiter] = {}
        self._flying: dict[bytes, Flight] = {}

    @property
    def breaker(self) -> Breaker:
        """The breaker that learns how calls end."""
        return self._relay.breaker

    def bound(self, concurrency: int) -> None:
        """Have at most `concurrency` calls to one backend in flight from now on; those there are see their end."""
        self._concurrency = concurrency
        for slots in self._slots.values():
            slots.total_tokens = concurrency

    def join(
        self, question: Question, pace: Pace, patience_s: float, waiter: Waiter, after: Flight | None = None
    ) -> Flight:
        """Wait for `question`'s call, begun now, but not before `after`, unless the same is already in flight.

        `patience_s` is the longest wait for the backend's pace that still makes sense.
        """
        key = _key(question)
        flight = self._flying.get(key) if key else None
        if flight is None:
            flight = Flight(key, question, pace, patience_s, self.breaker.begin(question.backend.name, question.told))
            flight.after = after
            if key:
                self._flying[key] = flight
            self.group.start_soon(self._fly, flight, name=f"fanseek call {question.backend.name}")
        flight.waiters.append(waiter)
        return flight

    def leave(self, flight: Flight, waiter: Waiter) -> None:
        """Stop waiting. The last to leave ends the call."""
        if waiter in flight.waiters:
            flight.waiters.remove(waiter)
        if not flight.waiters:
            self._land(flight)
            flight.scope.cancel()

    def expire(self, flight: Flight) -> None:
        """End a call that has had its whole cap and is still cleaning up."""
        name, cap_ms = flight.question.backend.name, flight.question.cap_s * 1000
        outcome = failed(name, "timeout", f'backend "{name}" timed out after {cap_ms:.0f} ms')
        self._settle(flight, Answered(outcome=msgspec.structs.replace(outcome, ms=cap_ms)))
        flight.scope.cancel()

    async def _fly(self, flight: Flight) -> None:
        name = flight.question.backend.name
        try:
            with flight.scope:
                await self._call(flight)
        except Exception as problem:  # noqa: BLE001 - a bug here must cost one outcome, not the engine
            kind = type(problem).__name__
            log.error("%s: the call itself failed: %s", name, kind)  # noqa: TRY400 - a traceback may quote a key
            self._settle(flight, Answered(outcome=failed(name, "server", f"the call itself failed: {kind}")))
        finally:
            self._settle(flight, Answered(outcome=failed(name, "cancelled", "the call was cancelled")))

    async def _call(self, flight: Flight) -> None:
        name = flight.question.backend.name
        if flight.after is not None:
            await flight.after.turned.wait()
        slots = self._slots.setdefault(name, anyio.CapacityLimiter(self._concurrency))
        keys = await self._relay.turns(flight.question)
        if keys.first is not None:
            self._settle(flight, self._relay.refused(flight.question, keys))
            return
        async with slots:
            turn = await self._pacer.turn(name, flight.pace, flight.patience_s)
            flight.turned.set()
            if not turn.granted:
                self._settle(flight, _paced(name, turn.wait_s))
                return
            if turn.wait_s > 0:
                await anyio.sleep(turn.wait_s)
            flight.sent_at = anyio.current_time()
            self._settle(flight, await self._relay.ask(flight.question, keys))

    def _settle(self, flight: Flight, answered: Answered) -> None:
        """The first ending counts: the breaker learns it, then everyone who waits."""
        if flight.answered is not None:
            return
        self._land(flight)
        flight.turned.set()
        outcome = answered.outcome
        if not answered.spared:
            self.breaker.record(flight.admission, outcome.status, outcome.retry_after_s)
        if outcome.status != "skipped":
            rest = self.breaker.rest(outcome.backend)
            outcome = msgspec.structs.replace(outcome, retry_after_s=rest or outcome.retry_after_s)
        flight.answered = msgspec.structs.replace(answered, outcome=outcome)
        waiters, flight.waiters = flight.waiters, []
        for waiter in waiters:
            waiter(flight.answered)

    def _land(self, flight: Flight) -> None:
        if self._flying.get(flight.key) is flight:
            del self._flying[flight.key]


def _key(question: Question) -> bytes:
    """What makes two calls the same: backend, time cap, the whole request, and the keys it may be made with."""
    keys = [key.value for key in question.found.keys]
    try:
        return msgspec.msgpack.encode((question.backend.name, question.cap_s, question.request, keys))
    except (TypeError, ValueError, OverflowError):
        return b""


def _paced(name: str, wait_s: float) -> Answered:
    message = f"not asked: its own rate limit leaves no turn for {wait_s:.1f} s"
    outcome = failed(name, "skipped", message, retry_after_s=wait_s)
    return Answered(outcome=msgspec.structs.replace(outcome, code="RATE_LIMITED", retryable=True))
