"""The course of a search once its plan is made: announced, carried out or recalled, its end made known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count

import anyio
import msgspec

from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend
from fanseek.errors import AllFailed
from fanseek.fanout.advice import advised
from fanseek.fanout.race import Signals
from fanseek.fanout.verdict import could_not_search
from fanseek.fanout.wave import Waves
from fanseek.guard.health import BackendStatus
from fanseek.select.plan import Plan
from fanseek.select.request import Wish
from fanseek.select.view import as_asked
from fanseek.telemetry import SearchEnded, SearchStarted, Telemetry
from fanseek.types import SearchResult


class Courses:
    """What the courses of an engine's searches share. `check` raises what ends one before its time."""

    def __init__(
        self,
        waves: Waves,
        backends: Mapping[str, AnyBackend],
        *,
        telemetry: Telemetry,
        status: Callable[[], tuple[BackendStatus, ...]],
        check: Callable[[Signals], None],
    ) -> None:
        self._waves = waves
        self._backends = backends
        self._telemetry = telemetry
        self._status = status
        self._check = check
        self._numbers = count(1)

    def recalled(self, asked: Wish, known: SearchResult, began: float) -> SearchResult:
        """A result of a while ago as a search of its own, which asked nobody."""
        number = next(self._numbers)
        self._telemetry.emit(
            SearchStarted(search=number, request=asked.request, backends=(), deadline_s=asked.deadline_s)
        )
        result = msgspec.structs.replace(known, outcomes=(), ms=(anyio.current_time() - began) * 1000)
        self._telemetry.emit(SearchEnded(search=number, result=result, outcomes=known.outcomes))
        return result

    async def run(
        self,
        asked: Wish,
        chosen: Plan,
        settings: Settings,
        began: float,
        signals: Signals,
        *,
        probe: bool = False,
    ) -> SearchResult:
        """The result of asking those who were chosen. Raises Aborted, and AllFailed when no backend answered."""
        from fanseek.fanout.harvest import harvest

        number = next(self._numbers)
        names = tuple(ask.backend.name for ask in chosen.first)
        self._telemetry.emit(
            SearchStarted(
                search=number,
                request=asked.request,
                backends=names,
                deadline_s=asked.deadline_s,
                variants=asked.phrasing.parts,
            )
        )
        answers = await self._waves.run(
            number, chosen, settings, deadline_at=began + asked.deadline_s, deadline_s=asked.deadline_s, signals=signals
        )
        self._check(signals)
        seconds = anyio.current_time() - began
        result = harvest(asked, chosen, answers, settings, order=tuple(self._backends), seconds=seconds)
        result = msgspec.structs.replace(result, outcomes=advised(result.outcomes, self._status, self._backends))
        self._telemetry.emit(SearchEnded(search=number, result=result, outcomes=result.outcomes, probe=probe))
        if result.status == "error":
            raise AllFailed(could_not_search(result.outcomes), as_asked(result, asked))
        return result
