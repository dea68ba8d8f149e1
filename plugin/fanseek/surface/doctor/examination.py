"""The whole examination, from settings to report. It changes nothing: no state, no cache, no history, no setting."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec

from fanseek.config.layers import Layers, Origins
from fanseek.config.load import load
from fanseek.config.options import Option, options
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, McpCall, Request, Response
from fanseek.engine.opening import running
from fanseek.errors import BackendError, ConfigError, UsageError
from fanseek.guard.health import BackendStatus
from fanseek.guard.key_file import KeyFile
from fanseek.guard.keys import Keys
from fanseek.http.redact import Redactor
from fanseek.surface.doctor import surroundings
from fanseek.surface.doctor.candidates import Candidate, candidate
from fanseek.surface.doctor.idle import idle
from fanseek.surface.doctor.probes import Means, Watch, visited
from fanseek.surface.doctor.report import Finding, Report, finding
from fanseek.surface.doctor.skew import Skew
from fanseek.surface.doctor.verdicts import checked, summary
from fanseek.surface.doctor.ways import Ways
from fanseek.types import Clock

WANTS_REST = frozenset({"rate-limit", "quota", "blocked"})
"""Kinds of failures after which asking at once makes things worse."""

DISK_PATIENCE_S = 5.0
"""How long slow folders may hold up the report, in seconds."""


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be examined."""

    origins: Origins
    backends: Mapping[str, AnyBackend]
    config: Path
    """The config file, there or not."""
    key_file: KeyFile | None = None
    state: Path
    cache: Path
    only: tuple[str, ...] | None = None
    """The backends that were named; they are asked although they are off."""
    offline: bool = False
    spend: bool = False
    """Whether backends that cost tokens are asked, too."""
    synthetic: bool = False


async def examined(case: Case, *, clock: Clock, stop: anyio.Event, watch: Watch) -> Report:
    """The report on `case`. Raises UsageError for a backend that there is none of."""
    began = anyio.current_time()
    if strangers := [name for name in case.only or () if name not in case.backends]:
        shown = ", ".join(repr(name[:40]) for name in strangers[:5])
        raise UsageError(f"unknown backend {shown}; known: {', '.join(sorted(case.backends))}")
    try:
        layers = case.origins.layers(case.backends)
        settings = load(layers.flat(), case.backends)
    except ConfigError as problem:
        around = await _around(case, Settings(), clock, Ways(Settings().proxy))
        broken = finding("summary.broken", "problem", message=surroundings.homed(str(problem)))
        return Report(status="broken", summary=broken, surroundings=around, synthetic=case.synthetic)
    report = await _Examination(case, layers, settings, clock).report(stop, watch)
    return msgspec.structs.replace(report, ms=(anyio.current_time() - began) * 1000)


class _Examination:
    """One case with its settings read."""

    def __init__(self, case: Case, layers: Layers, settings: Settings, clock: Clock) -> None:
        self._case = case
        self._layers = layers
        self._settings = settings
        self._clock = clock
        self._redactor = Redactor()
        self._keys = Keys(case.origins.environment, self._redactor.add, file=case.key_file)
        self._table: Mapping[str, Option] = options(case.backends)
        self._ways = Ways(settings.proxy)
        self._skew = Skew(clock)

    async def report(self, stop: anyio.Event, watch: Watch) -> Report:
        case = self._case
        every = [candidate(one, self._settings, self._keys, self._layers, self._table) for one in self._searching()]
        chosen = [one for one in every if case.only is None or one.backend.name in case.only]
        conditions = await self._conditions()
        reserved = {one.backend.name: self._reserved(one, conditions.get(one.backend.name)) for one in chosen}
        asked = [one for one in chosen if self._is_considered(one) and not reserved[one.backend.name]]
        means = Means(
            settings=self._settings,
            ways=self._ways,
            keys=self._keys,
            redactor=self._redactor,
            heard=self._skew.hear,
            stop=stop,
            clock=self._clock,
            watch=watch,
        )
        found = await visited(asked, means) if asked else {}
        entries = tuple(
            checked(
                one,
                found.get(one.backend.name, ()),
                conditions.get(one.backend.name),
                reserved[one.backend.name] if self._is_considered(one) else (),
            )
            for one in chosen
        )
        enabled = {one.backend.name: one.enabled for one in every}
        return Report(
            status="ok" if any(one.answers for one in entries) else "none" if found else "unasked",
            summary=summary(entries, offline=case.offline, stopped=stop.is_set()),
            surroundings=(*await self._around(), *self._idle(enabled), *self._skew.findings()),
            backends=entries,
            synthetic=case.synthetic,
        )

    def _searching(self) -> list[AnyBackend]:
        return [backend for backend in self._case.backends.values() if "search" in backend.operations]

    def _is_considered(self, one: Candidate) -> bool:
        return (one.enabled or self._case.only is not None) and not one.keyless and not self._case.offline

    def _reserved(self, one: Candidate, condition: BackendStatus | None) -> tuple[Finding, ...]:
        """Why a backend that could be asked had better not be."""
        if one.backend.costs_tokens and not self._case.spend:
            return (finding("unasked.costs"),)
        if condition and condition.cooling_until and condition.reason in WANTS_REST and self._case.only is None:
            return (finding("unasked.resting", backend=one.backend.name),)
        return ()

    async def _around(self) -> tuple[Finding, ...]:
        return await _around(self._case, self._settings, self._clock, self._ways)

    def _idle(self, enabled: Mapping[str, bool]) -> tuple[Finding, ...]:
        return idle(self._layers, self._table, self._settings, enabled, self._case.origins.environment)

    async def _conditions(self) -> dict[str, BackendStatus]:
        """How the breaker stands, by what earlier runs have left on disk."""
        if not self._case.state.is_dir():
            return {}

        async def nobody(_request: Request | McpCall) -> Response:
            raise BackendError("network", "nobody is asked here")

        async with running(
            self._settings,
            self._case.backends,
            send=nobody,
            clock=self._clock,
            keys=self._keys,
            state_dir=self._case.state,
        ) as engine:
            return {status.name: status for status in engine.status()}


async def _around(case: Case, settings: Settings, clock: Clock, ways: Ways) -> tuple[Finding, ...]:
    """What a search runs on. Slow disks are not waited for."""
    found: list[Finding] = []
    places = {"cache": case.cache, "state": case.state}
    read = case.origins.file is not None

    def look() -> None:
        found.extend(surroundings.versions())
        found.extend(surroundings.files(case.config, read=read, keys=case.key_file))
        found.extend(surroundings.folders(places))

    with anyio.move_on_after(DISK_PATIENCE_S) as patience:
        await anyio.to_thread.run_sync(partial(look), abandon_on_cancel=True)
    if patience.cancelled_caught:
        found.append(finding("disk.slow", "problem", seconds=round(DISK_PATIENCE_S)))
    found.extend(surroundings.proxies(ways))
    found.extend(surroundings.deadline(settings, case.origins.environment))
    found.extend(surroundings.past_clock(clock(), case.backends))
    return tuple(found)
