"""The engine: everything below it wired together. One per process is enough; it may be used from many tasks."""

from __future__ import annotations

import secrets
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup

from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, BackendSettings, McpCall, Request, Response
from fanseek.errors import Aborted, AllFailed, UsageError
from fanseek.fanout.call import Asking, Clean, Send
from fanseek.fanout.race import Signals
from fanseek.fanout.single_flight import Flights
from fanseek.fanout.verdict import could_not_search
from fanseek.fanout.wave import Waves
from fanseek.guard.breaker import Breaker
from fanseek.guard.circuit import Rules
from fanseek.guard.fingerprint import fingerprint
from fanseek.guard.health import BackendStatus, Health
from fanseek.guard.keys import Keys
from fanseek.guard.pacing import Pacer
from fanseek.select.plan import Plan, plan, resolved, usable
from fanseek.select.request import Wish, wish
from fanseek.state.store import Store, opened
from fanseek.telemetry import Listener, SearchEnded, SearchStarted, Telemetry
from fanseek.types import Clock, Recency, SafeSearch, SearchResult

REFRESH_PATIENCE_S = 0.05
DISK_PATIENCE_S = 1.0
"""How long state on disk may hold up a search, and the engine's start and end, in seconds."""

NEEDED = ("fanseek.fanout.harvest", "fanseek.http.inflate", "fanseek.http.transport")
"""Loaded when an engine opens: not by `import fanseek`, and not out of the first search's deadline."""


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
    ) -> None:
        self.settings = settings
        self.backends = backends
        self.telemetry = telemetry
        self.closed = False
        self._keys = keys
        self.breaker = Breaker(
            store,
            clock=clock,
            rules=Rules(threshold=settings.breaker_threshold, cooldown_s=settings.breaker_cooldown_ms / 1000),
            enabled=settings.breaker_enabled,
            telemetry=telemetry,
            fingerprint=self._fingerprint,
        )
        asking = Asking(send=send, breaker=self.breaker, clock=clock, clean=clean)
        flights = Flights(group, asking, Pacer(store, clock), settings.concurrency)
        self._health = Health(self.breaker, clock)
        self._waves = Waves(flights, settings, clean=clean, telemetry=telemetry, health=self._health)
        self._numbers = count(1)
        self._wish = partial(wish, settings, session=secrets.token_hex(8), clock=clock)

    async def search(
        self,
        query: str,
        *,
        max_results: int | None = None,
        backends: Sequence[str] | None = None,
        recency: Recency | None = None,
        language: str | None = None,
        region: str | None = None,
        safe_search: SafeSearch | bool | None = None,
        include_domains: Sequence[str] = (),
        exclude_domains: Sequence[str] = (),
        deadline_ms: float | None = None,
        stop: anyio.Event | None = None,
        abort: anyio.Event | None = None,
    ) -> SearchResult:
        """Ask every enabled backend, or those named in `backends`, and merge what they find.

        `stop` answers at once with what is there; `abort` ends the search with Aborted. Raises UsageError,
        NothingUsable, Aborted, and AllFailed when no backend answered.
        """
        began = anyio.current_time()
        asked = self._wish(
            query,
            max_results=max_results,
            backends=backends,
            recency=recency,
            language=language,
            region=region,
            safe_search=safe_search,
            include_domains=include_domains,
            exclude_domains=exclude_domains,
            deadline_ms=deadline_ms,
        )
        signals = Signals(stop, abort)
        self._check(signals)
        with anyio.move_on_after(REFRESH_PATIENCE_S):
            await self.breaker.refresh()
        self._check(signals)
        chosen = plan(asked, self.settings, self.backends, self.breaker, self._keys.find)
        return await self._search(asked, chosen, began, signals)

    def status(self) -> tuple[BackendStatus, ...]:
        """How each backend is doing, from memory alone."""
        return tuple(
            self._health.of(name, enabled=usable(backend, resolved(backend, self.settings, self._keys.find)))
            for name, backend in self.backends.items()
        )

    async def _search(self, asked: Wish, chosen: Plan, began: float, signals: Signals) -> SearchResult:
        from fanseek.fanout.harvest import harvest

        number = next(self._numbers)
        names = tuple(ask.backend.name for ask in chosen.asked)
        self.telemetry.emit(
            SearchStarted(search=number, request=asked.request, backends=names, deadline_s=asked.deadline_s)
        )
        answers = await self._waves.run(
            number, chosen, deadline_at=began + asked.deadline_s, deadline_s=asked.deadline_s, signals=signals
        )
        self._check(signals)
        result = harvest(asked, chosen, answers, order=tuple(self.backends), seconds=anyio.current_time() - began)
        self.telemetry.emit(SearchEnded(search=number, result=result))
        if result.status == "error":
            raise AllFailed(could_not_search(result.outcomes), result)
        return result

    def _check(self, signals: Signals) -> None:
        if signals.aborted:
            raise Aborted("the search was aborted by its caller")
        if self.closed:
            raise UsageError("this engine is closed: search inside its `async with open_engine()` block")

    def _fingerprint(self, key: str, salt: bytes) -> str:
        backend = self.backends.get(key.partition("@")[0])
        own = resolved(backend, self.settings, self._keys.find) if backend else BackendSettings()
        return fingerprint(own, self.settings.proxy, salt)


