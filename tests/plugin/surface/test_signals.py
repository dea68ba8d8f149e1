"""Abort signals by their shape."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from fanseek.surface.signals import is_aborted, until


class Raising:
    """A context's attribute may raise anything."""

    def __getattr__(self, name: str) -> Any:
        raise LookupError(name)


@pytest.mark.parametrize(
    ("signal", "given"),
    [
        (None, False),
        (Raising(), False),
        (object(), False),
        (SimpleNamespace(aborted=True), True),
        (SimpleNamespace(aborted=False), False),
        (SimpleNamespace(canceled=True), True),
        (SimpleNamespace(cancelled=lambda: True), True),
        (SimpleNamespace(cancelled=lambda: False, aborted=False), False),
        (SimpleNamespace(is_set=lambda: 1 / 0), False),
    ],
    ids=repr,
)
def test_whether_a_signal_was_given(signal: Any, given: bool) -> None:
    assert is_aborted(signal) is given


@pytest.mark.parametrize("made", [anyio.Event, threading.Event], ids=["waited for", "looked at"])
async def test_a_signal_is_waited_for(made: Any) -> None:
    signal, seen = made(), []

    async def watch() -> None:
        await until(signal)
        seen.append(True)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(watch)
            await anyio.sleep(0.03)
            assert not seen
            signal.set()
    assert seen


async def test_a_signal_given_before_is_not_waited_for() -> None:
    signal = anyio.Event()
    signal.set()
    with anyio.fail_after(5):
        await until(signal)


async def test_a_signal_that_can_only_be_waited_for_is() -> None:
    event = anyio.Event()

    class Waiting:
        async def wait(self) -> None:
            await event.wait()

    event.set()
    with anyio.fail_after(5):
        await until(Waiting())
