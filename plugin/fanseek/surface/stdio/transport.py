"""Reading and writing pipes, where it has to wait on threads: that can't be interrupted, and must hold up nothing.

The threads are daemons, so that a process can end while one of them waits for the other side.
"""

from __future__ import annotations

import os
import select
import stat
import threading
from collections import deque
from collections.abc import AsyncIterator
from contextlib import suppress
from queue import SimpleQueue
from typing import Any

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token

from fanseek.surface.stdio.lines import Line, Splitter

CHUNK = 65_536
PIECE = getattr(select, "PIPE_BUF", 512)


class Reader:
    """Lines as they arrive: iterate over it. It ends when the other side closes the pipe, or can't be read."""

    def __init__(self, descriptor: int, longest: int) -> None:
        self._descriptor = descriptor
        self._splitter = Splitter(longest)
        self._lines: deque[Line] = deque()
        self._over = False
        self._is_awaited = _can_be_awaited(descriptor)
        self._arrived = anyio.Event()
        self._token = current_token()
        if not self._is_awaited:
            threading.Thread(target=self._read, name="fanseek stdin", daemon=True).start()

    def __aiter__(self) -> AsyncIterator[Line]:
        return self

    async def __anext__(self) -> Line:
        while not self._lines:
            if self._over:
                raise StopAsyncIteration
            if self._is_awaited:
                await anyio.wait_readable(self._descriptor)
                self._take(_chunk(self._descriptor))
            else:
                self._arrived = anyio.Event()
                await self._arrived.wait()
        return self._lines.popleft()

    def _take(self, chunk: bytes) -> None:
        self._over = not chunk
        self._lines.extend(self._splitter.feed(chunk) if chunk else self._splitter.rest())
        self._arrived.set()

    def _read(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            while not self._over:
                from_thread.run_sync(self._take, _chunk(self._descriptor), token=self._token)


def _can_be_awaited(descriptor: int) -> bool:
    """Whether an event loop can wait for `descriptor`: for pipes and sockets, and not on every system."""
    mode = os.fstat(descriptor).st_mode
    return os.name == "posix" and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


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
        self._poll = _polling(descriptor)
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
        if self._poll and not self.waiting:
            line = self._at_once(line)
        if line:
            self._taken += len(line)
            self._queue.put(line)

    def _at_once(self, line: bytes) -> bytes:
        """Write what the pipe takes without waiting, which saves a change of threads; the rest of `line`.

        Nothing blocks: a pipe that can be written to takes PIPE_BUF bytes (POSIX.1-2024, write).
        """
        try:
            while line and self._poll.poll(0):
                line = line[os.write(self._descriptor, line[:PIECE]) :]
        except OSError:
            self.ended.set()
            return b""
        return line

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


def _polling(descriptor: int) -> Any:
    """What tells whether `descriptor` can be written to; None where a system has no such thing."""
    if not hasattr(select, "poll"):
        return None
    found = select.poll()
    found.register(descriptor, select.POLLOUT)
    return found
