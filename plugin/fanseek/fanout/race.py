"""All backends of one search asked in one wave, under one deadline, with what each came to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio
import msgspec

from fanseek.fanout.call import Answered, failed
from fanseek.fanout.entrant import Entrant
from fanseek.fanout.single_flight import Flight, Flights, Waiter
from fanseek.types import Outcome


class Signals(msgspec.Struct, frozen=True):
    """The caller's events: `stop` answers at once with what is there, `abort` ends the search."""

    stop: anyio.Event | None = None
    abort: anyio.Event | None = None

    @property
    def aborted(self) -> bool:
        """Whether the search is to end with nothing."""
        return self.abort is not None and self.abort.is_set()

    @property
    def ended(self) -> bool:
        """Whether the race is to end."""
        return self.aborted or (self.stop is not None and self.stop.is_set())


NO_SIGNALS = Signals()


Ended = Callable[[Answered], None]
Seat = tuple[str, int]
"""A backend's name and the variant it is asked for; no two entrants of a race share it."""


def _seat(entrant: Entrant) -> Seat:
    return entrant.question.backend.name, entrant.variant


class Race:
    """One search's calls. Whatever ends it, no call is waited for: the engine's task group sees them out."""

    def __init__(self, flights: Flights, *, deadline_at: float, budget_s: float) -> None:
        """`deadline_at` is on the loop's clock; `budget_s` is what it was made of, for messages."""
        self._flights = flights
        self._deadline_at = deadline_at
        self._budget_s = budget_s
        self._over = anyio.Event()
        self._answers: dict[Seat, Answered] = {}
        self._running: dict[Seat, tuple[Flight, Waiter, float]] = {}
        self._firsts: dict[str, Flight] = {}
        """Each backend's call for the query itself: its parts are asked after it."""
        self._ended: Ended = lambda _answered: None

    async def run(
        self,
        entrants: Sequence[Entrant],
        signals: Signals = NO_SIGNALS,
        ended: Ended = lambda _answered: None,
    ) -> list[Answered]:
        """Everyone's answer, in the order of `entrants`; `ended` hears each one as it comes.

        An abort ends the race as a stop does: raising is the caller's part.
        """
        self._ended = ended
        watches = [(event, anyio.CancelScope()) for event in (signals.stop, signals.abort) if event is not None]
        try:
            for entrant in entrants:
                self._start(entrant)
            for event, scope in watches:
                self._flights.group.start_soon(self._ring_on, event, scope)
            if self._running:
                with anyio.CancelScope(deadline=self._deadline_at):
                    await self._over.wait()
            self._cut(stopped=signals.ended)
        finally:
            for _, scope in watches:
                scope.cancel()
            self._cut(stopped=True)
        return [self._answers[_seat(entrant)] for entrant in entrants]

    def _start(self, entrant: Entrant) -> None:
        seat = _seat(entrant)
        now = anyio.current_time()
        patience = min(entrant.question.cap_s, max(0.0, self._deadline_at - now)) / 2

        def waiter(answered: Answered) -> None:
            self._running.pop(seat, None)
            self._note(seat, answered)
            if not self._running:
                self._over.set()

        first = self._firsts.get(seat[0])
        flight = self._flights.join(entrant.question, entrant.pace, patience, waiter, after=first)
        self._firsts.setdefault(seat[0], flight)
        self._running[seat] = (flight, waiter, now)

    def _note(self, seat: Seat, answered: Answered) -> None:
        own = msgspec.structs.replace(answered, variant=seat[1])
        self._answers[seat] = own
        self._ended(own)

    async def _ring_on(self, event: anyio.Event, scope: anyio.CancelScope) -> None:
        with scope:
            await event.wait()
            self._over.set()

    def _cut(self, *, stopped: bool) -> None:
        """Give every call that still runs its outcome and leave it."""
        now = anyio.current_time()
        for seat, (flight, waiter, began) in tuple(self._running.items()):
            if not stopped and flight.had_its_time(now):
                self._flights.expire(flight)
                continue
            name = seat[0]
            del self._running[seat]
            self._flights.leave(flight, waiter)
            outcome = self._stopped(name) if stopped else self._late(name, flight, now - began)
            self._note(seat, Answered(outcome=msgspec.structs.replace(outcome, ms=(now - began) * 1000)))

    @staticmethod
    def _stopped(name: str) -> Outcome:
        return failed(name, "cancelled", "the search was stopped before it answered")

    def _late(self, name: str, flight: Flight, waited_s: float) -> Outcome:
        waiting = " it was still waiting for its turn;" if flight.sent_at is None else ""
        message = f'backend "{name}" had {waited_s * 1000:.0f} ms and did not answer;{waiting} '
        return failed(name, "late", f"{message}the search's deadline of {self._budget_s * 1000:.0f} ms came first")
