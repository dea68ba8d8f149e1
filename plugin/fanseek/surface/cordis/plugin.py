"""The plugin's body: what it registers at a host, and how it takes all of it back."""

from __future__ import annotations

import inspect
import os
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

from fanseek.config.dirs import Folders, config_file, folders, is_missing
from fanseek.config.schema import composed
from fanseek.engine import Engine, open_engine
from fanseek.guard.key_file import NAME as KEY_FILE
from fanseek.surface.cordis import routes
from fanseek.surface.cordis.credentials import HostKeys
from fanseek.surface.cordis.host import Voice, method, required, service
from fanseek.surface.cordis.provider import Provider
from fanseek.surface.cordis.residence import Residence
from fanseek.surface.cordis.settings import HostSettings, Mounted, mounted

Dispose = Callable[[], Awaitable[None]]


def apply(ctx: Any, config: Any = None) -> Dispose | None:
    """Register the provider at `ctx.web`, and the history routes where the host has a `connection` service.

    `config` is nothing, a mapping of settings in wire form, or a `Config`. Nothing is opened before the first search.
    The return value takes everything back; where the host keeps disposers itself, it gets it and None is returned.
    Raises ConfigError, and RuntimeError without a `web` service; nothing is registered then.
    """
    chosen, web = mounted(config), required(ctx, "web")
    voice = Voice(service(ctx, "logger"))
    settings = _host_settings(ctx, voice)
    keys = HostKeys(partial(service, ctx, "credentials"), voice)
    provider = Provider(
        Residence(partial(_engine, chosen, keys)), chosen, keys=keys, reading=settings.reading, voice=voice
    )
    try:
        undo = [web.register_search_provider(provider), *_routes(ctx, provider, voice)]
    except BaseException:
        settings.dispose()
        raise
    return _owned(ctx, _Disposal(provider, [*undo, settings.dispose]))


class _Disposal:
    """Takes everything back, once. It never touches the context, which is half gone by then."""

    def __init__(self, provider: Provider, undo: list[Any]) -> None:
        self._provider = provider
        self._undo = undo
        self._done = False

    async def __call__(self) -> None:
        if self._done:
            return
        self._done = True
        try:
            for one in self._undo:
                gone = one() if callable(one) else None
                if inspect.isawaitable(gone):
                    await gone
        finally:
            await self._provider.aclose()


def _owned(ctx: Any, disposal: _Disposal) -> Dispose | None:
    """Hand the disposer to a host that drops what `apply` returns, else return it."""

    async def dispose() -> None:
        await disposal()

    if add := method(ctx, "add_disposer"):
        add(dispose)
        return None
    return dispose


def _host_settings(ctx: Any, voice: Voice) -> HostSettings:
    """The host's settings; one warning where they can't be followed (B16)."""
    try:
        found = HostSettings(service(ctx, "settings"), composed)
    except Exception as problem:  # noqa: BLE001 - a host's fault must not keep the plugin from loading
        found, why = HostSettings(None, composed), f"its settings service has failed ({type(problem).__name__})"
    else:
        why = "this host has no settings service that is known"
    if found.reading is None:
        message = f"{why}: the settings of the mount, the environment and the config file are used"
        voice.warn_once("settings", message)
    return found


def _routes(ctx: Any, provider: Provider, voice: Voice) -> list[Any]:
    connection = service(ctx, "connection")
    if connection is None:
        return []
    try:
        return routes.register(connection, provider.engine)
    except Exception as problem:  # noqa: BLE001 - a host's fault must not keep the plugin from loading
        message = f"the history has no route here: the connection service took none ({type(problem).__name__})"
        voice.warn_once("connection", message)
        return []


def _engine(chosen: Mounted, keys: HostKeys) -> AbstractAsyncContextManager[Engine]:
    """The engine as this user has set it, here and elsewhere; files in the usual places, or in one folder."""
    usual, config = folders(os.environ), config_file(os.environ)
    place = Folders(cache=chosen.folder, state=chosen.folder, config=usual.config) if chosen.folder else usual
    return open_engine(
        chosen.settings,
        environment=os.environ,
        config_file=None if is_missing(config) else config,
        state_dir=place.state,
        cache_dir=place.cache,
        history_dir=place.state,
        credentials=keys.found,
        key_file=place.config / KEY_FILE,
    )
