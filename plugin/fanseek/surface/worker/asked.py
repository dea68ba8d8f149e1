"""What the parameters of the worker's methods are. Whatever else is in them is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from fanseek.catalogue import Lang
from fanseek.surface.stdio.message import WRONG_PARAMS, RpcError


class Place(msgspec.Struct, frozen=True):
    """Folders that something is kept in; one that is not given keeps nothing."""

    state: str | None = None
    cache: str | None = None
    history: str | None = None

    def folder(self, name: str) -> Path | None:
        """One of them. Raises RpcError where it is not absolute."""
        given: str | None = getattr(self, name)
        if not given:
            return None
        path = Path(given)
        if not path.is_absolute():
            raise RpcError(WRONG_PARAMS, f"wrong params: place.{name} has to be an absolute path")
        return path


class Common(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What comes with every request. Without `settings` and `keys` an engine that is open keeps those it has."""

    settings: dict[str, Any] | None = None
    keys: dict[str, str | None] | None = None
    place: Place | None = None
    lang: str | None = None

    @property
    def where(self) -> Place:
        """The folders."""
        return self.place or Place()

    @property
    def tongue(self) -> Lang:
        """The language of messages."""
        return "zh" if (self.lang or "").lower().startswith("zh") else "en"


class Initialize(msgspec.Struct, frozen=True, kw_only=True):
    """`initialize`: the protocol the host speaks."""

    protocol: Any = None


class Search(Common, frozen=True, kw_only=True, rename="camel"):
    """`search`: `timeout_ms` is what is left of the host's own patience, in milliseconds."""

    query: Any
    max_results: int | float | None = None
    timeout_ms: float | None = None
    backends: tuple[str, ...] | None = None
    progress: bool | None = None


class Test(Common, frozen=True, kw_only=True, rename="camel"):
    """`test`: one call of one backend."""

    backend: str
    query: str | None = None


class History(Common, frozen=True, kw_only=True, rename="camel"):
    """`history`: the last searches, `limit` of them at most."""

    limit: int | None = None
