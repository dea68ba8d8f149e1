"""The engine: everything below it wired together. One per process is enough; it may be used from many tasks."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import anyio
import msgspec
from anyio.abc import TaskGroup

from fanseek.cache.history import HistoryEntry
from fanseek.config.layers import Origins
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, BackendSettings
from fanseek.engine.course import Courses
from fanseek.engine.journal import Journal
from fanseek.engine.recall import Recall
from fanseek.errors import Aborted, AllFailed, UsageError
from fanseek.fanout.call import Asking, Clean, Send
from fanseek.fanout.race import Signals
from fanseek.fanout.relay import Relay
from fanseek.fanout.single_flight import Flights
from fanseek.fanout.wave import Waves
from fanseek.guard.breaker import Breaker
from fanseek.guard.circuit import Rules
from fanseek.guard.fingerprint import encoded
from fanseek.guard.health import BackendStatus, Health
from fanseek.guard.keys import Keys
from fanseek.guard.pacing import Pacer
from fanseek.guard.rotation import Rotation
from fanseek.select.plan import lacks_key, plan, resolved, usable
from fanseek.select.request import Wish, wish
from fanseek.select.view import as_asked
from fanseek.state.store import Store
from fanseek.telemetry import Telemetry
from fanseek.types import Clock, Outcome, Recency, SafeSearch, SearchResult

AS_IT_IS: Mapping[str, Any] = {"shape_query": False, "multi_query": False, "deep": False}
"""Wishes of a query that is asked as it stands."""

REFRESH_PATIENCE_S = 0.05
"""How long state on disk may hold up a search, in seconds."""

Follower = Callable[[Settings], None]
"""Told the settings whenever they change."""

Recalls = Callable[[Settings], Recall | None]
"""The cache as these settings have it."""


class Engine:
    """Searches. Made by `open_engine`; usable until its `async with` ends."""

    def __init__(
        self,
        settings: Settings,
        backends: Mapping[str, AnyBackend],
        *,
        group: TaskGroup,
        send: Send,
        store: Store,
        clock: Clock,
        telemetry: Telemetry,
        keys: Keys,
        clean: Clean,
        origins: Origins | None = None,
        followers: Sequence[Follower] = (),
        recalls: Recalls = lambda _settings: None,
        journal: Journal | None = None,
    ) -> None:
        self.settings = settings
        self._origins = origins or Origins()
        self._followers = followers
        self._recalls = recalls
        self._recall = recalls(settings)
        self._journal = journal
        self.backends = backends
        self.telemetry = telemetry
        self.closed = False
        self._keys = keys
        self.breaker = Breaker(
            store,
            clock=clock,
            rules=_rules(settings),
            enabled=settings.breaker_enabled,
            telemetry=telemetry,
            told=self._told,
        )
        asking = Asking(send=send, breaker=self.breaker, clock=clock, clean=clean)
        self.rotation = Rotation(store, clock)
        relay = Relay(asking, self.rotation)
        self._flights = Flights(group, relay, Pacer(store, clock), settings.concurrency)
        self._health = Health(self.breaker, clock)
        waves = Waves(self._flights, clean=clean, telemetry=telemetry, health=self._health)
        self._courses = Courses(waves, backends, telemetry=telemetry, status=self.status, check=self._check)
        self._wish = partial(wish, session=secrets.token_hex(8), clock=clock)

    def configure(self, settings: Settings | Mapping[str, Any] | None = None) -> None:
        """Settings for every search that begins from now on; one that runs keeps what it began with.

        `settings` take the place of those given to `open_engine`. Environment and config file are read again; left
        out, that is all that happens. A backend whose key, address or switch has changed starts with a clean slate.
        Raises ConfigError, and then nothing has changed.
        """
        origins = self._origins if settings is None else msgspec.structs.replace(self._origins, settings=settings)
        found = origins.load(self.backends)
        self._origins, self.settings = origins, found
        self.breaker.configure(_rules(found), enabled=found.breaker_enabled)
        self._flights.bound(found.concurrency)
        self._recall = self._recalls(found)
        for follow in self._followers:
            follow(found)

    def available(self) -> bool:
        """Whether some backend could be asked, by settings and keys alone; nothing is contacted."""
        return any(status.enabled for status in self.status())

    async def search(
        self,
        query: str,
        *,
        max_results: int | None = None,
        backends: Sequence[str] | None = None,
        max_chars_per_result: int | None = None,
        freshness: Recency | None = None,
        time_range: str | None = None,
        language: str | None = None,
        region: str | None = None,
        safe_search: SafeSearch | None = None,
        site: str | None = None,
        include_domains: Sequence[str] = (),
        exclude_domains: Sequence[str] = (),
        deadline_ms: float | None = None,
        shape_query: bool | None = None,
        multi_query: bool | None = None,
        deep: bool | None = None,
        fresh: bool = False,
        stop: anyio.Event | None = None,
        abort: anyio.Event | None = None,
    ) -> SearchResult:
        """Ask every enabled backend, or those named in `backends`, and merge what they find.

        `time_range` is `YYYY-MM-DD..YYYY-MM-DD` and wins over `freshness`; `freshness="any"` also keeps the query's own
        words, such as "this week", from deciding. `shape_query`, `multi_query` and `deep` outrank the settings
        shapeQuery, multiQueryEnabled and deepCoverage. `fresh` passes by the cache, where there is one; `stop` answers
        at once with what is there; `abort` ends the search with Aborted.
        Raises UsageError, NothingUsable, Aborted, and AllFailed when no backend answered.
        """
        began, settings, recall = anyio.current_time(), self.settings, self._recall
        asked = self._wish(
            settings,
            query,
            max_results=max_results,
            backends=backends,
            max_chars_per_result=max_chars_per_result,
            freshness=freshness,
            time_range=time_range,
            language=language,
            region=region,
            safe_search=safe_search,
            site=site,
            include_domains=include_domains,
            exclude_domains=exclude_domains,
            deadline_ms=deadline_ms,
            shape_query=shape_query,
            multi_query=multi_query,
            deep=deep,
        )
        result = await self._answered(asked, settings, recall, began, Signals(stop, abort), fresh=fresh)
        return as_asked(result, asked)

    async def _answered(
        self, asked: Wish, settings: Settings, recall: Recall | None, began: float, signals: Signals, *, fresh: bool
    ) -> SearchResult:
        """The whole result, from the cache where one is there and `fresh` does not forbid it."""
        self._check(signals)
        with anyio.move_on_after(REFRESH_PATIENCE_S):
            await self.breaker.refresh()
            await self.rotation.refresh()
        self._check(signals)
        chosen = plan(asked, settings, self.backends, breaker=self.breaker, keys=self._keys, rotation=self.rotation)
        if recall is None:
            return await self._courses.run(asked, chosen, settings, began, signals)
        key = recall.key(asked, chosen)
        if not fresh and (known := await recall.find(key, asked)) is not None:
            return self._courses.recalled(asked, known, began)
        result = await self._courses.run(asked, chosen, settings, began, signals)
        await recall.keep(key, asked, result)
        return result

    async def probe(
        self, backend: str, query: str, *, deadline_ms: float | None = None, stop: anyio.Event | None = None
    ) -> Outcome:
        """How `backend` answers now, asked alone, also where it is off or rests; neither cached nor in the history.

        Raises UsageError for a backend there is none of, NothingUsable where its key is missing.
        """
        began, settings, signals = anyio.current_time(), self.settings, Signals(stop, None)
        self._check(signals)
        asked = self._wish(settings, query, backends=[backend], max_results=1, deadline_ms=deadline_ms, **AS_IT_IS)
        chosen = plan(asked, settings, self.backends, breaker=self.breaker, keys=self._keys, rotation=self.rotation)
        try:
            result = await self._courses.run(asked, chosen, settings, began, signals, probe=True)
        except AllFailed as problem:
            result = problem.result
        return result.outcomes[0]

    async def history(self) -> tuple[HistoryEntry, ...]:
        """The last searches, newest first; empty where none are kept."""
        return await self._journal.entries() if self._journal else ()

    async def clear_history(self) -> bool:
        """Forget them; whether nothing is kept now."""
        return await self._journal.clear() if self._journal else True

    def status(self) -> tuple[BackendStatus, ...]:
        """How each backend is doing, from memory alone."""
        return tuple(self._status(name, backend) for name, backend in self.backends.items())

    def _status(self, name: str, backend: AnyBackend) -> BackendStatus:
        own = resolved(backend, self.settings, self._keys)
        turns = self.rotation.resting(name, own.found.keys)
        status = self._health.of(
            name, enabled=usable(backend, own.settings), keys_rest_s=turns.rest_s, keys_reason=turns.reason
        )
        return msgspec.structs.replace(
            status,
            key_name=own.found.name,
            key_found=bool(own.found.keys),
            needs_key=lacks_key(backend.set_by(own.settings), own.settings),
        )

    def _check(self, signals: Signals) -> None:
        if signals.aborted:
            raise Aborted("the search was aborted by its caller")
        if self.closed:
            raise UsageError("this engine is closed: search inside its `async with open_engine()` block")

    def _told(self, key: str) -> bytes:
        backend = self.backends.get(key.partition("@")[0])
        own = resolved(backend, self.settings, self._keys).told if backend else BackendSettings()
        return encoded(own, self.settings.proxy)


def _rules(settings: Settings) -> Rules:
    return Rules(threshold=settings.breaker_threshold, cooldown_s=settings.breaker_cooldown_ms / 1000)
