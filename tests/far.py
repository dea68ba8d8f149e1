"""The other side of a server on a pair of pipes, in the test's own process and event loop."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import msgspec

from fanseek.surface.stdio.pipes import Pipes


class Far:
    """The other side of the pipes."""

    def __init__(self, say: int, hear: int) -> None:
        self._say, self._hear = say, hear
        self._buffer = b""

    async def say(self, *lines: bytes | dict[str, Any]) -> None:
        for line in lines:
            raw = line if isinstance(line, bytes) else msgspec.json.encode({"jsonrpc": "2.0", **line})
            await anyio.to_thread.run_sync(self._write, raw + b"\n")

    def _write(self, raw: bytes) -> None:
        rest = memoryview(raw)
        while rest:
            rest = rest[os.write(self._say, rest) :]

    async def hear(self) -> dict[str, Any] | None:
        with anyio.fail_after(30):
            while b"\n" not in self._buffer:
                await anyio.wait_readable(self._hear)
                chunk = os.read(self._hear, 65_536)
                if not chunk:
                    return None
                self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        whole: dict[str, Any] = msgspec.json.decode(line)
        return whole

    async def opened(self) -> Far:
        await self.say({"id": 0, "method": "initialize"})
        assert (await self.hear())["result"] == "hello"
        return self

    def hang_up(self) -> None:
        os.close(self._say)

    def stop_listening(self) -> None:
        os.close(self._hear)


@asynccontextmanager
async def connected(serve: Callable[[Pipes], Awaitable[None]]) -> AsyncIterator[tuple[Far, anyio.Event]]:
    """Both sides; the event is set when the near one has ended."""
    (source, say), (hear, sink) = os.pipe(), os.pipe()
    over = anyio.Event()

    async def near() -> None:
        await serve(Pipes(source, sink))
        os.close(sink)
        over.set()

    async with anyio.create_task_group() as group:
        group.start_soon(near)
        yield Far(say, hear), over
        for descriptor in (say, hear):
            with suppress(OSError):
                os.close(descriptor)
        with anyio.fail_after(30):
            await over.wait()
    os.close(source)
