"""What a host's context offers, found out without trust: attributes of a context may raise anything when looked at."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

log = logging.getLogger("fanseek.host")


def method(ctx: Any, name: str) -> Callable[..., Any] | None:
    """The method `name` of `ctx`; None where it has none.

    The type is looked at first: some contexts take any attribute for a service, and raise.
    """
    if callable(getattr(type(ctx), name, None)) or name in getattr(ctx, "__dict__", {}):
        found = getattr(ctx, name)
        return found if callable(found) else None
    return None


def service(ctx: Any, name: str) -> Any:
    """The service `name`; None where there is none, or the host does not let it be read."""
    get = method(ctx, "get")
    try:
        return get(name) if get else getattr(ctx, name, None)
    except Exception as problem:  # noqa: BLE001 - a host's own rules on who may read what
        log.debug("service %s can't be read (%s)", name, type(problem).__name__)
        return None


def required(ctx: Any, name: str) -> Any:
    """The service `name`. Raises RuntimeError where there is none."""
    found = service(ctx, name)
    if found is None:
        raise RuntimeError(f"service {name!r} is not available: mount what provides it first")
    return found


class Voice:
    """Warnings, each said once: by the host's logger, by Python's where that one raises or is missing (B14)."""

    def __init__(self, logger: Any = None) -> None:
        self._logger = logger
        self._said: set[str] = set()

    def warn_once(self, about: str, message: str) -> None:
        """Say `message`, unless something was already said `about` this. Never raises."""
        if about in self._said:
            return
        self._said.add(about)
        for name in ("warning", "warn"):
            try:
                getattr(self._logger, name)(message)
            except Exception as problem:  # noqa: BLE001 - a host's logger must not cost a search
                log.debug("the host's logger has no %s that works (%s)", name, type(problem).__name__)
            else:
                return
        log.warning("%s", message)
