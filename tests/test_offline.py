"""W3: the suite is offline; the guard in conftest.py is what makes sure of it."""

from __future__ import annotations

import socket

import pytest


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"), (socket.AF_INET, "10.0.0.1")]
)
def test_a_connection_to_another_machine_fails_the_test_that_makes_it(family: int, host: str) -> None:
    with socket.socket(family) as wire:
        wire.setblocking(False)
        with pytest.raises(AssertionError, match="only loopback"):
            wire.connect((host, 9))


def test_loopback_is_free() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as wire:
        assert wire.getpeername() == server.getsockname()
