"""Abort signals as hosts have them: events, cancel tokens and flags, read by their shape."""

from __future__ import annotations

import inspect
from contextlib import suppress
from typing import Any

import anyio

FLAGS = ("aborted", "is_set", "canceled", "cancelled")
"""What says whether a signal was given: an attribute or a method without arguments."""

GLANCE_S = 0.02
"""How often a signal that can't be waited for is looked at, in seconds."""


def is_aborted(signal: Any) -> bool:
    """Whether `signal` was given; never, where there is none or it says nothing of the kind."""
    for name in FLAGS:
        with suppress(Exception):  # a host's own object: what can't be read says nothing
            flag = getattr(signal, name)
            if flag() if callable(flag) else flag:
                return True
    return False


async def until(signal: Any) -> None:
    """Returns once `signal` is given."""
    wait = getattr(signal, "wait", None)
    while not is_aborted(signal):
        if inspect.iscoroutinefunction(wait):
            await wait()
            return
        await anyio.sleep(GLANCE_S)
