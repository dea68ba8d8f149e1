"""The configuration of a mount, and what a host's settings service says later."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from fanseek.config.load import load
from fanseek.errors import ConfigError
from fanseek.surface.cordis.config import fields

NAMESPACE = "unified-search"
FOLDER = "folder"
"""Beside the settings: where cache, state and history are kept; empty for the usual places."""


class Mounted(msgspec.Struct, frozen=True, kw_only=True):
    """A checked configuration: settings in wire form, and the folder for files."""

    settings: Mapping[str, Any] = {}
    folder: Path | None = None


def mounted(config: object) -> Mounted:
    """`config` as a host gives it: nothing, a mapping, a model of `Config`. Raises ConfigError, without any value."""
    if isinstance(config, Mounted):
        return config
    given = fields(config)
    folder = _folder(given.pop(FOLDER, None))
    load(given)
    return Mounted(settings=given, folder=folder)


def _folder(given: object) -> Path | None:
    if given is None or given == "":
        return None
    if not isinstance(given, str | Path) or not Path(given).is_absolute():
        raise ConfigError(f"{FOLDER} must be an absolute path")
    return Path(given)


Reading = Callable[[], Mapping[str, Any]]
"""The host's settings as they are now."""


class HostSettings:
    """A host's settings service, of either shape (B16): `read(namespace)`, or `install_section(namespace, schema)`.

    The first is asked at each search; the second gives a section once, which is asked by its `get()`.
    """

    def __init__(self, service: Any, schema: Callable[[], Mapping[str, Any]]) -> None:
        self._section: Any = None
        self.reading: Reading | None = None
        """None where the service is missing, or of a shape that is not known."""
        if callable(read := getattr(service, "read", None)):
            self.reading = lambda: _mapping(read(NAMESPACE))
        elif callable(install := getattr(service, "install_section", None)):
            self._section = install(NAMESPACE, schema())
            if callable(get := getattr(self._section, "get", None)):
                self.reading = lambda: _mapping(get())

    def dispose(self) -> None:
        """Take the section away again, where there is one."""
        with suppress(Exception):  # the host's own affair; it must not keep the plugin from ending
            if callable(dispose := getattr(self._section, "dispose", None)):
                dispose()


def _mapping(found: object) -> Mapping[str, Any]:
    if found is None:
        return {}
    if not isinstance(found, Mapping):
        raise TypeError(f"a mapping was expected, not {type(found).__name__}")
    return found
