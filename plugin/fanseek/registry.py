"""Which backends there are: modules of every package named by entry point group `fanseek.backends`."""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType

from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError

GROUP = "fanseek.backends"


@cache
def backends() -> Mapping[str, AnyBackend]:
    """Every backend by name, in order of priority. Raises ConfigError when two share a name."""
    found: dict[str, AnyBackend] = {}
    for package in sorted({entry.value for entry in entry_points(group=GROUP)}):
        for backend in scan(package):
            if backend.name in found:
                raise ConfigError(f"two backends are named {backend.name!r}; the second is in {package}")
            found[backend.name] = backend
    return MappingProxyType(dict(sorted(found.items(), key=lambda item: (item[1].priority, item[0]))))


def scan(package: str) -> list[AnyBackend]:
    """The BACKEND of every module of `package` that does not start with an underscore."""
    root = import_module(package)
    names = [module.name for module in pkgutil.iter_modules(root.__path__) if not module.name.startswith("_")]
    return [import_module(f"{package}.{name}").BACKEND for name in names]
