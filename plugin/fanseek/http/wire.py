"""A connected socket, plain or under TLS, whose closing needs no await: cancellation cannot leave it open."""

from __future__ import annotations

import contextlib
import socket
import ssl

import anyio

READ_SIZE = 65_536


class Wire:
    """Bytes to and from one peer. Raises OSError when broken, anyio.ClosedResourceError when closed meanwhile."""

    __slots__ = ("_socket",)

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected

    @property
    def closed(self) -> bool:
        """Whether the socket is gone."""
        return self._socket.fileno() < 0

    async def receive(self) -> bytes:
        """The next bytes; b"" when the peer has closed."""
        while True:
            await anyio.wait_readable(self._socket)
            try:
                return self._socket.recv(READ_SIZE)
            except BlockingIOError:
                continue

    async def send(self, data: bytes) -> None:
        """Write all of `data`."""
        rest = memoryview(data)
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._socket)

    def quiet(self) -> bool:
        """Whether an idle connection is still open and has said nothing unasked."""
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def close(self) -> None:
        """Close at once; whoever waits on it gets anyio.ClosedResourceError. Idempotent."""
        if not self.closed:
            anyio.notify_closing(self._socket)
            self._socket.close()


class TLSWire(Wire):
    """A wire under TLS, verified for `host` (DNS name or address). `handshake` comes first."""

    __slots__ = ("_ended", "_incoming", "_object", "_outgoing")

    def __init__(
        self, connected: socket.socket, context: ssl.SSLContext, host: str, session: ssl.SSLSession | None
    ) -> None:
        super().__init__(connected)
        self._incoming = ssl.MemoryBIO()
        self._outgoing = ssl.MemoryBIO()
        self._object = context.wrap_bio(self._incoming, self._outgoing, server_hostname=host)
        if session is not None:
            self._object.session = session
        self._ended = False

    @property
    def session(self) -> ssl.SSLSession | None:
        """What lets a later connection skip the key exchange; worth taking once a response was read."""
        return self._object.session

    @property
    def resumed(self) -> bool:
        """Whether the handshake used an earlier session."""
        return bool(self._object.session_reused)

    async def handshake(self) -> None:
        """Agree on keys and verify the peer. Raises ssl.SSLError."""
        while True:
            try:
                self._object.do_handshake()
            except ssl.SSLWantReadError:
                await self._flush()
                await self._fill()
            else:
                await self._flush()
                return

    async def receive(self) -> bytes:
        """The next plain bytes; b"" when the peer has closed."""
        while True:
            plain = self._decrypted()
            if self._outgoing.pending:
                await self._flush()
            if plain or self._ended:
                return plain
            await self._fill()

    async def send(self, data: bytes) -> None:
        """Encrypt and write all of `data`."""
        self._object.write(data)
        await self._flush()

    def quiet(self) -> bool:
        """Whether an idle connection is still open and has said nothing but TLS's own messages."""
        while not self._decrypted() and not self._ended:
            try:
                self._incoming.write(self._socket.recv(READ_SIZE) or b"")
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not self._incoming.pending:
                return False
        return False

    def close(self) -> None:
        """Close at once, with TLS's good-bye where the socket takes it, so that the peer sees an end and no attack."""
        if not self.closed:
            with contextlib.suppress(OSError, ValueError):
                self._object.unwrap()
            with contextlib.suppress(OSError):
                self._socket.send(self._outgoing.read())
            super().close()

    def _decrypted(self) -> bytes:
        parts = []
        while not self._ended:
            try:
                part = self._object.read(READ_SIZE)
            except ssl.SSLWantReadError:
                break
            except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
                part = b""
            self._ended = not part
            parts.append(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    async def _fill(self) -> None:
        data = await super().receive()
        if data:
            self._incoming.write(data)
        else:
            self._incoming.write_eof()

    async def _flush(self) -> None:
        if self._outgoing.pending:
            await super().send(self._outgoing.read())
