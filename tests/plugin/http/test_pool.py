"""Which connection a request goes over, and what happens to it afterwards."""

from __future__ import annotations

import socket
import struct

import anyio
import httpx
import pytest

import loopback
from fanseek.http.inflate import read_body
from loopback import request_head, responder, response, serve

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def get(transport, url, method="GET", **options):
    answer = await transport.handle_async_request(httpx.Request(method, url, **options))
    return await read_body(answer, 1_000_000)


async def test_connections_are_kept_per_origin(transport):
    async with serve(responder(lambda _: response(b"a"))) as one, serve(responder(lambda _: response(b"b"))) as two:
        for _ in range(5):
            assert (await get(transport, one.url), await get(transport, two.url)) == (b"a", b"b")
        assert (one.connections, two.connections) == (1, 1)


@pytest.mark.parametrize("asked_by", ["server", "client"])
async def test_connection_close_is_honoured(transport, asked_by):
    headers = [("Connection", "Close")]
    answer = response(b"a", headers=headers if asked_by == "server" else [])
    async with serve(responder(lambda _: answer)) as server:
        for _ in range(2):
            await get(transport, server.url, headers=headers if asked_by == "client" else [])
            await server.until_open(0)
    assert server.connections == 2


async def test_waiting_for_a_slot_is_no_failure(make_transport):
    """BC-052: 25 calls, 5 slots, a pool limit far shorter than the wait."""
    transport = make_transport(max_per_origin=5, connect_timeout_s=1)
    at_once = most = 0

    async def answer(_):
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await anyio.sleep(0.3)
        at_once -= 1
        return response(b"ok")

    got = []
    async with serve(responder(answer)) as server, anyio.create_task_group() as tasks:

        async def ask():
            extensions = {"timeout": {"connect": 1, "read": 30, "write": 30, "pool": 0.05}}
            got.append(await get(transport, server.url, extensions=extensions))

        for _ in range(25):
            tasks.start_soon(ask)
    assert got == [b"ok"] * 25
    assert most == server.connections == 5


async def test_cancelled_waiters_leave_the_queue_and_pass_their_slot_on(make_transport):
    transport = make_transport(max_per_origin=1)
    release = anyio.Event()

    async def answer(_):
        await release.wait()
        return response(b"ok")

    got = []

    async def ask(url, scope):
        with scope:
            got.append(await get(transport, url))

    async with serve(responder(answer)) as server, anyio.create_task_group() as tasks:
        scopes = [anyio.CancelScope() for _ in range(4)]
        for scope in scopes:
            tasks.start_soon(ask, server.url, scope)
            await anyio.wait_all_tasks_blocked()
        scopes[1].cancel()
        await anyio.wait_all_tasks_blocked()
        scopes[0].cancel()
        scopes[2].cancel()
        release.set()
    assert got == [b"ok"]
    assert not transport._pool._lanes or all(not lane.busy for lane in transport._pool._lanes.values())


async def test_idle_connection_closed_by_the_server_is_noticed_before_use(transport):
    async def handler(stream):
        await request_head(stream)
        await stream.send(OK)

    async with serve(handler) as server:
        for count in (1, 2, 3):
            assert await get(transport, server.url) == b"hi"
            assert server.connections == count
            await server.until_open(0)


@pytest.mark.parametrize("together", [True, False])
async def test_bytes_nobody_asked_for_make_a_connection_unusable(transport, together):
    forged = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
    sent = anyio.Event()

    async def handler(stream):
        await request_head(stream)
        await stream.send(OK + forged if together else OK)
        if not together:
            await anyio.wait_all_tasks_blocked()
            await stream.send(forged)
        sent.set()
        while True:
            await request_head(stream)
            await stream.send(OK)

    async with serve(handler) as server:
        assert await get(transport, server.url) == b"hi"
        await sent.wait()
        await anyio.wait_all_tasks_blocked()
        assert await get(transport, server.url) == b"hi"
        assert server.connections == 2


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_kept_connection_that_dies_unanswered_is_replaced_once(transport, method):
    """The keep-alive race: the server closes just as the next request is on its way."""
    seen = []

    async def handler(stream):
        async for request in loopback.requests(stream):
            seen.append(request.body)
            if len(seen) in {2, 3}:
                return
            await stream.send(OK)

    async with serve(handler) as server:
        assert await get(transport, server.url, method, content=b"1") == b"hi"
        with pytest.raises(httpx.RemoteProtocolError, match="unanswered"):
            await get(transport, server.url, method, content=b"2")
        assert seen == [b"1", b"2", b"2"]
        assert await get(transport, server.url, method, content=b"3") == b"hi"
        assert server.connections == 3


