"""One exchange, as the server sees it and as the caller does."""

from __future__ import annotations

import socket
import struct

import anyio
import httpx
import pytest

import loopback
from fanseek.http.inflate import read_body
from loopback import request_head, responder, response, serve

OK = b"HTTP/1.1 200 OK\r\n"


def always(raw: bytes, *, then_close: bool = False):
    """A handler that answers every request with `raw`."""

    async def handler(stream):
        async for _ in loopback.requests(stream):
            await stream.send(raw)
            if then_close:
                return

    return handler


async def test_response_as_httpx_knows_it(fetch):
    raw = b"HTTP/1.1 203 Sort Of\r\nSet-Cookie: a=1\r\nX-A: \xe4\r\nSet-Cookie: b=2\r\nContent-Length: 2\r\n\r\nhi"
    async with serve(always(raw)) as server:
        answer, body = await fetch(server.url + "/p?q=1")
    assert (answer.status_code, answer.reason_phrase, answer.http_version, body) == (203, "Sort Of", "HTTP/1.1", b"hi")
    assert answer.headers.get_list("set-cookie") == ["a=1", "b=2"]
    assert answer.headers["x-a"] == "ä"


async def test_request_as_the_server_reads_it(fetch):
    async with serve(responder(lambda request: response(request.body))) as server:
        _, body = await fetch(server.url + "/p/%C3%A9?q=%E4%BD%A0", "POST", json={"k": "v"}, headers={"X-One": "1"})
    request = server.requests[0]
    assert (request.method, request.target) == (b"POST", b"/p/%C3%A9?q=%E4%BD%A0")
    assert request.headers[b"host"] == server.url.removeprefix("http://").encode()
    assert request.headers[b"x-one"] == b"1"
    assert body == request.body == b'{"k":"v"}'


async def test_streamed_request_body_goes_out_in_chunks(fetch):
    async def pieces():
        for piece in (b"one ", b"", b"two ", b"x" * 100_000):
            yield piece

    async with serve(responder(lambda request: response(request.body))) as server:
        _, body = await fetch(server.url, "POST", content=pieces())
    assert body == b"one two " + b"x" * 100_000
    assert server.requests[0].headers[b"transfer-encoding"] == b"chunked"


async def test_streamed_request_body_of_a_wrong_length_is_refused(fetch):
    class Pieces(httpx.AsyncByteStream):
        async def __aiter__(self):
            yield b"12345"

    async with serve(responder(lambda request: response(request.body))) as server:
        for length in ("4", "6"):
            with pytest.raises(httpx.LocalProtocolError):
                await fetch(server.url, "POST", stream=Pieces(), headers={"Content-Length": length})
        await server.until_open(0)


@pytest.mark.parametrize("chunk", [None, 1, 7, 4096, 100_000])
async def test_long_body(fetch, chunk):
    data = bytes(range(256)) * (20 if chunk == 1 else 1200)
    async with serve(responder(lambda _: response(data, chunk=chunk))) as server:
        for _ in range(2):
            _, body = await fetch(server.url)
            assert body == data
    assert server.connections == 1


async def test_chunk_extensions_and_trailers_are_dropped(fetch):
    raw = OK + b"Transfer-Encoding: Chunked\r\n\r\n2;a=b\r\nhi\r\n3  \r\n all\r\n0\r\nX-Trailer: 1\r\n\r\n"
    raw = raw.replace(b" all", b"all")
    async with serve(always(raw)) as server:
        answer, body = await fetch(server.url)
        await fetch(server.url)
    assert body == b"hiall"
    assert "x-trailer" not in answer.headers
    assert server.connections == 1


@pytest.mark.parametrize("version", [b"HTTP/1.1", b"HTTP/1.0"])
async def test_body_without_length_ends_with_the_connection(fetch, version):
    async with serve(always(version + b" 200 OK\r\n\r\n" + b"y" * 150_000, then_close=True)) as server:
        _, body = await fetch(server.url)
        await server.until_open(0)
    assert body == b"y" * 150_000


@pytest.mark.parametrize(
    ("method", "status", "headers"),
    [
        ("HEAD", 200, b"Content-Length: 500\r\n"),
        ("HEAD", 200, b"Transfer-Encoding: chunked\r\n"),
        ("HEAD", 200, b""),
        ("GET", 204, b""),
        ("GET", 304, b"Content-Length: 500\r\n"),
        ("GET", 200, b"Content-Length: 0\r\n"),
    ],
)
async def test_answers_without_a_body_leave_the_connection_usable(fetch, method, status, headers):
    async with serve(always(b"HTTP/1.1 %d X\r\n%b\r\n" % (status, headers))) as server:
        for _ in range(2):
            answer, body = await fetch(server.url, method)
            assert (answer.status_code, body) == (status, b"")
    assert server.connections == 1


