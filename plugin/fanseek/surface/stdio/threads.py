"""Reading and writing pipes on threads of their own: it can't be interrupted, and must hold up nothing.

The threads are daemons, so that a process can end while one of them waits for the other side.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from queue import SimpleQueue

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token

from fanseek.surface.stdio.lines import Line, Splitter

CHUNK = 65_536


class Reader:
    """Lines as they arrive: iterate over it. It ends when the other side closes the pipe, or can't be read."""

    def __init__(self, descriptor: int, longest: int) -> None:
        self._descriptor = descriptor
        self._splitter = Splitter(longest)
        self._lines: deque[Line] = deque()
        self._arrived = anyio.Event()
        self._over = False
        self._token = current_token()
        threading.Thread(target=self._read, name="fanseek stdin", daemon=True).start()

    def __aiter__(self) -> AsyncIterator[Line]:
        return self

    async def __anext__(self) -> Line:
        while not self._lines:
            if self._over:
                raise StopAsyncIteration
            self._arrived = anyio.Event()
            await self._arrived.wait()
        return self._lines.popleft()

    def _read(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            while chunk := _chunk(self._descriptor):
                if lines := self._splitter.feed(chunk):
                    from_thread.run_sync(self._take, lines, token=self._token)
            from_thread.run_sync(self._end, self._splitter.rest(), token=self._token)

    def _take(self, lines: list[Line]) -> None:
        self._lines.extend(lines)
        self._arrived.set()

    def _end(self, lines: list[Line]) -> None:
        self._over = True
        self._take(lines)


def _chunk(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""


class Writer:
    """Lines on their way out, in order. `ended` is set when no more can be written."""

    def __init__(self, descriptor: int, most_waiting: int) -> None:
        self.ended = anyio.Event()
        self._descriptor = descriptor
        self._most_waiting = most_waiting
        self._queue: SimpleQueue[bytes] = SimpleQueue()
        self._taken = self._written = 0
        self._token = current_token()
        threading.Thread(target=self._write, name="fanseek stdout", daemon=True).start()

    @property
    def waiting(self) -> int:
        """Bytes that are not written yet."""
        return self._taken - self._written

    def put(self, line: bytes) -> None:
        """Write `line` soon. Never waits: who does not read what it is told is taken to be gone."""
        if self.ended.is_set():
            return
        if self.waiting > self._most_waiting:
            self.ended.set()
            return
        self._taken += len(line)
        self._queue.put(line)

    async def finish(self, patience_s: float) -> None:
        """Wait until everything is written, for `patience_s` seconds at most."""
        self._queue.put(b"")
        with anyio.move_on_after(patience_s, shield=True):
            await self.ended.wait()

    def _write(self) -> None:
        with suppress(OSError):
            while line := self._queue.get():
                rest = memoryview(line)
                while rest:
                    rest = rest[os.write(self._descriptor, rest) :]
                self._written += len(line)
        with suppress(RuntimeError):
            from_thread.run_sync(self.ended.set, token=self._token)
