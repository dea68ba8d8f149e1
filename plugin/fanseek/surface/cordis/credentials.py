"""Keys of a host's `credentials` service: asked for anew at each search, held in memory alone."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import anyio

from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, KeyedSettings
from fanseek.surface.cordis.host import Voice

PATIENCE_S = 2.0
"""How long all keys of one search may take to be found, in seconds."""


class HostKeys:
    """The host's keys by name, as they were when last asked for. `found` is what an engine takes for its credentials.

    A service has `resolve(name)`, sync or async, whose answer is a key, something with a `value`, or None.
    """

    def __init__(self, service: Callable[[], Any], voice: Voice) -> None:
        self._service = service
        self._voice = voice
        self._held: Mapping[str, str] = {}

    def found(self, name: str) -> str | None:
        """The key under `name`, from memory."""
        return self._held.get(name)

    async def refresh(self, names: Iterable[str]) -> None:
        """Ask for every one of `names`; what fails or takes too long leaves the keys that were there."""
        resolve = getattr(self._service(), "resolve", None)
        if not callable(resolve):
            self._held = {}
            return
        held: dict[str, str] = {}
        try:
            with anyio.fail_after(PATIENCE_S):
                for name in names:
                    answer = resolve(name)
                    if value := _value(await answer if inspect.isawaitable(answer) else answer):
                        held[name] = value
        except Exception as problem:  # noqa: BLE001 - a host's fault costs no search
            why = type(problem).__name__
            self._voice.warn_once("credentials", f"the host's credentials can't be read ({why}); others are used")
            return
        self._held = held


def names(settings: Settings, backends: Mapping[str, AnyBackend]) -> list[str]:
    """The names that keys are looked for under."""
    own = (settings.backends.get(name) or backend.settings() for name, backend in backends.items())
    return list(dict.fromkeys(one.api_key_env for one in own if isinstance(one, KeyedSettings) and one.api_key_env))


def _value(answer: Any) -> str:
    value = answer.get("value") if isinstance(answer, Mapping) else getattr(answer, "value", answer)
    return value if isinstance(value, str) else ""
