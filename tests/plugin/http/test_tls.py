"""TLS: who is trusted, what is said in the handshake, and how the next one is shortened."""

from __future__ import annotations

import ssl

import anyio
import httpx
import pytest
from anyio.streams.tls import TLSAttribute

import loopback
from fanseek.http.inflate import read_body
from fanseek.http.tls import Sessions
from loopback import request_head, responder, response, serve

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
CLOSING = OK.replace(b"OK\r\n", b"OK\r\nConnection: close\r\n")


async def get(transport, url, **options):
    answer = await transport.handle_async_request(httpx.Request("GET", url, **options))
    return await read_body(answer, 10_000_000)


async def test_large_bodies_both_ways_over_one_connection(make_transport):
    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(responder(lambda request: response(request.body)), tls=loopback.server_context()) as server:
        for size in (1, 16_384, 1_000_000):
            answer = await transport.handle_async_request(
                httpx.Request("POST", server.url, content=b"z" * size, headers={"X": "1"})
            )
            assert await read_body(answer, size) == b"z" * size
    assert server.connections == 1


async def test_name_and_protocol_in_the_handshake(make_transport):
    said = []
    context = loopback.server_context("localhost")
    context.sni_callback = lambda _object, name, _context: said.append(name)

    async def handler(stream):
        said.append(stream.extra(TLSAttribute.alpn_protocol))
        await request_head(stream)
        await stream.send(OK)

    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(handler, tls=context) as server:
        assert await get(transport, f"https://localhost:{server.port}/") == b"hi"
    assert said == ["localhost", "http/1.1"]


async def test_sni_hostname_extension_names_whom_to_verify(make_transport):
    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(responder(lambda _: OK), tls=loopback.server_context("bücher.example")) as server:
        assert await get(transport, server.url, extensions={"sni_hostname": "xn--bcher-kva.example"}) == b"hi"
        with pytest.raises(httpx.ConnectError):
            await get(transport, server.url)


@pytest.mark.parametrize("names", [("example.test",), ("127.0.0.2",)])
async def test_certificate_for_another_name_is_refused(make_transport, names):
    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(responder(lambda _: OK), tls=loopback.server_context(*names)) as server:
        with pytest.raises(httpx.ConnectError, match="certificate"):
            await get(transport, server.url, headers={"Authorization": "CANARY"})
        await server.until_open(0)
    assert not server.requests


async def test_default_context_trusts_no_stranger_but_ssl_cert_file(make_transport, monkeypatch, tmp_path):
    pem = tmp_path / "authority.pem"
    loopback.authority().cert_pem.write_to_path(pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(pem))
    async with serve(responder(lambda _: OK), tls=loopback.server_context()) as server:
        assert await get(make_transport(trust_env=True), server.url) == b"hi"
        with pytest.raises(httpx.ConnectError, match="certificate"):
            await get(make_transport(trust_env=False), server.url)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
async def test_second_connection_resumes_the_session(make_transport, version):
    resumed = []

    async def handler(stream):
        said = stream.extra(TLSAttribute.ssl_object)
        resumed.append((said.version(), said.session_reused))
        await request_head(stream)
        await stream.send(CLOSING)

    transport = make_transport(ssl_context=loopback.client_context())
    async with (
        serve(handler, tls=loopback.server_context(version=version)) as server,
        serve(handler, tls=loopback.server_context(version=version)) as other,
    ):
        for url in (server.url, server.url, server.url, other.url, server.url):
            assert await get(transport, url) == b"hi"
    name = {ssl.TLSVersion.TLSv1_2: "TLSv1.2", ssl.TLSVersion.TLSv1_3: "TLSv1.3"}[version]
    assert resumed == [(name, False), (name, True), (name, True), (name, False), (name, True)]


