"""Proxies on loopback that work, refuse or hang, and what stands behind them."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Literal

import anyio
from anyio.abc import ByteStream
from anyio.from_thread import start_blocking_portal

from loopback import Server, request_head, serve, server_context

Manner = Literal["works", "refuses", "hangs"]

REFUSAL = b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"


@asynccontextmanager
async def tunnel(host: str, port: int, manner: Manner = "works") -> AsyncIterator[tuple[Server, list[bytes]]]:
    """A CONNECT proxy that leads everywhere to `host` and `port`, with the heads it gets."""
    heads: list[bytes] = []

    async def converse(stream: ByteStream) -> None:
        heads.append(await request_head(stream))
        if manner == "hangs":
            await anyio.sleep_forever()
        if manner == "refuses":
            await stream.send(REFUSAL)
            return
        await stream.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await _joined(stream, host, port)

    async with serve(converse) as server:
        yield server, heads


@asynccontextmanager
async def behind_tls(port: int, *names: str) -> AsyncIterator[Server]:
    """A TLS server with a certificate for `names` that hands everything on to `port`."""

    async def converse(stream: ByteStream) -> None:
        await _joined(stream, "127.0.0.1", port)

    async with serve(converse, tls=server_context(*names)) as server:
        yield server


async def _joined(stream: ByteStream, host: str, port: int) -> None:
    async with await anyio.connect_tcp(host, port) as beyond, anyio.create_task_group() as tasks:
        tasks.start_soon(_pump, beyond, stream, tasks.cancel_scope)
        await _pump(stream, beyond, tasks.cancel_scope)


async def _pump(source: ByteStream, sink: ByteStream, scope: anyio.CancelScope) -> None:
    try:
        while True:
            await sink.send(await source.receive())
    except (anyio.EndOfStream, anyio.ClosedResourceError, anyio.BrokenResourceError):
        scope.cancel()


@contextmanager
def way_through(port: int, manner: Manner, *names: str) -> Iterator[tuple[Server, list[bytes]]]:
    """In a thread: a CONNECT proxy to a TLS server for `names` that hands on to `port`."""

    @asynccontextmanager
    async def both() -> AsyncIterator[tuple[Server, list[bytes]]]:
        async with behind_tls(port, *names) as front, tunnel(front.host, front.port, manner) as proxy:
            yield proxy

    with start_blocking_portal() as portal, portal.wrap_async_context_manager(both()) as proxy:
        yield proxy


@contextmanager
def closed_port() -> Iterator[int]:
    """A port where nobody listens, held for as long."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        yield unused.getsockname()[1]
