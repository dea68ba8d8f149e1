"""Cancelled at any await, a request leaves no socket, no task and no slot behind."""

from __future__ import annotations

import gc
import random

import anyio
import httpx
import psutil
import pytest

import loopback
from fanseek.http.inflate import read_body
from loopback import responder, response, serve


class CancelledAt:
    """A coroutine whose scope is cancelled when it awaits the loop for the n-th time."""

    def __init__(self, coroutine, scope, nth) -> None:
        self.coroutine = coroutine
        self.scope = scope
        self.left = nth

    def __await__(self):
        steps = self.coroutine.__await__()
        step, argument = steps.send, None
        while True:
            try:
                yielded = step(argument)
            except StopIteration as end:
                return end.value
            self.left -= 1
            if not self.left:
                self.scope.cancel()
            try:
                argument = yield yielded
                step = steps.send
            except BaseException as problem:  # noqa: BLE001 - it is handed on
                argument = problem
                step = steps.throw


def sockets() -> int:
    gc.collect()
    return len([1 for entry in psutil.Process().net_connections("inet") if entry.status == "ESTABLISHED"])


async def slow(request):
    """An answer in pieces that takes several turns of the loop."""
    await anyio.lowlevel.checkpoint()
    return response(b"x" * 200_000, chunk=1000)


@pytest.mark.parametrize("secure", [False, True])
@pytest.mark.parametrize("kept", [False, True])
async def test_cancelled_at_every_await(make_transport, secure, kept):
    transport = make_transport(ssl_context=loopback.client_context())
    tls = loopback.server_context() if secure else None
    async with serve(responder(slow), tls=tls) as server:
        url = server.url.replace("127.0.0.1", "localhost")

        async def fetch():
            answer = await transport.handle_async_request(httpx.Request("POST", url, content=b"y" * 1000))
            return len(await read_body(answer, 1_000_000))

        nth, lengths = 0, []
        while not lengths:
            nth += 1
            if kept:
                await fetch()
            with anyio.CancelScope() as scope:
                lengths.append(await CancelledAt(fetch(), scope, nth))
            if not lengths:
                await server.until_open(0)
            assert not transport._pool._in_use
            assert all(not lane.busy for lane in transport._pool._lanes.values())
        assert nth > (2 if kept else 6)
        assert lengths == [200_000]
        await transport.aclose()
        await server.until_open(0)
    assert sockets() == 0


async def test_cancelled_at_random_moments_in_a_crowd(make_transport):
    """Sixty rounds of twelve requests on four slots, each cancelled at an await of its own."""
    chance = random.Random(20261130)
    transport = make_transport(max_per_origin=4, max_idle_per_origin=3)
    done = 0

    async def fetch(url, nth):
        nonlocal done
        with anyio.CancelScope() as scope:
            await CancelledAt(whole(url), scope, nth)
            done += 1

    async def whole(url):
        answer = await transport.handle_async_request(httpx.Request("GET", url))
        assert len(await read_body(answer, 1_000_000)) == 200_000

    async with serve(responder(slow)) as server:
        for _ in range(60):
            async with anyio.create_task_group() as tasks:
                for _ in range(12):
                    tasks.start_soon(fetch, server.url, chance.choice([1, 2, 3, 4, 5, 6, 8, 10, 13, 17, 1000]))
            assert not transport._pool._in_use
            assert all(not lane.busy and not lane.queue for lane in transport._pool._lanes.values())
            assert len(transport._pool._by_age) <= 3
        assert done > 60
        await transport.aclose()
        await server.until_open(0)
    assert sockets() == 0
