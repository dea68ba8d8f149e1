"""How long each step of an exchange may take; the whole is bounded by the caller's cancel scope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import anyio
import msgspec


class Timeouts(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of one exchange in seconds; None is no limit."""

    connect: float | None
    """Name resolution, TCP and TLS together."""
    read: float | None
    """From one byte received to the next."""
    write: float | None
    """For all of the request."""

    def refined(self, extensions: Mapping[str, Any]) -> Timeouts:
        """These limits, each replaced by the one httpx's `timeout` extension names.

        Its `pool` limit is not used: waiting for a local connection is nobody's failure.
        """
        asked = extensions.get("timeout")
        if not asked:
            return self
        return Timeouts(
            connect=asked.get("connect", self.connect),
            read=asked.get("read", self.read),
            write=asked.get("write", self.write),
        )


def binding(limit_s: float | None) -> bool:
    """Whether `limit_s` can run out before a scope around us does; if not, a scope for it is not worth its cost."""
    return limit_s is not None and anyio.current_time() + limit_s < anyio.current_effective_deadline()
