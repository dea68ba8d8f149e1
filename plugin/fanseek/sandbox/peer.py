"""One client's connection on a non-blocking socket: requests read off it, bytes written, and the ways to end it."""

from __future__ import annotations

import socket
import struct
import sys
from contextlib import suppress

import anyio

from fanseek.contract import Asked
from fanseek.sandbox.head import BODY_LIMIT, HEAD_LIMIT, BadRequest, Head, head_of

END = b"\r\n\r\n"
KNOWN_HEADS = 4096


class Gone(Exception):  # noqa: N818 - a state, not a slip
    """The client closed or reset the connection."""


class Peer:
    """A connection. `known` holds heads already read, for all connections: keep-alive clients repeat them."""

    def __init__(self, sock: socket.socket, known: dict[bytes, Head]) -> None:
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sock = sock
        self._known = known
        self._buffer = b""
        self.keep_alive = True

    async def request(self) -> Asked | None:
        """The next request; None when the client closed the connection between requests. Raises BadRequest, Gone."""
        while (end := self._buffer.find(END)) < 0:
            if len(self._buffer) > HEAD_LIMIT:
                raise BadRequest(431, "head too large")
            if not await self._more():
                if self._buffer.strip():
                    raise Gone
                return None
        head = self._head(self._buffer[:end].lstrip(b"\r\n"))
        self._buffer = self._buffer[end + 4 :]
        self.keep_alive = head.keep_alive
        if head.expects:
            await self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        body = await self._take(head.length) if head.length is not None else await self._chunks()
        return Asked(method=head.method, target=head.target, headers=head.headers, body=body)

    def _head(self, raw: bytes) -> Head:
        head = self._known.get(raw)
        if head is None:
            if len(self._known) >= KNOWN_HEADS:
                self._known.clear()
            head = self._known[raw] = head_of(raw)
        return head

    async def _chunks(self) -> bytes:
        whole = b""
        while True:
            size, _, _ = (await self._line()).partition(b";")
            try:
                length = int(size, 16)
            except ValueError:
                raise BadRequest(400, "malformed chunk size") from None
            if length < 0 or len(whole) + length > BODY_LIMIT:
                raise BadRequest(413, "body too large")
            if length == 0:
                while await self._line():
                    pass
                return whole
            whole += await self._take(length)
            await self._line()

    async def _line(self) -> bytes:
        while (end := self._buffer.find(b"\r\n")) < 0:
            if len(self._buffer) > HEAD_LIMIT:
                raise BadRequest(400, "line too long")
            await self._must_more()
        line, self._buffer = self._buffer[:end], self._buffer[end + 2 :]
        return line

    async def _take(self, count: int) -> bytes:
        parts, got = [self._buffer], len(self._buffer)
        while got < count:
            self._buffer = b""
            await self._must_more()
            parts.append(self._buffer)
            got += len(self._buffer)
        whole = b"".join(parts)
        self._buffer = whole[count:]
        return whole[:count]

    async def _must_more(self) -> None:
        if not await self._more():
            raise Gone

    async def _more(self) -> bool:
        """Wait for bytes and buffer them; False when the client sends no more."""
        while True:
            await anyio.wait_readable(self._sock)
            try:
                data = self._sock.recv(262_144)
            except BlockingIOError:
                continue
            except OSError:
                raise Gone from None
            self._buffer += data
            return bool(data)

    async def send(self, data: bytes) -> None:
        """Write all of `data`. Raises Gone."""
        view = memoryview(data)
        while True:
            try:
                view = view[self._sock.send(view) :]
            except BlockingIOError:
                await anyio.wait_writable(self._sock)
            except OSError:
                raise Gone from None
            else:
                if not view:
                    return

    async def pause(self, seconds: float) -> None:
        """Wait; raises Gone as soon as the client closes the connection. inf waits for that alone."""
        with anyio.move_on_after(seconds):
            while True:
                if len(self._buffer) > HEAD_LIMIT + BODY_LIMIT:
                    await anyio.sleep_forever()
                await self._must_more()

    async def finish(self) -> None:
        """Close in order: what was sent arrives, even when the client has more to say."""
        if self._sock.fileno() < 0:
            return
        with suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)
        with anyio.move_on_after(0.5), suppress(Gone):
            while await self._more():
                self._buffer = b""
        self.close()

    def reset(self) -> None:
        """End the connection by RST."""
        with suppress(OSError):
            self._sock.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
            )
        self.close()

    def close(self) -> None:
        """Close at once; closing twice is fine."""
        self.keep_alive = False
        if self._sock.fileno() >= 0:
            anyio.notify_closing(self._sock)
            self._sock.close()
