"""One setting as somebody gave it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fanseek.config.load import unknown
from fanseek.config.options import options
from fanseek.config.rules import checked
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A checked value in wire form; `source` says where exactly it stands: a variable, a line of a file."""

    value: Any
    source: str = ""


Values = Mapping[str, Given]


def taken(mapping: Mapping[str, Any], backends: Mapping[str, AnyBackend] | None = None) -> dict[str, Given]:
    """Wire keys and values, checked. Raises ConfigError."""
    table = options(backends)
    found: dict[str, Given] = {}
    for key, value in mapping.items():
        if key not in table:
            raise ConfigError(unknown(key, table))
        found[key] = Given(value=checked(table[key], value))
    return found
