"""The sandbox as a pytest fixture. pytest loads this module in every project, so nothing heavy is imported here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from fanseek.sandbox import Sandbox


@pytest.fixture
def fanseek_sandbox() -> Iterator[Sandbox]:
    """A running sandbox on a free loopback port, in a thread of its own: for sync and async tests alike.

    `open_engine(fanseek_sandbox.settings(), environment=fanseek_sandbox.environment)` asks it,
    `fanseek_sandbox.faults.set(backend, "hang")` breaks a backend, `fanseek_sandbox.log[backend].count` says how
    often it was asked.
    """
    from fanseek.sandbox import running

    with running() as box:
        yield box
