"""Every step has its limit, and the caller's scope ends the whole."""

from __future__ import annotations

import socket

import anyio
import httpx
import pytest

import loopback
from fanseek.http.inflate import read_body
from fanseek.http.timeouts import Timeouts
from loopback import request_head, serve

OK = b"HTTP/1.1 200 OK\r\n"


async def silent(stream):
    """A server that accepts and says nothing."""
    while True:
        await stream.receive()


async def get(transport, url, **options):
    answer = await transport.handle_async_request(httpx.Request("GET", url, **options))
    return await read_body(answer, 1_000_000)


async def test_silent_server_is_a_read_timeout(make_transport):
    """BC-048 at this layer: a connection that is accepted and never answered."""
    transport = make_transport(read_timeout_s=0.1)
    async with serve(silent) as server:
        with pytest.raises(httpx.ReadTimeout) as caught:
            await get(transport, server.url)
        await server.until_open(0)
    assert caught.value.request.url == server.url


async def test_silence_in_the_body_is_a_read_timeout(make_transport):
    transport = make_transport(read_timeout_s=0.1)

    async def handler(stream):
        await request_head(stream)
        await stream.send(OK + b"Content-Length: 10\r\n\r\nhi")
        await silent(stream)

    async with serve(handler) as server:
        with pytest.raises(httpx.ReadTimeout):
            await get(transport, server.url)
        await server.until_open(0)


async def test_silence_in_the_handshake_is_a_connect_timeout(make_transport):
    transport = make_transport(connect_timeout_s=0.1, ssl_context=loopback.client_context())
    async with serve(silent) as server:
        with pytest.raises(httpx.ConnectTimeout):
            await get(transport, server.url.replace("http:", "https:"))
        await server.until_open(0)


async def test_server_that_stops_reading_is_a_write_timeout(make_transport):
    transport = make_transport(read_timeout_s=0.2)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        url = f"http://127.0.0.1:{deaf.getsockname()[1]}"
        with pytest.raises(httpx.WriteTimeout):
            await transport.handle_async_request(httpx.Request("POST", url, content=b"x" * 30_000_000))


async def drip(stream):
    """One byte every 20 ms, for ever."""
    await request_head(stream)
    await stream.send(OK + b"Content-Length: 1000000\r\n\r\n")
    while True:
        await stream.send(b"x")
        await anyio.sleep(0.02)


async def test_drip_fed_body_is_ended_by_the_callers_scope(make_transport):
    """BC-051: the read limit never strikes, the deadline does, and nothing raises on closing."""
    transport = make_transport(read_timeout_s=5)
    async with serve(drip) as server:
        with anyio.move_on_after(0.3) as scope:
            await get(transport, server.url)
        assert scope.cancelled_caught
        await server.until_open(0)
        await transport.aclose()


@pytest.mark.parametrize("kind", ["head", "body"])
async def test_the_callers_scope_is_no_timeout_of_ours(make_transport, kind):
    """BC-045: a scope of the caller's that is sooner than our limit shows as cancellation, never as httpx's timeout."""
    transport = make_transport(read_timeout_s=0.15)
    async with serve(silent if kind == "head" else drip) as server:
        with anyio.move_on_after(0.1) as scope:
            await get(transport, server.url)
        assert scope.cancelled_caught
        await server.until_open(0)


async def test_body_left_by_cancellation_holds_no_socket(make_transport):
    transport = make_transport(read_timeout_s=5)
    async with serve(drip) as server:
        answer = await transport.handle_async_request(httpx.Request("GET", server.url))
        with anyio.move_on_after(0.2) as scope:
            async for _ in answer.stream:
                pass
        assert scope.cancelled_caught
        await server.until_open(0)
        assert not transport._pool._in_use


async def test_slow_but_steady_is_not_a_timeout(make_transport):
    transport = make_transport(read_timeout_s=1)

    async def handler(stream):
        await request_head(stream)
        for byte in OK + b"Content-Length: 2\r\n\r\nhi":
            await stream.send(bytes([byte]))
            await anyio.sleep(0.03)

    async with serve(handler) as server:
        assert await get(transport, server.url) == b"hi"


async def test_httpx_timeout_extension_overrides(make_transport):
    transport = make_transport(read_timeout_s=30)
    limits = httpx.Timeout(10, read=0.1)
    async with serve(silent) as server, httpx.AsyncClient(transport=transport, timeout=limits) as client:
        with pytest.raises(httpx.ReadTimeout):
            await client.get(server.url)


def test_refined_limits():
    limits = Timeouts(connect=1, read=2, write=3)
    assert limits.refined({}) is limits
    assert limits.refined({"timeout": {"read": None, "pool": 0}}) == Timeouts(connect=1, read=None, write=3)
    assert limits.refined({"timeout": httpx.Timeout(7).as_dict()}) == Timeouts(connect=7, read=7, write=7)
