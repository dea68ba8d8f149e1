"""The product's own requests, byte for byte, recorded by a relay between it and the sandbox."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

from bench.floor import TOKEN

END = b"\r\n\r\n"


class Relay:
    """Listens on a port of its own for each origin, passes bytes through, keeps what the client sent."""

    def __init__(self) -> None:
        self._servers: list[asyncio.Server] = []
        self._open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}
        self.sent: list[tuple[str, int, bytes, bytearray]] = []
        """Host and port behind the relay, the relay's own authority, what one connection sent."""

    async def stand_for(self, origin: str) -> str:
        """The relay's address for `origin`."""
        parts = urlsplit(origin)
        server = await asyncio.start_server(
            lambda reader, writer: self._pass(reader, writer, str(parts.hostname), int(parts.port or 80)), "127.0.0.1"
        )
        self._servers.append(server)
        return f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int) -> None:
        kept = bytearray()
        self.sent.append((host, port, "{}:{}".format(*writer.get_extra_info("sockname")).encode(), kept))
        behind, beyond = await asyncio.open_connection(host, port)
        task = asyncio.current_task()
        assert task
        self._open[task] = beyond
        await asyncio.gather(_pump(reader, beyond, kept), _pump(behind, writer, None))
        del self._open[task]

    def requests(self) -> list[dict[str, Any]]:
        """Every request that carries the token, once for each of its kind, its Host set to the origin's own."""
        found: dict[tuple[str, int, bytes], dict[str, Any]] = {}
        for host, port, name, stream in self.sent:
            for raw in split(bytes(stream)):
                if TOKEN in raw:
                    target = raw.split(b" ", 2)[1].replace(TOKEN, b"")
                    text = raw.replace(name, f"{host}:{port}".encode(), 1).decode("latin-1")
                    found[host, port, target] = {"host": host, "port": port, "bytes": text}
        return list(found.values())

    async def close(self) -> None:
        """Stop listening, close both sides of every connection."""
        for server in self._servers:
            server.close()
        for beyond in self._open.values():
            beyond.close()
        await asyncio.gather(*self._open)


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter, record: bytearray | None) -> None:
    """Bytes from `source` to `target` until the end of either, kept in `record`."""
    with suppress(ConnectionError):
        while data := await source.read(65536):
            if record is not None:
                record += data
            target.write(data)
            await target.drain()
    target.close()


def split(stream: bytes) -> list[bytes]:
    """The requests of one connection; their bodies have a Content-Length."""
    requests = []
    while (at := stream.find(END)) >= 0:
        length = 0
        for line in stream[:at].lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        end = at + len(END) + length
        requests.append(stream[:end])
        stream = stream[end:]
    return requests
