"""Lines on their way out: some written at once, some by a thread; never one before another."""

from __future__ import annotations

import os
import threading

import anyio
import pytest

from fanseek.surface.stdio.transport import Writer


async def test_nothing_overtakes_what_waits_for_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is room again, and the thread has not come to it yet: the next line waits its turn all the same."""
    monkeypatch.setattr(threading.Thread, "start", lambda _thread: None)
    hear, sink = os.pipe()
    writer = Writer(sink, 10**6)
    large = b"a" * 200_000 + b"\n"
    writer.put(large)
    waiting = writer.waiting
    assert 0 < waiting < len(large)
    written = len(large) - waiting
    while written:
        written -= len(os.read(hear, written))
    writer.put(b"b\n")
    assert writer.waiting == waiting + 2
    os.set_blocking(hear, False)
    with pytest.raises(BlockingIOError):
        os.read(hear, 1)
    os.close(hear)
    os.close(sink)


async def test_a_line_that_fits_needs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", lambda _thread: None)
    hear, sink = os.pipe()
    writer = Writer(sink, 10**6)
    writer.put(b"a" * 10_000)
    assert writer.waiting == 0
    assert os.read(hear, 20_000) == b"a" * 10_000
    os.close(hear)
    writer.put(b"b")
    with anyio.fail_after(30):
        await writer.ended.wait()
    os.close(sink)
