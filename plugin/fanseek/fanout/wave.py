"""A plan carried out: every backend of it built, announced and raced, and how each fared made known."""

from __future__ import annotations

from fanseek.config.settings import Settings
from fanseek.fanout.call import Answered, Clean
from fanseek.fanout.entrant import Entrant, Entrants
from fanseek.fanout.race import Race, Signals
from fanseek.fanout.single_flight import Flights
from fanseek.guard.health import Health
from fanseek.select.plan import Plan
from fanseek.telemetry import CallEnded, CallStarted, Telemetry


class Waves:
    """What every search's wave of calls shares."""

    def __init__(self, flights: Flights, *, clean: Clean, telemetry: Telemetry, health: Health) -> None:
        self._flights = flights
        self._entrants = Entrants(clean)
        self._telemetry = telemetry
        self._health = health

    async def run(
        self,
        number: int,
        chosen: Plan,
        settings: Settings,
        *,
        deadline_at: float,
        deadline_s: float,
        signals: Signals,
    ) -> list[Answered]:
        """The answers of every backend, one for each variant, that search `number`, begun under `settings`, asks."""

        def ended(answered: Answered) -> None:
            outcome = answered.outcome
            self._health.note(outcome)
            self._telemetry.emit(CallEnded(search=number, outcome=outcome, variant=answered.variant))

        entrants: list[Entrant] = []
        unbuilt: list[Answered] = []
        for ask in chosen.asked:
            made = self._entrants.make(ask, settings, deadline_s)
            if isinstance(made, Entrant) and any(_is_same(made, other) for other in entrants):
                continue
            self._telemetry.emit(CallStarted(search=number, backend=ask.backend.name, variant=ask.variant))
            if isinstance(made, Entrant):
                entrants.append(made)
            else:
                unbuilt.append(Answered(outcome=made, variant=ask.variant))
                ended(unbuilt[-1])
        race = Race(self._flights, deadline_at=deadline_at, budget_s=deadline_s)
        return unbuilt + await race.run(entrants, signals, ended)


def _is_same(one: Entrant, other: Entrant) -> bool:
    """Whether two variants came to one and the same request, such as by being cut to a short limit."""
    return one.question.backend.name == other.question.backend.name and one.question.request == other.question.request
