"""Which of a host's addresses is taken, and that no other socket is left."""

from __future__ import annotations

import gc
import socket

import anyio
import psutil
import pytest

from fanseek.http import dial as dialling
from fanseek.http.dial import dial
from loopback import serve


async def quiet(stream):
    await stream.receive()


def sockets() -> int:
    gc.collect()
    return len(psutil.Process().net_connections("inet"))


def named(monkeypatch, *addresses):
    """Let every name stand for `addresses`: (host, port) pairs."""

    async def addresses_of(_host, _port):
        return [(socket.AF_INET6 if ":" in host else socket.AF_INET, (host, port)) for host, port in addresses]

    monkeypatch.setattr(dialling, "_addresses", addresses_of)


@pytest.fixture
def full():
    """An address where connecting never ends: its queue of connections is full."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(listener.getsockname())
        yield listener.getsockname()
        for one in waiting:
            one.close()


async def test_a_literal_address_and_a_name():
    async with serve(quiet) as server:
        for host in ("127.0.0.1", "localhost"):
            with await dial(host, server.port) as connected:
                assert connected.getpeername() == ("127.0.0.1", server.port)
                assert connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                assert connected.gettimeout() == 0


async def test_ipv6_literal():
    async with serve(quiet, host="::1") as server:
        with await dial("::1", server.port) as connected:
            assert connected.getpeername()[:2] == ("::1", server.port)


async def test_families_take_turns(monkeypatch):
    async def resolved(*_args, **_options):
        found = ["1.1.1.1", "1.1.1.2", "1.1.1.3", "::1", "::2"]
        families = (socket.AF_INET6 if ":" in host else socket.AF_INET for host in found)
        return [(family, 1, 6, "", (host, 80)) for family, host in zip(families, found, strict=True)]

    monkeypatch.setattr(anyio, "getaddrinfo", resolved)
    order = [address[1][0] for address in await dialling._addresses("example.test", 80)]
    assert order == ["::1", "1.1.1.1", "::2", "1.1.1.2", "1.1.1.3"]


async def test_refused_address_is_passed_over_at_once(monkeypatch):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        async with serve(quiet) as server:
            named(monkeypatch, closed.getsockname(), ("127.0.0.1", server.port))
            with await dial("example.test", 80) as connected:
                assert connected.getpeername()[1] == server.port


async def test_silent_address_holds_nobody_up(monkeypatch, full):
    before = sockets()
    async with serve(quiet) as server:
        named(monkeypatch, full, full, ("127.0.0.1", server.port))
        with anyio.fail_after(10):
            connected = await dial("example.test", 80)
        with connected:
            assert connected.getpeername()[1] == server.port
        await server.until_open(0)
    assert sockets() == before


async def test_all_refused_is_the_systems_error(monkeypatch):
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        named(monkeypatch, closed.getsockname(), closed.getsockname())
        with pytest.raises(ConnectionRefusedError):
            await dial("example.test", 80)
        with pytest.raises(ConnectionRefusedError):
            await dial(*closed.getsockname())


async def test_no_address_is_an_error(monkeypatch):
    named(monkeypatch)
    with pytest.raises(OSError, match="no address"):
        await dial("example.test", 80)


@pytest.mark.parametrize("count", [1, 3])
async def test_giving_up_leaves_no_socket(monkeypatch, full, count):
    before = sockets()
    named(monkeypatch, *[full] * count)
    with anyio.move_on_after(0.6) as scope:
        await dial("example.test", 80)
    assert scope.cancelled_caught
    assert sockets() == before
