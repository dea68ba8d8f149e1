"""One loopback server that stands in for every backend."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import anyio
from anyio.abc import TaskGroup

from fanseek.config.options import options
from fanseek.contract import AnyBackend, Asked, KeyedSettings, Reply
from fanseek.registry import backends as registered
from fanseek.sandbox.altered import altered
from fanseek.sandbox.control import Control
from fanseek.sandbox.corpus import Corpus
from fanseek.sandbox.faults import Fault, Latency, Progress
from fanseek.sandbox.head import BadRequest, Head
from fanseek.sandbox.log import Log
from fanseek.sandbox.mcp import McpUpstream
from fanseek.sandbox.naming import EVERY
from fanseek.sandbox.peer import Gone, Peer
from fanseek.sandbox.schedule import Faults
from fanseek.sandbox.travel import streamed, travel
from fanseek.sandbox.upstream import Upstream, upstreams, wire

ADDRESS = "127.0.0.1"
MADE_UP = "made-up-key"


class Sandbox:
    """A running sandbox: `async with Sandbox() as box`. `port` 0 takes a free one, `latency_ms` holds for all.

    `faults` are pairs of a backend (`*` for all) and a fault. Everything on it may be used from other threads.
    """

    def __init__(
        self,
        *,
        port: int = 0,
        results: int = 10,
        overlap: float = 0.5,
        seed: int = 1,
        cjk: bool = False,
        latency_ms: float = 0.0,
        faults: Iterable[tuple[str, Fault | str]] = (),
        backends: Mapping[str, AnyBackend] | None = None,
    ) -> None:
        every = registered() if backends is None else backends
        self._every = every
        self._backends = {name: backend for name, backend in every.items() if backend.mimic}
        self.corpus = Corpus(
            backends=tuple(self._backends),
            families=tuple(sorted({backend.family for backend in self._backends.values()})),
            results=results,
            overlap=overlap,
            seed=seed,
            cjk=cjk,
        )
        self.faults = Faults(
            {name: backend.mimic.faults for name, backend in self._backends.items() if backend.mimic}, seed
        )
        if latency_ms:
            self.faults.add(EVERY, Latency(ms=latency_ms))
        for name, fault in faults:
            self.faults.add(name, fault)
        self.log = Log(list(self._backends))
        self.port = port
        self._upstreams = upstreams(self._backends, self.corpus)
        self._control = Control(self.faults, self.log)
        self._heads: dict[bytes, Head] = {}
        self._peers: set[Peer] = set()

    @property
    def url(self) -> str:
        """The origin of this sandbox."""
        return f"http://{ADDRESS}:{self.port}"

    @property
    def urls(self) -> dict[str, str]:
        """The address of each backend, without the path its own service has."""
        return {name: f"{self.url}/{name}" for name in self._backends}

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._peers)

    @property
    def trapped(self) -> int:
        """How often a redirect's target was contacted."""
        return self._control.trapped

    def sessions(self, backend: str) -> int:
        """How many MCP sessions are open at `backend`."""
        upstream = self._upstreams[backend]
        return upstream.sessions if isinstance(upstream, McpUpstream) else 0

    def settings(self) -> dict[str, Any]:
        """Settings in wire form that point every backend here and let it go at any pace.

        One that cannot be stood in for is off, so that nothing leaves this machine; those that need a key find a
        made-up one in `environment`.
        """
        found: dict[str, Any] = {}
        for option in options(self._every).values():
            if option.backend and option.backend not in self._backends:
                if option.is_switch:
                    found[option.key] = "off"
            elif option.is_base_url:
                one = isinstance(option.default, str)
                address = self.urls[option.backend] + urlsplit(_first(option.default)).path
                found[option.key] = address if one else [address]
            elif option.is_switch:
                found[option.key] = "on"
            elif option.backend and option.field == "rate_per_minute":
                found[option.key] = 0
        return found

    @property
    def environment(self) -> dict[str, str]:
        """A made-up key under the usual variable of each backend that is never asked without one."""
        owners = {name: backend.settings() for name, backend in self._backends.items() if "key" in backend.needs}
        return {own.api_key_env: MADE_UP for own in owners.values() if isinstance(own, KeyedSettings)}

    async def __aenter__(self) -> Self:
        self._listener = socket.create_server((ADDRESS, self.port), backlog=1024)
        self._listener.setblocking(False)
        self.port = self._listener.getsockname()[1]
        self._tasks = anyio.create_task_group()
        await self._tasks.__aenter__()
        self._tasks.start_soon(self._accept, self._tasks)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        self._tasks.cancel_scope.cancel()
        try:
            return await self._tasks.__aexit__(kind, error, trace)
        finally:
            anyio.notify_closing(self._listener)
            self._listener.close()

    async def _accept(self, tasks: TaskGroup) -> None:
        while True:
            await anyio.wait_readable(self._listener)
            with suppress(OSError):
                while True:
                    client, _ = self._listener.accept()
                    tasks.start_soon(self._serve, Peer(client, self._heads))

    async def _serve(self, peer: Peer) -> None:
        """Answer one connection until it ends."""
        self._peers.add(peer)
        try:
            while peer.keep_alive and (asked := await peer.request()):
                await self._answer(peer, asked)
            await peer.finish()
        except BadRequest as problem:
            with suppress(Gone):
                body = f"{problem.reason}\n".encode()
                await peer.send(wire(Reply(status=problem.status, body=body, content_type="text/plain")))
                await peer.finish()
        except Gone:
            pass
        finally:
            peer.close()
            self._peers.discard(peer)

    async def _answer(self, peer: Peer, asked: Asked) -> None:
        name, slash, rest = asked.target[1:].partition("/")
        upstream = self._upstreams.get(name) or self._upstreams.get(name.partition("?")[0])
        if upstream is None:
            await peer.send(wire(self._control.reply(name.partition("?")[0], asked)))
            return
        target = slash + rest if slash else "/" + name[len(upstream.name) :]
        asked = Asked(method=asked.method, target=target, headers=asked.headers, body=asked.body)
        self.log[upstream.name].add(asked)
        if asked.method == "HEAD":
            await peer.send(upstream.whole(asked).partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        elif self.faults.any(upstream.name):
            await self._befall(peer, upstream, asked)
        else:
            await peer.send(upstream.whole(asked))

    async def _befall(self, peer: Peer, upstream: Upstream, asked: Asked) -> None:
        """Answer with whatever fault's turn it is."""
        turn = self.faults.turn(upstream.name, is_call=upstream.is_call(asked))
        if turn.delay_s:
            await peer.pause(turn.delay_s)
        if turn.fault is None:
            await peer.send(upstream.whole(asked))
            return
        reply = altered(turn.fault, upstream, asked, f"{self.url}/__trap/{upstream.name}")
        if isinstance(turn.fault, Progress) and isinstance(upstream, McpUpstream):
            await streamed(peer, upstream.progress(asked, turn.fault.frames), reply, turn.fault.interval_ms / 1000)
        else:
            await travel(turn.fault, peer, reply)


def _first(default: Any) -> str:
    return str(default if isinstance(default, str) else next(iter(default or ()), ""))
