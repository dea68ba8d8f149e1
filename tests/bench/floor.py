"""The floor: a raw asyncio.Protocol client that sends the product's own bytes, waits for all replies, reads nothing.

No client on this event loop that sends these requests can be faster. Responses are framed by Content-Length, or by
the last chunk where the server gives none; only the status line is looked at.

Alone, for the cold start: python floor.py UPSTREAM.json QUERY
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

TOKEN = b"feedc0de"
"""What stands for a query's own token in the recorded requests; every token has its length."""

LAST_CHUNK = b"\r\n0\r\n\r\n"


class Exchange(asyncio.Protocol):
    """One keep-alive connection; one request in flight."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.buffer = bytearray()
        self.body_at = self.end = 0
        self.reply: asyncio.Future[int] | None = None

    def send(self, request: bytes) -> asyncio.Future[int]:
        """Write `request`; the future is the reply's size in bytes, 0 when it was not a 200."""
        self.reply = asyncio.get_running_loop().create_future()
        self.transport.write(request)
        return self.reply

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if not self.body_at and not self._head():
            return
        if len(self.buffer) >= self.end if self.end else self.buffer.endswith(LAST_CHUNK):
            size = len(self.buffer) if self.buffer[9:12] == b"200" else 0
            self.buffer.clear()
            self.body_at = self.end = 0
            if self.reply and not self.reply.done():
                self.reply.set_result(size)

    def _head(self) -> bool:
        at = self.buffer.find(b"\r\n\r\n")
        if at < 0:
            return False
        self.body_at = at + 4
        head = bytes(self.buffer[:at]).lower()
        name = head.find(b"\r\ncontent-length:")
        if name >= 0:
            stop = head.find(b"\r\n", name + 2)
            self.end = self.body_at + int(head[name + 17 : stop if stop > 0 else len(head)])
        return True

    def connection_lost(self, _: Exception | None) -> None:
        if self.reply and not self.reply.done():
            self.reply.set_exception(ConnectionError("the upstream closed the connection"))


class Floor:
    """Idle connections by origin, and the recorded requests of one search."""

    def __init__(self, requests: list[tuple[str, int, bytes]]) -> None:
        self._requests = requests
        self._idle: dict[tuple[str, int], list[Exchange]] = {(host, port): [] for host, port, _ in requests}

    async def search(self, token: bytes) -> int:
        """Every recorded request with `token` in it, all at once; the number of whole replies."""
        sizes = await asyncio.gather(
            *[self._fetch(host, port, raw.replace(TOKEN, token)) for host, port, raw in self._requests]
        )
        return sum(size > 0 for size in sizes)

    async def _fetch(self, host: str, port: int, raw: bytes) -> int:
        idle = self._idle[host, port]
        if idle:
            line = idle.pop()
        else:
            _, line = await asyncio.get_running_loop().create_connection(Exchange, host, port)
        size = await line.send(raw)
        idle.append(line)
        return size

    def close(self) -> None:
        """Close every idle connection."""
        for lines in self._idle.values():
            for line in lines:
                line.transport.close()


@asynccontextmanager
async def opened(upstream: dict[str, Any]) -> AsyncIterator[Callable[[str], Awaitable[int]]]:
    """A search function over the requests recorded in `upstream`."""
    floor = Floor([(item["host"], item["port"], item["bytes"].encode("latin-1")) for item in upstream["recorded"]])
    yield lambda query: floor.search(query.rpartition(" ")[2].encode())
    floor.close()


async def _once(upstream: dict[str, Any], query: str) -> None:
    async with opened(upstream) as search:
        print(json.dumps({"results": await search(query)}))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:  # noqa: PTH123 - importing pathlib would raise the floor
        asyncio.run(_once(json.load(file), sys.argv[2]))