@pytest.mark.parametrize("reset", [False, True])
async def test_kept_connection_that_dies_once_is_nobodys_failure(transport, reset):
    seen = 0

    async def handler(stream):
        nonlocal seen
        async for _ in loopback.requests(stream):
            seen += 1
            if seen == 2:
                if reset:
                    raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return
            await stream.send(OK)

    async with serve(handler) as server:
        assert [await get(transport, server.url) for _ in range(3)] == [b"hi"] * 3
    assert (seen, server.connections) == (4, 2)


@pytest.mark.parametrize(
    "start", [b"H", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"]
)
async def test_nothing_is_sent_again_after_a_byte_of_an_answer(transport, start):
    seen = 0

    async def handler(stream):
        nonlocal seen
        async for _ in loopback.requests(stream):
            seen += 1
            if seen == 2:
                await stream.send(start)
                return
            await stream.send(OK)

    async with serve(handler) as server:
        await get(transport, server.url)
        with pytest.raises(httpx.RemoteProtocolError):
            await get(transport, server.url)
    assert seen == 2


async def test_silence_on_a_kept_connection_is_a_timeout_and_not_sent_again(make_transport):
    transport = make_transport(read_timeout_s=0.1)
    seen = 0

    async def handler(stream):
        nonlocal seen
        async for _ in loopback.requests(stream):
            seen += 1
            if seen == 1:
                await stream.send(OK)

    async with serve(handler) as server:
        await get(transport, server.url)
        with pytest.raises(httpx.ReadTimeout):
            await get(transport, server.url)
        await server.until_open(0)
    assert seen == 2


async def test_connection_whose_answer_was_not_read_is_closed(transport):
    async with serve(responder(lambda _: response(b"x" * 3_000_000))) as server:
        for count in (1, 2):
            answer = await transport.handle_async_request(httpx.Request("GET", server.url))
            await answer.aclose()
            assert server.connections == count
            await server.until_open(0)


async def test_idle_connections_age(make_transport):
    clock = Clock()
    transport = make_transport(keepalive_s=30, clock=clock)
    async with serve(responder(lambda _: response(b"a"))) as one, serve(responder(lambda _: response(b"b"))) as two:
        await get(transport, one.url)
        clock.now += 29
        await get(transport, one.url)
        assert one.connections == 1
        clock.now += 31
        await get(transport, two.url)
        await one.until_open(0)
        assert two.open == 1
        clock.now += 31
        await get(transport, two.url)
        assert two.connections == 2
    assert len(transport._pool._lanes) == 1


async def test_at_most_so_many_are_kept_idle(make_transport):
    transport = make_transport(max_idle_per_origin=2)
    gate = anyio.Event()

    async def answer(_):
        await gate.wait()
        return response(b"a")

    async with serve(responder(answer)) as server:
        async with anyio.create_task_group() as tasks:
            for _ in range(6):
                tasks.start_soon(get, transport, server.url)
            await server.until_open(6)
            gate.set()
        await server.until_open(2)


async def test_no_trace_of_origins_that_are_no_longer_used(transport):
    for _ in range(20):
        async with serve(responder(lambda _: response(b"a", headers=[("Connection", "close")]))) as server:
            await get(transport, server.url)
    assert not transport._pool._lanes
    assert not transport._pool._by_age
    assert not transport._pool._in_use


async def test_closing_the_transport_ends_what_is_in_flight(transport):
    caught = []

    async def ask(url):
        with pytest.raises(httpx.ReadError) as failure:
            await get(transport, url)
        caught.append(failure.value)

    async def handler(stream):
        await stream.receive()
        await stream.receive()

    async with serve(handler) as server:
        async with anyio.create_task_group() as tasks:
            for _ in range(3):
                tasks.start_soon(ask, server.url)
            await server.until_open(3)
            await anyio.wait_all_tasks_blocked()
            await transport.aclose()
        await server.until_open(0)
    assert len(caught) == 3
    with pytest.raises(RuntimeError, match="closed"):
        await get(transport, server.url)
