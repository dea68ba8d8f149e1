"""Single backends asked by a way of choice, on the engine's own path, leaving no trace: no state, cache or history."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from importlib import import_module

import anyio
import msgspec

from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, McpCall, Request, Response
from fanseek.engine.engine import Engine
from fanseek.engine.opening import NEEDED, running
from fanseek.fanout.call import failed
from fanseek.guard.keys import Keys
from fanseek.http.redact import Redactor
from fanseek.types import Clock, Outcome

QUERY = "test"
"""Short, harmless, and known to every index."""

Heard = Callable[[Response], None]
"""Sees every response that comes."""


class Prober:
    """Asks one backend one small question. `stop` ends it with what there is."""

    def __init__(self, engine: Engine, stop: anyio.Event) -> None:
        self._engine = engine
        self._stop = stop

    async def ask(self, name: str, left_s: float) -> Outcome:
        """How the backend `name` answers within `left_s` seconds."""
        if left_s <= 0:
            return failed(name, "late", "there was no time left to ask it")
        return await self._engine.probe(name, QUERY, deadline_ms=max(left_s * 1000, 1), stop=self._stop)


@asynccontextmanager
async def probing(
    settings: Settings,
    backends: Mapping[str, AnyBackend],
    *,
    proxy: str,
    keys: Keys,
    redactor: Redactor,
    heard: Heard,
    stop: anyio.Event,
    clock: Clock = time.time,
) -> AsyncIterator[Prober]:
    """A prober of `backends` that goes by the proxy setting `proxy`."""
    from fanseek.http.client import Client

    for name in NEEDED:
        import_module(name)
    async with Client(proxy=proxy, redact=redactor) as client:

        async def send(request: Request | McpCall) -> Response:
            response = await (client.send(request) if isinstance(request, Request) else client.call(request))
            heard(response)
            return response

        plain = msgspec.structs.replace(settings, proxy=proxy, multi_query_enabled=False, deep_coverage=False)
        async with running(plain, backends, send=send, clock=clock, keys=keys, clean=redactor.clean) as engine:
            yield Prober(engine, stop)
