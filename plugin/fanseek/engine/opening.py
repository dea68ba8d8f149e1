"""An engine opened and closed: connections, state, cache and history around it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import TaskGroup

from fanseek.cache.history import FILE, HistoryFile
from fanseek.config.layers import Origins
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, McpCall, Request, Response
from fanseek.engine.engine import Engine, Follower
from fanseek.engine.journal import LOCK_PATIENCE_S, Journal
from fanseek.engine.recall import recall
from fanseek.errors import UsageError
from fanseek.fanout.call import Clean, Send
from fanseek.guard.key_file import KeyFile
from fanseek.guard.keys import Credentials, Keys
from fanseek.select.plan import resolved
from fanseek.state.store import Store, opened
from fanseek.telemetry import Listener, Telemetry
from fanseek.types import Clock

DISK_PATIENCE_S = 1.0
"""How long state on disk may hold up the engine's start and end, in seconds."""

NEEDED = ("fanseek.fanout.harvest", "fanseek.http.inflate", "fanseek.http.transport")
"""Loaded when an engine opens: not by `import fanseek`, and not out of the first search's deadline."""


@asynccontextmanager
async def open_engine(
    settings: Settings | Mapping[str, Any] | None = None,
    *,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    config_file: Path | str | None = None,
    on_event: Listener | None = None,
    state_dir: Path | None = None,
    cache_dir: Path | None = None,
    history_dir: Path | None = None,
    credentials: Credentials | None = None,
    key_file: Path | None = None,
    transport: Any = None,
    clock: Clock = time.time,
) -> AsyncIterator[Engine]:
    """An engine with its connections. Needs no arguments.

    Settings in wire form, the higher ones winning: `overrides`, what a user has said for this run; `environment`,
    which brings FANSEEK_* variables and keys (`os.environ`, say); `settings`, a harness's; `config_file`, a TOML file.
    A whole `Settings` is taken as it is. `state_dir` remembers failures between processes, `cache_dir` whole results,
    `history_dir` what was searched for. Keys are looked up by name at each search: `credentials(name)` is asked first,
    then `environment`, then `key_file`. Raises ConfigError.
    """
    from fanseek.http.client import Client
    from fanseek.http.redact import Redactor
    from fanseek.registry import backends

    for name in NEEDED:
        import_module(name)
    if isinstance(settings, Settings) and (overrides or config_file is not None):
        raise UsageError(
            "a whole Settings is taken as it is; beside overrides or config_file give settings in wire form"
        )
    variables = {} if environment is None else environment
    origins = Origins(
        overrides=overrides or {},
        environment=variables,
        settings={} if settings is None else settings,
        file=None if config_file is None else Path(config_file),
    )
    found = origins.load()
    redactor = Redactor()
    async with Client(proxy=found.proxy, redact=redactor, transport=transport) as client:

        async def send(request: Request | McpCall) -> Response:
            return await (client.send(request) if isinstance(request, Request) else client.call(request))

        async with running(
            found,
            backends(),
            send=send,
            origins=origins,
            followers=[lambda changed: client.reroute(changed.proxy)],
            clock=clock,
            telemetry=Telemetry(*([on_event] if on_event else [])),
            keys=Keys(variables, redactor.add, credentials=credentials, file=KeyFile(key_file) if key_file else None),
            clean=redactor.clean,
            state_dir=state_dir,
            cache_dir=cache_dir,
            history_dir=history_dir,
        ) as engine:
            yield engine


@asynccontextmanager
async def running(
    settings: Settings,
    backends: Mapping[str, AnyBackend],
    *,
    send: Send,
    origins: Origins | None = None,
    followers: Sequence[Follower] = (),
    clock: Clock = time.time,
    telemetry: Telemetry | None = None,
    keys: Keys | None = None,
    clean: Clean = str,
    state_dir: Path | None = None,
    cache_dir: Path | None = None,
    history_dir: Path | None = None,
) -> AsyncIterator[Engine]:
    """An engine over `backends` that reaches them through `send`."""
    store, keys, telemetry = opened(state_dir), keys or Keys({}), telemetry or Telemetry()

    def spoken(text: str) -> str:
        """`text` without any backend's key, whether that backend has been asked or not."""
        for backend in backends.values():
            resolved(backend, engine.settings, keys)
        return clean(text)

    journal = _journal(history_dir, settings, telemetry, clock=clock, clean=spoken)
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
                telemetry=telemetry,
                keys=keys,
                clean=clean,
                origins=origins,
                followers=[*followers, *([journal.follow] if journal else [])],
                recalls=lambda found: recall(found, backends, cache_dir, clock, keys=keys, clean=spoken),
                journal=journal,
            )
            await _begin(engine, group, journal)
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
        await _end(engine, store, journal)


def _journal(
    folder: Path | None, settings: Settings, telemetry: Telemetry, *, clock: Clock, clean: Clean
) -> Journal | None:
    """The history in `folder`, listening; None where there is no folder."""
    if folder is None:
        return None
    journal = Journal(HistoryFile(folder / FILE, patience_s=LOCK_PATIENCE_S), clock=clock, clean=clean)
    journal.follow(settings)
    telemetry.listen(journal.hear)
    return journal


async def _begin(engine: Engine, group: TaskGroup, journal: Journal | None) -> None:
    """What other processes have recorded taken in, and what is recorded here carried to disk from now on."""
    with anyio.move_on_after(DISK_PATIENCE_S):
        await engine.breaker.flush()
        await engine.rotation.refresh()
    group.start_soon(engine.breaker.keep_flushing, name="fanseek state")
    if journal:
        group.start_soon(journal.keep_writing, name="fanseek history")


async def _end(engine: Engine, store: Store, journal: Journal | None) -> None:
    """What is not on disk yet carried there, whatever has ended the engine."""
    with anyio.CancelScope(shield=True):
        if journal:
            await journal.flush()
        with anyio.move_on_after(DISK_PATIENCE_S):
            await engine.breaker.flush()
            await store.close()