async def test_session_the_server_no_longer_knows_costs_only_a_full_handshake(make_transport):
    resumed = []

    async def handler(stream):
        resumed.append(stream.extra(TLSAttribute.ssl_object).session_reused)
        await request_head(stream)
        await stream.send(CLOSING)

    transport = make_transport(ssl_context=loopback.client_context())
    contexts = [loopback.server_context(), loopback.server_context()]
    async with serve(handler, tls=contexts[0]) as first, serve(handler, tls=contexts[1]) as second:
        await get(transport, first.url)
        sessions = transport._connector._sessions
        old, new = (
            key._replace(port=port) for port in (first.port, second.port) for key in [next(iter(sessions._sessions))]
        )
        sessions.keep(new, sessions.get(old))
        assert await get(transport, second.url) == b"hi"
    assert resumed == [False, False]


async def test_kept_connection_survives_tickets_and_closing_is_noticed(make_transport):
    """TLS 1.3 sends session tickets after the handshake: they are no unasked-for answer."""
    closed = anyio.Event()

    async def handler(stream):
        for _ in range(2):
            await request_head(stream)
            await stream.send(OK)
        await stream.aclose()
        closed.set()

    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(handler, tls=loopback.server_context()) as server:
        for count in (1, 1, 2):
            assert await get(transport, server.url) == b"hi"
            assert server.connections == count
            if closed.is_set():
                await server.until_open(count - 1)


async def test_unasked_bytes_under_tls_make_the_connection_unusable(make_transport):
    sent = anyio.Event()

    async def handler(stream):
        await request_head(stream)
        await stream.send(OK)
        await anyio.wait_all_tasks_blocked()
        await stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
        sent.set()
        await request_head(stream)

    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(handler, tls=loopback.server_context()) as server:
        assert await get(transport, server.url) == b"hi"
        await sent.wait()
        assert await get(transport, server.url) == b"hi"
    assert server.connections == 2


async def test_closing_says_good_bye(make_transport):
    """Without it a peer sees its stream broken off, not ended."""
    ends = []

    async def handler(stream):
        stream.standard_compatible = True
        await request_head(stream)
        await stream.send(CLOSING)
        try:
            await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError) as end:
            ends.append(type(end))

    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(handler, tls=loopback.server_context()) as server:
        assert await get(transport, server.url) == b"hi"
        await server.until_open(0)
    assert ends == [anyio.EndOfStream]


@pytest.mark.parametrize("raw", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x01\x00\x02\x02\x28"])
async def test_broken_handshake_is_a_connect_error(make_transport, raw):
    async def handler(stream):
        await stream.receive()
        await stream.send(raw or b"\x16")

    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(handler) as server:
        with pytest.raises(httpx.ConnectError):
            await get(transport, server.url.replace("http:", "https:"))
        await server.until_open(0)


@pytest.mark.parametrize("cut", ["Content-Length: 10", "Transfer-Encoding: chunked"])
async def test_cut_without_a_good_bye_is_a_protocol_error(make_transport, cut):
    async def handler(stream):
        await request_head(stream)
        await stream.send(f"HTTP/1.1 200 OK\r\n{cut}\r\n\r\n5\r\nhi".encode())
        await stream.transport_stream.aclose()

    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(handler, tls=loopback.server_context()) as server:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            await get(transport, server.url)


async def test_old_tls_is_refused(make_transport):
    context = loopback.server_context(version=ssl.TLSVersion.TLSv1_2)
    client = loopback.client_context()
    client.minimum_version = ssl.TLSVersion.TLSv1_3
    async with serve(responder(lambda _: OK), tls=context) as server:
        with pytest.raises(httpx.ConnectError):
            await get(make_transport(ssl_context=client), server.url)


async def test_sessions_forget_the_one_longest_unused(make_transport):
    transport = make_transport(ssl_context=loopback.client_context())
    async with serve(responder(lambda _: CLOSING), tls=loopback.server_context()) as server:
        await get(transport, server.url)
    session = next(iter(transport._connector._sessions._sessions.values()))
    sessions = Sessions(limit=2)
    sessions.keep("a", session)
    sessions.keep("b", session)
    assert sessions.get("a") is session
    sessions.keep("c", session)
    assert [sessions.get(origin) is session for origin in "abc"] == [True, False, True]
    sessions.keep("d", None)
    assert sessions.get("d") is None
