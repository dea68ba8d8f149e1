"""The one provider, `unified`: a harness's searches answered by one shared engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio

from fanseek.engine import Engine
from fanseek.errors import Aborted, ConfigError
from fanseek.surface.cordis.credentials import HostKeys, names
from fanseek.surface.cordis.host import Voice
from fanseek.surface.cordis.residence import Residence
from fanseek.surface.cordis.settings import Mounted, Reading
from fanseek.surface.seam import WebError, ask, failure
from fanseek.surface.signals import is_aborted, until

SETTLING_S = 2.0
"""How long searches that were told to end are waited for, in seconds."""


class Provider:
    """Registered at `ctx.web`. Any number of searches at once; each ends within 100 ms of its signal or of `aclose`."""

    id = "unified"

    def __init__(
        self,
        residence: Residence,
        mounted: Mounted,
        *,
        keys: HostKeys | None = None,
        reading: Reading | None = None,
        voice: Voice | None = None,
    ) -> None:
        self.residence = residence
        self._base = dict(mounted.settings)
        self._keys = keys
        self._reading = reading
        self._voice = voice or Voice()
        self._heard: dict[str, Any] = {}
        self._closing = anyio.Event()
        self._running = 0
        self._idle = anyio.Event()

    def available(self) -> bool:
        """Whether it may be asked, without looking anywhere (HF3).

        Also with no backend ready: only a search can say why, and where the settings are (B6).
        """
        return not self._closing.is_set()

    async def search(self, request: Any, signal: Any = None) -> dict[str, Any]:
        """One search: `{content?, sources, truncated}`. `request` has a `query` and perhaps `maxResults`.

        Raises WebError: WEB_ABORTED within 100 ms of `signal`, see `fanseek.surface.seam.ask` for the rest.
        """
        if is_aborted(signal) or self._closing.is_set():
            raise failure(Aborted("aborted"))
        self._running += 1
        try:
            return await self._watched(request, signal)
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def _watched(self, request: Any, signal: Any) -> dict[str, Any]:
        abort, opening = anyio.Event(), anyio.CancelScope()
        found: dict[str, Any] | Exception = Aborted("aborted")

        async def press(given: Any) -> None:
            await until(given)
            abort.set()
            opening.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(press, self._closing)
            if signal is not None:
                group.start_soon(press, signal)
            try:
                with opening:
                    engine = await self.engine()
                if not opening.cancelled_caught:
                    query, most = _field(request, "query"), _field(request, "maxResults", "max_results")
                    found = (await ask(engine, query, max_results=most, abort=abort)).web.to_dict()
            except Exception as problem:  # noqa: BLE001 - raised again below, outside the group
                found = problem
            group.cancel_scope.cancel()
        if isinstance(found, Exception):
            raise found if isinstance(found, WebError) else failure(found) from found
        return found

    async def engine(self) -> Engine:
        """The engine, with the settings and keys of now. Raises what keeps it from opening."""
        engine = await self.residence.engine()
        self._configure(engine)
        if self._keys:
            await self._keys.refresh(names(engine.settings, engine.backends))
        return engine

    def _configure(self, engine: Engine) -> None:
        """What the host's settings say now, where that is new (B13); what is wrong in them changes nothing."""
        if self._reading is None:
            return
        try:
            heard = dict(self._reading())
            if heard != self._heard:
                engine.configure({**self._base, **heard})
                self._heard = heard
        except ConfigError as problem:
            self._voice.warn_once(f"settings {problem}", f"the host's settings are not used: {problem}")
        except Exception as problem:  # noqa: BLE001 - a host's fault costs no search
            self._voice.warn_once("reading", f"the host's settings can't be read ({type(problem).__name__})")

    async def aclose(self) -> None:
        """End every search with WEB_ABORTED, then close the engine. What was a provider is none any more."""
        self._closing.set()
        with anyio.move_on_after(SETTLING_S, shield=True):
            while self._running:
                self._idle = anyio.Event()
                await self._idle.wait()
        await self.residence.close()


def _field(request: Any, *names: str) -> Any:
    """The first of `names` that `request`, a mapping or an object, has."""
    for name in names:
        value = request.get(name) if isinstance(request, Mapping) else getattr(request, name, None)
        if value is not None:
            return value
    return None