async def test_interim_responses_are_skipped(fetch):
    interim = b"HTTP/1.1 100 Continue\r\n\r\n" + b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 3

    async def handler(stream):
        async for _ in loopback.requests(stream):
            await stream.send(interim)
            await anyio.wait_all_tasks_blocked()
            await stream.send(OK + b"Content-Length: 2\r\n\r\nhi")

    async with serve(handler) as server:
        for _ in range(2):
            answer, body = await fetch(server.url)
            assert (answer.status_code, body, "link" in answer.headers) == (200, b"hi", False)
    assert server.connections == 1


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"HTTP/1.1 20",
        OK + b"Content-Length: 10\r\n",
        OK + b"Content-Length: 10\r\n\r\nhi",
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhi",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n",
        b"HTTP/1.1 103 Early Hints\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
)
async def test_answer_cut_short_is_a_protocol_error(fetch, raw):
    async with serve(always(raw, then_close=True)) as server:
        with pytest.raises(httpx.RemoteProtocolError) as caught:
            await fetch(server.url)
        await server.until_open(0)
    assert caught.value.request.url == server.url


async def test_reset_while_reading_is_a_read_error(fetch):
    async def handler(stream):
        await request_head(stream)
        await stream.send(OK + b"Content-Length: 1000\r\n\r\nhi")
        raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    async with serve(handler) as server:
        with pytest.raises(httpx.ReadError):
            await fetch(server.url)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:{closed}/", "http://no-such-host.invalid/", f"http://{'a' * 64}.test/"]
)
async def test_unreachable_is_a_connect_error_without_the_url(fetch, url):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(httpx.ConnectError) as caught:
            await fetch(url.format(closed=unused.getsockname()[1]) + "?key=CANARY", headers={"Authorization": "CANARY"})
    assert "CANARY" not in str(caught.value)


async def test_unsupported_schemes_are_refused(transport):
    for url in ("ftp://127.0.0.1/", "/relative", "file:///etc/hostname"):
        with pytest.raises(httpx.UnsupportedProtocol):
            await transport.handle_async_request(httpx.Request("GET", url))


async def test_early_answer_to_a_request_the_server_stops_reading(fetch):
    async def handler(stream):
        await request_head(stream)
        await stream.send(b"HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig")
        raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
        raw.shutdown(socket.SHUT_RD)
        with anyio.move_on_after(0.2):
            await anyio.sleep_forever()

    async with serve(handler) as server:
        for connections in (1, 2):
            try:
                answer, body = await fetch(server.url, "POST", content=b"x" * 20_000_000)
            except (httpx.WriteError, httpx.ReadError):
                pass
            else:
                assert (answer.status_code, body) == (413, b"big")
            assert server.connections == connections


async def test_hosts_in_any_script_are_asked_by_their_idna_name(make_transport):
    asked = []
    transport = make_transport()
    transport._connector.connect = lambda origin, _timeout: _refuse(asked, origin)
    for url in ("http://bücher.example/", "http://例え.テスト/", "http://[::1]:8080/", "http://EXAMPLE.test:80/"):
        with pytest.raises(httpx.ConnectError):
            await transport.handle_async_request(httpx.Request("GET", url))
    assert asked == [
        ("xn--bcher-kva.example", 80),
        ("xn--r8jz45g.xn--zckzah", 80),
        ("::1", 8080),
        ("example.test", 80),
    ]


async def _refuse(asked, origin):
    asked.append((origin.host, origin.port))
    raise httpx.ConnectError("refused")


async def test_ipv6(fetch):
    async with serve(responder(lambda _: response(b"six")), host="::1") as server:
        _, body = await fetch(server.url)
    assert body == b"six"
    assert server.requests[0].headers[b"host"] == f"[::1]:{server.port}".encode()


async def test_under_an_httpx_client(make_transport):
    async with (
        serve(responder(lambda request: response(request.target, chunk=3))) as server,
        httpx.AsyncClient(transport=make_transport(), base_url=server.url) as client,
    ):
        assert (await client.get("/a", params={"q": "b c"})).text == "/a?q=b+c"
        async with client.stream("GET", "/s") as answer:
            assert [piece async for piece in answer.aiter_raw()] == [b"/s"]
    assert server.connections == 1


async def test_many_at_once(fetch):
    """32 searches over 11 origins at once: every answer arrives and belongs to its request."""
    async with anyio.create_task_group() as tasks, _eleven() as servers:
        answers = []

        async def ask(server, number):
            _, body = await fetch(f"{server.url}/{number}")
            answers.append((server.port, body.split()[0], number))

        async with anyio.create_task_group() as asking:
            for number in range(32):
                for server in servers:
                    asking.start_soon(ask, server, number)
        tasks.cancel_scope.cancel()
    assert len(answers) == 32 * 11
    assert all(body == b"/%d" % number for _, body, number in answers)


def _eleven():
    from contextlib import AsyncExitStack, asynccontextmanager

    @asynccontextmanager
    async def opened():
        async with AsyncExitStack() as stack:
            answer = responder(lambda request: response(request.target + b" " + b"x" * 20_000))
            yield [await stack.enter_async_context(serve(answer)) for _ in range(11)]

    return opened()


async def test_closed_body_is_not_read_on(transport):
    async with serve(always(OK + b"Content-Length: 1000000\r\n\r\nhi")) as server:
        answer = await transport.handle_async_request(httpx.Request("GET", server.url))
        await answer.aclose()
        await server.until_open(0)
        with pytest.raises(httpx.ReadError):
            async for _ in answer.stream:
                pass


async def test_read_body_closes_the_response(transport):
    async with serve(always(OK + b"Content-Length: 2\r\n\r\nhi")) as server:
        answer = await transport.handle_async_request(httpx.Request("GET", server.url))
        assert await read_body(answer, 2) == b"hi"
    assert answer.is_closed
