"""Every backend asked at once under one deadline: as the settings say, and the other way where the network fails."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Protocol

import anyio
import msgspec

from fanseek.config.settings import Settings
from fanseek.engine.probing import Heard, Prober, probing
from fanseek.guard.keys import Keys
from fanseek.http.redact import Redactor
from fanseek.surface.doctor.candidates import Candidate, Stop
from fanseek.surface.doctor.report import Address, Probe
from fanseek.surface.doctor.ways import Route, Ways
from fanseek.types import Clock, Outcome

NO_CONNECTION = frozenset({"network", "timeout"})
"""Failures that another way may be free of."""


class Watch(Protocol):
    """Sees the examination go on."""

    def begin(self, backends: Sequence[str], /) -> None:
        """These are asked now."""

    def note(self, outcome: Outcome, /) -> None:
        """A backend has answered or failed."""


class Unwatched:
    """Nobody looks."""

    def begin(self, backends: Sequence[str], /) -> None:
        """Nothing to do."""

    def note(self, outcome: Outcome, /) -> None:
        """Nothing to do."""


class Means(msgspec.Struct, frozen=True, kw_only=True):
    """What asking takes. `stop` ends it with what there is."""

    settings: Settings
    ways: Ways
    keys: Keys
    redactor: Redactor
    heard: Heard
    stop: anyio.Event
    clock: Clock
    watch: Watch


async def visited(candidates: Sequence[Candidate], means: Means) -> dict[str, tuple[Address, ...]]:
    """Every address of every candidate, by the candidate's name."""
    pairs = [(one, stop) for one in candidates for stop in one.stops]
    found: dict[str, Address] = {}
    means.watch.begin([one.backend.name for one in candidates])
    end = anyio.current_time() + means.settings.deadline_ms / 1000
    async with AsyncExitStack() as stack:
        first = await stack.enter_async_context(_prober(means, pairs, means.ways.set))
        forked = any(means.ways.differ(stop.origin) for _, stop in pairs)
        second = await stack.enter_async_context(_prober(means, pairs, means.ways.other)) if forked else None
        visits = _Round(means, first, second, end)

        async def visit(one: Candidate, stop: Stop) -> None:
            found[stop.backend.name] = await visits.visit(one, stop)

        async with anyio.create_task_group() as group:
            for one, stop in pairs:
                group.start_soon(visit, one, stop)
    return {one.backend.name: tuple(found[stop.backend.name] for stop in one.stops) for one in candidates}


def _prober(means: Means, pairs: Sequence[tuple[Candidate, Stop]], way: str) -> AbstractAsyncContextManager[Prober]:
    """A prober of every stop, each with its backend's settings under a name of its own."""
    own = {stop.backend.name: one.settings for one, stop in pairs}
    return probing(
        msgspec.structs.replace(means.settings, backends=own),
        {stop.backend.name: stop.backend for _, stop in pairs},
        proxy=way,
        keys=means.keys,
        redactor=means.redactor,
        heard=means.heard,
        stop=means.stop,
        clock=means.clock,
    )


class _Round:
    """The visits of one examination: `first` goes as the settings say, `second` the other way, where there is one."""

    def __init__(self, means: Means, first: Prober, second: Prober | None, end: float) -> None:
        self._means = means
        self._first = first
        self._second = second
        self._end = end

    async def visit(self, one: Candidate, stop: Stop) -> Address:
        name, ways = stop.backend.name, self._means.ways
        outcome = await self._first.ask(name, self._end - anyio.current_time())
        self._means.watch.note(msgspec.structs.replace(outcome, backend=one.backend.name))
        probe = _probe(stop, outcome, ways.route(stop.origin))
        if self._second is None or outcome.status not in NO_CONNECTION or not ways.differ(stop.origin):
            return Address(probe=probe)
        again = await self._second.ask(name, self._end - anyio.current_time())
        return Address(probe=probe, other=_probe(stop, again, ways.route(stop.origin, other=True)))


def _probe(stop: Stop, outcome: Outcome, route: Route) -> Probe:
    return Probe(
        origin=stop.origin,
        way=route.way,
        proxy=route.proxy,
        status=outcome.status,
        code=outcome.code,
        ms=outcome.ms,
        hits=outcome.hits,
        message=outcome.message,
    )
