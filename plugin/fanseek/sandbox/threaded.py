"""The sandbox in a thread of its own, for code that is not async or must not share its event loop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from anyio.from_thread import start_blocking_portal

from fanseek.sandbox.server import Sandbox


@contextmanager
def running(**options: Any) -> Iterator[Sandbox]:
    """A running sandbox; `options` are those of Sandbox."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Sandbox(**options)) as box:
        yield box
