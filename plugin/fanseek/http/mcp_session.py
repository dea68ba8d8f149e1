"""What was agreed with an MCP server, once for all calls that need it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import anyio
import msgspec

from fanseek.contract import Response
from fanseek.errors import BackendError

PROTOCOL_VERSION = "2025-06-18"
"""The revision offered. Whatever a server answers is echoed: what is used here is the same in all of them."""


class Agreement(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """How to talk to a server. Without `initialized` it wants no handshake."""

    initialized: bool = False
    session_id: str = ""
    version: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """What each request carries because of it."""
        named = {"mcp-session-id": self.session_id, "mcp-protocol-version": self.version}
        return {name: value for name, value in named.items() if value}


def agreed(result: msgspec.Raw, session_id: str) -> Agreement:
    """The agreement that an initialize result and its header make; what could not be echoed is left out."""
    try:
        version = msgspec.json.decode(result, type=_Initialized).version
    except msgspec.DecodeError:
        version = None
    sound = isinstance(version, str) and re.fullmatch(r"[\w.-]{1,40}", version, re.ASCII)
    return Agreement(
        initialized=True,
        session_id=session_id if re.fullmatch(r"[\x21-\x7e]{1,1024}", session_id) else "",
        version=str(version) if sound else "",
    )


class _Initialized(msgspec.Struct, frozen=True, rename={"version": "protocolVersion"}):
    version: object = None


class Session:
    """The agreement with one server. Callers that come while it is being made wait for it and share how it ends."""

    def __init__(self, initialize: Callable[[], Awaitable[Agreement | Response]]) -> None:
        self._initialize = initialize
        self._agreement: Agreement | None = None
        self._attempt: _Attempt | None = None

    async def agreement(self) -> Agreement | Response:
        """The agreement, made now if there is none; or the response that refused it. Raises BackendError."""
        while self._agreement is None:
            attempt = self._attempt
            if attempt is None:
                return await self._make()
            await attempt.over.wait()
            if attempt.refusal is not None:
                return attempt.refusal
            if attempt.failure is not None:
                failure = attempt.failure
                raise BackendError(failure.kind, failure.message, retry_after=failure.retry_after)
        return self._agreement

    def forget(self, agreement: Agreement) -> None:
        """Make a new one next time, unless that has been done already."""
        if self._agreement is agreement:
            self._agreement = None

    async def _make(self) -> Agreement | Response:
        """Make the agreement; when the caller is cancelled meanwhile, one of those waiting begins again."""
        attempt = self._attempt = _Attempt()
        try:
            made = await self._initialize()
        except BackendError as problem:
            attempt.failure = problem
            raise
        else:
            if isinstance(made, Agreement):
                self._agreement = made
            else:
                attempt.refusal = made
            return made
        finally:
            self._attempt = None
            attempt.over.set()


class _Attempt:
    """One handshake under way. Neither refusal nor failure: it was agreed, or its caller was cancelled."""

    def __init__(self) -> None:
        self.over = anyio.Event()
        self.refusal: Response | None = None
        self.failure: BackendError | None = None
