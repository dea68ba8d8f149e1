"""Backends of a test's own: each answers as it was told to, in virtual time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import msgspec

from fanseek.config.settings import Settings
from fanseek.contract import Backend, BackendSettings, Docs, Filters, Hit, Operation, Pace, Parsed, Request, Response
from fanseek.engine import Engine, running
from fanseek.errors import BackendError
from fanseek.guard.keys import Keys
from fanseek.telemetry import Telemetry

Script = Callable[[Request], Awaitable[Response]]

DOCS = Docs(url="https://docs.test", checked="2026-11-30", receives="nobody")


class Wire(msgspec.Struct):
    urls: list[str] | None = None


def parse(response: Response) -> Parsed:
    urls = response.json(Wire).urls
    return Parsed(hits=tuple(Hit(url=url, title=url) for url in urls or ()), empty=urls == [])


def backend(name: str, *, build: Any = None, cap_s: float = 10.0, pace: Pace | None = None, **more: Any) -> Backend:
    """A backend whose requests go to `https://<name>.test`."""
    made = build or (lambda search, _own: Request(url=f"https://{name}.test/?q={search.query}&n={search.limit}"))
    operation = Operation(build=made, parse=more.pop("parse", parse), filters=more.pop("filters", Filters()))
    return Backend(
        name=name,
        family=more.pop("family", name),
        settings=more.pop("settings", BackendSettings),
        operations={"search": operation},
        docs=DOCS,
        cap_s=cap_s,
        pace=pace or Pace(),
        **more,
    )


def body(*urls: str) -> Response:
    """A response that holds `urls`; none is an honest empty."""
    return Response(
        status=200, headers={"content-type": "application/json"}, body=msgspec.json.encode(Wire(list(urls)))
    )


def answers(*urls: str, after: float = 0.0) -> Script:
    async def script(_request: Request) -> Response:
        await anyio.sleep(after)
        return body(*urls)

    return script


def says(status: int, text: str = "", after: float = 0.0, **headers: str) -> Script:
    async def script(_request: Request) -> Response:
        await anyio.sleep(after)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return Response(status=status, headers=named, body=text.encode())

    return script


def fails(kind: Any, message: str = "broken", after: float = 0.0, **more: Any) -> Script:
    async def script(_request: Request) -> Response:
        await anyio.sleep(after)
        raise BackendError(kind, message, **more)

    return script


def raises(problem: BaseException, after: float = 0.0) -> Script:
    async def script(_request: Request) -> Response:
        await anyio.sleep(after)
        raise problem

    return script


def hangs(cleanup: float = 0.0) -> Script:
    """Never answers; when cancelled, blocks for `cleanup` seconds."""

    async def script(_request: Request) -> Response:
        try:
            await anyio.sleep(10**6)
        finally:
            if cleanup:
                with anyio.CancelScope(shield=True):
                    await anyio.sleep(cleanup)
        raise AssertionError

    return script


class Upstreams:
    """The other end: a script by host, and every request that came."""

    def __init__(self, scripts: Mapping[str, Script]) -> None:
        self.scripts = dict(scripts)
        self.requests: list[Request] = []
        self.running = 0
        self.most = 0

    async def send(self, request: Request) -> Response:
        self.requests.append(request)
        self.running += 1
        self.most = max(self.most, self.running)
        try:
            return await self.scripts[request.url.split("/")[2].removesuffix(".test")](request)
        finally:
            self.running -= 1

    def asked(self, name: str) -> int:
        """How many requests went to `name`."""
        return sum(request.url.startswith(f"https://{name}.test/") for request in self.requests)


class Stage:
    """An engine over scripted backends."""

    def __init__(self, engine: Engine, upstreams: Upstreams, events: list[Any]) -> None:
        self.engine = engine
        self.upstreams = upstreams
        self.events = events
        self.search = engine.search


@asynccontextmanager
async def stage(
    scripts: Mapping[str, Script],
    *backends: Backend,
    state_dir: Any = None,
    cache_dir: Any = None,
    history_dir: Any = None,
    clean: Any = str,
    environment: Any = None,
    clock: Any = None,
    **settings: Any,
):
    """A stage with one plain backend for each script that `backends` has none for."""
    given = {each.name: each for each in backends}
    upstreams, events = Upstreams(scripts), []
    every = given | {name: backend(name) for name in scripts if name not in given and "-" not in name}
    async with running(
        Settings(**settings),
        dict(sorted(every.items())),
        send=upstreams.send,
        clock=clock or (lambda: 1e9 + anyio.current_time()),
        telemetry=Telemetry(events.append),
        state_dir=state_dir,
        cache_dir=cache_dir,
        history_dir=history_dir,
        clean=clean,
        keys=Keys({} if environment is None else environment),
    ) as engine:
        yield Stage(engine, upstreams, events)
