"""The sandbox's own addresses: faults changed at run time, the log, the trap that counts visits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import msgspec

from fanseek.contract import Asked, Reply
from fanseek.errors import UsageError
from fanseek.sandbox.faults import AnyFault
from fanseek.sandbox.log import Log
from fanseek.sandbox.naming import EVERY
from fanseek.sandbox.schedule import Faults

TEXT = "text/plain; charset=utf-8"
LOOPBACK = frozenset({"127.0.0.1", "localhost"})


class Order(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a POST to the control address says: the faults of a backend from now on, by name or with parameters."""

    backend: str = EVERY
    faults: list[AnyFault | str] = []


class Control:
    """Answers what is no backend's. Only programs of this machine are served, never a web page."""

    def __init__(self, faults: Faults, log: Log) -> None:
        self.trapped = 0
        """Visits to the trap."""
        self._faults = faults
        self._log = log
        self._rooms: dict[str, Callable[[Asked], Reply]] = {
            "": self._index,
            "__control": self._control,
            "__log": self._told,
            "__trap": self._trap,
        }

    def reply(self, room: str, asked: Asked) -> Reply:
        """The reply of the address whose first path segment is `room`."""
        found = self._rooms.get(room)
        if found is None:
            return Reply(status=404, body=f"No backend is named {room!r}; see /\n".encode(), content_type=TEXT)
        host = urlsplit(f"//{asked.headers.get('host', '')}").hostname
        if room != "__trap" and (host not in LOOPBACK or "origin" in asked.headers):
            return Reply(status=403, body=b"Only for programs of this machine\n", content_type=TEXT)
        return found(asked)

    def _index(self, _: Asked) -> Reply:
        names = "".join(f"/{name}/\n" for name in self._log)
        return Reply(body=f"fanseek sandbox: results are synthetic\n\n{names}".encode(), content_type=TEXT)

    def _trap(self, _: Asked) -> Reply:
        self.trapped += 1
        return Reply(body=b"This address should never have been contacted\n", content_type=TEXT)

    def _told(self, asked: Asked) -> Reply:
        if asked.method == "DELETE":
            self._log.clear()
            self.trapped = 0
        return _json({"backends": self._log.told(), "trapped": self.trapped})

    def _control(self, asked: Asked) -> Reply:
        try:
            if asked.method == "DELETE":
                self._faults.clear()
            elif asked.method in ("POST", "PUT"):
                order = msgspec.json.decode(asked.body, type=Order)
                self._faults.set(order.backend, *order.faults)
        except (msgspec.MsgspecError, UsageError) as problem:
            return Reply(status=400, body=f"{problem}\n".encode(), content_type=TEXT)
        return _json(self._faults.armed())


def _json(told: Any) -> Reply:
    return Reply(body=msgspec.json.encode(told))
