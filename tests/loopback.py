"""Servers on loopback, down to the byte: a handler has the accepted stream and misbehaves as it likes."""

from __future__ import annotations

import functools
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Self

import anyio
import trustme
from anyio.abc import ByteStream, SocketAttribute
from anyio.streams.tls import TLSStream

Handler = Callable[[ByteStream], Awaitable[None]]
GONE = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, ssl.SSLError)


class Server:
    """What a running server knows of itself."""

    def __init__(self, host: str, port: int, scheme: str) -> None:
        self.host = host
        self.port = port
        self.url = f"{scheme}://{'[' + host + ']' if ':' in host else host}:{port}"
        self.connections = 0
        """Accepted so far."""
        self.open = 0
        """Open now."""
        self.requests: list[Request] = []
        """Read so far by `responder`."""
        self._changed = anyio.Event()

    async def until_open(self, count: int) -> None:
        """Wait until exactly `count` connections are open."""
        with anyio.fail_after(10):
            while self.open != count:
                await self._changed.wait()

    def _count(self, step: int) -> None:
        self.open += step
        self.connections += step > 0
        self._changed.set()
        self._changed = anyio.Event()


class Request:
    """One request as the server read it."""

    def __init__(self, head: bytes, body: bytes) -> None:
        self.head = head
        self.body = body
        self.method, self.target, _ = head.split(b"\r\n", 1)[0].split(b" ", 2)
        pairs = (line.split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
        self.headers = {name.lower(): value for name, value in pairs}


@asynccontextmanager
async def serve(
    handler: Handler, *, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[Server]:
    """A server whose every connection is `handler`'s; it is closed when the handler returns."""
    async with await anyio.create_tcp_listener(local_host=host) as listener, anyio.create_task_group() as tasks:
        server = Server(host, listener.extra(SocketAttribute.local_port), "https" if tls else "http")

        async def accept(stream: ByteStream) -> None:
            server._count(1)
            try:
                async with stream:
                    if tls is not None:
                        stream = await TLSStream.wrap(
                            stream, server_side=True, ssl_context=tls, standard_compatible=False
                        )
                    await handler(stream)
            except GONE:
                pass
            finally:
                server._count(-1)

        handler = functools.partial(handler, server) if getattr(handler, "wants_server", False) else handler
        tasks.start_soon(listener.serve, accept)
        yield server
        tasks.cancel_scope.cancel()


def responder(answer: Callable[[Request], bytes | Awaitable[bytes]]) -> Handler:
    """A handler that keeps the connection, reads requests whole and writes `answer`'s raw bytes for each.

    It closes after an answer that says `Connection: close`.
    """

    async def converse(server: Server, stream: ByteStream) -> None:
        async for request in requests(stream):
            server.requests.append(request)
            raw = answer(request)
            raw = raw if isinstance(raw, bytes) else await raw
            await stream.send(raw)
            if b"connection: close" in raw.partition(b"\r\n\r\n")[0].lower():
                return

    converse.wants_server = True
    return converse


class requests:  # noqa: N801 - reads as what it gives
    """Each request that comes, whole, its body decoded from chunks, until the client closes."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._pending = b""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Request:
        pending, stream = self._pending, self._stream
        while b"\r\n\r\n" not in pending:
            try:
                pending += await stream.receive()
            except anyio.EndOfStream:
                raise StopAsyncIteration from None
        head, _, pending = pending.partition(b"\r\n\r\n")
        request = Request(head, b"")
        if request.headers.get(b"transfer-encoding") == b"chunked":
            while not pending.endswith(b"0\r\n\r\n"):
                pending += await stream.receive()
            chunks, pending = pending.split(b"\r\n"), b""
            request.body = b"".join(chunks[1:-2:2])
        else:
            length = int(request.headers.get(b"content-length", b"0"))
            while len(pending) < length:
                pending += await stream.receive()
            request.body, pending = pending[:length], pending[length:]
        self._pending = pending
        return request


async def request_head(stream: ByteStream) -> bytes:
    """The bytes of one bodiless request."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += await stream.receive()
    return head


def response(
    body: bytes = b"", *, status: int = 200, headers: Iterable[tuple[str, str]] = (), chunk: int | None = None
) -> bytes:
    """A whole response, with Content-Length, or in chunks of `chunk` bytes."""
    lines = [f"HTTP/1.1 {status} Status", *(f"{name}: {value}" for name, value in headers)]
    lines.append(f"Content-Length: {len(body)}" if chunk is None else "Transfer-Encoding: chunked")
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    if chunk is None:
        return head + body
    pieces = (body[start : start + chunk] for start in range(0, len(body), chunk))
    return head + b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


@functools.cache
def authority() -> trustme.CA:
    """The certificate authority of all tests."""
    return trustme.CA()


def server_context(*names: str, version: ssl.TLSVersion | None = None) -> ssl.SSLContext:
    """A server's TLS context with a certificate for `names`; at most `version` of TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["http/1.1"])
    if version is not None:
        context.maximum_version = version
    authority().issue_cert(*names or ("127.0.0.1", "localhost")).configure_cert(context)
    return context


def client_context() -> ssl.SSLContext:
    """A client's TLS context that trusts `authority` and nobody else."""
    context = ssl.create_default_context()
    authority().configure_trust(context)
    return context