@asynccontextmanager
async def open_engine(
    settings: Settings | Mapping[str, Any] | None = None,
    *,
    on_event: Listener | None = None,
    environment: Mapping[str, str] | None = None,
    state_dir: Path | None = None,
    transport: Any = None,
    clock: Clock = time.time,
) -> AsyncIterator[Engine]:
    """An engine with its connections. Needs no arguments.

    `environment=os.environ` brings FANSEEK_* variables and keys; `state_dir` remembers failures between processes.
    """
    from fanseek.config import from_environment, load
    from fanseek.http.client import Client
    from fanseek.http.redact import Redactor
    from fanseek.registry import backends

    for name in NEEDED:
        import_module(name)
    variables = environment or {}
    if not isinstance(settings, Settings):
        settings = load({**from_environment(variables), **(settings or {})})
    redactor = Redactor()
    async with Client(proxy=settings.proxy, redact=redactor, transport=transport) as client:

        async def send(request: Request | McpCall) -> Response:
            return await (client.send(request) if isinstance(request, Request) else client.call(request))

        async with running(
            settings,
            backends(),
            send=send,
            clock=clock,
            telemetry=Telemetry(*([on_event] if on_event else [])),
            keys=Keys(variables, redactor.add),
            clean=redactor.clean,
            state_dir=state_dir,
        ) as engine:
            yield engine


@asynccontextmanager
async def running(
    settings: Settings,
    backends: Mapping[str, AnyBackend],
    *,
    send: Send,
    clock: Clock = time.time,
    telemetry: Telemetry | None = None,
    keys: Keys | None = None,
    clean: Clean = str,
    state_dir: Path | None = None,
) -> AsyncIterator[Engine]:
    """An engine over `backends` that reaches them through `send`."""
    store = opened(state_dir)
    raised: BaseException | None = None
    try:
        async with anyio.create_task_group() as group:
            engine = Engine(
                settings,
                backends,
                group=group,
                send=send,
                store=store,
                clock=clock,
                telemetry=telemetry or Telemetry(),
                keys=keys or Keys({}),
                clean=clean,
            )
            with anyio.move_on_after(DISK_PATIENCE_S):
                await engine.breaker.flush()
            group.start_soon(engine.breaker.keep_flushing, name="fanseek state")
            try:
                yield engine
            except anyio.get_cancelled_exc_class():
                raise
            except BaseException as problem:  # noqa: BLE001 - raised again below, outside the group, as it came
                raised = problem
            finally:
                engine.closed = True
                group.cancel_scope.cancel()
        if raised is not None:
            raise raised
    finally:
        with anyio.move_on_after(DISK_PATIENCE_S, shield=True):
            await engine.breaker.flush()
            await store.close()
