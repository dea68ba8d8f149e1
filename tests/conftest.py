"""Every async test runs under asyncio and under trio, and no test reaches beyond this machine (W3)."""

from __future__ import annotations

import ipaddress
import sys

import pytest


@pytest.fixture(params=["asyncio", "trio"])
def anyio_backend(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class LeftTheMachineError(AssertionError):
    """A test has tried to talk to another machine."""


def _stay_here(event: str, arguments: tuple[object, ...]) -> None:
    if event != "socket.connect" or not isinstance(address := arguments[1], tuple):
        return
    host = str(address[0]).partition("%")[0]
    if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
        raise LeftTheMachineError(f"a test connects to {host}; only loopback is allowed")


sys.addaudithook(_stay_here)
