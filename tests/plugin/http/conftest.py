"""Transports over both parsers, closed when the test ends."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack

import httpx
import pytest

from fanseek.http.inflate import read_body
from fanseek.http.transport import Transport

MakeTransport = Callable[..., Transport]


@pytest.fixture(params=["h11", "httptools"])
def parser(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
async def make_transport(parser: str, anyio_backend: str) -> AsyncIterator[MakeTransport]:
    """Makes transports over the parser under test."""
    made: list[Transport] = []

    def make(**options: object) -> Transport:
        made.append(Transport(**{"parser": parser, "trust_env": False, **options}))
        return made[-1]

    yield make
    async with AsyncExitStack() as stack:
        for transport in made:
            stack.push_async_callback(transport.aclose)


@pytest.fixture
async def transport(make_transport: MakeTransport) -> Transport:
    return make_transport()


Fetch = Callable[..., "object"]


@pytest.fixture
def fetch(transport: Transport) -> Fetch:
    """Sends one request, reads its body; gives both."""

    async def fetch(url: str, method: str = "GET", **options: object) -> tuple[httpx.Response, bytes]:
        response = await transport.handle_async_request(httpx.Request(method, url, **options))
        return response, await read_body(response, 10_000_000)

    return fetch
