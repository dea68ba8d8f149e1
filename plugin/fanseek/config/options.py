"""Every setting as one option of the flat wire form: its camelCase key, its environment variable, its type."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, get_args

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import FieldInfo, fields

from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError
from fanseek.registry import backends as registered

PREFIX = "FANSEEK_"
NESTED = "backends"
SWITCH = "enabled"
SECRETS = frozenset({"key"})
"""Fields of a backend's settings that are resolved at each call and never configured."""

UNITS = {
    "_ms": "milliseconds",
    "_s": "seconds",
    "_ttl": "seconds",
    "_per_minute": "calls per minute",
    "_per_day": "calls per day",
}
"""Units by the ending of a field's name."""

SPELLING = {"url": "URL", "urls": "URLs"}
"""Words the wire form spells its own way."""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One setting. `backend` is empty for the core's own."""

    key: str
    variable: str
    field: str
    type: Any
    default: Any
    backend: str = ""
    owner: type[msgspec.Struct] = Settings

    @property
    def is_switch(self) -> bool:
        """Whether it turns a backend on or off: true and false are accepted beside auto, on and off."""
        return bool(self.backend) and self.field == SWITCH

    @property
    def schema(self) -> dict[str, Any]:
        """The type as JSON Schema with its unit, enumerations in the order of their declaration."""
        whole = msgspec.json.schema(self.type)
        unit = next((unit for ending, unit in UNITS.items() if self.field.endswith(ending)), "")
        if unit:
            whole.setdefault("unit", unit)
        if "enum" in whole:
            bare = self.type.__origin__ if hasattr(self.type, "__metadata__") else self.type
            whole["enum"] = [*get_args(bare), *((True, False) if self.is_switch else ())]
        return whole

    @property
    def is_base_url(self) -> bool:
        """Whether its value is one or more addresses of a backend."""
        return bool(self.backend) and self.field.endswith(("url", "urls"))

    @property
    def takes_many(self) -> bool:
        """Whether it is a list of addresses: by its type, or as a text with commas where the default is empty."""
        return self.is_base_url and not (isinstance(self.default, str) and self.default)

    @property
    def is_reference(self) -> bool:
        """Whether its value is the name of the variable that holds a key."""
        return bool(self.backend) and self.field.endswith("_env")


def options(backends: Mapping[str, AnyBackend] | None = None) -> Mapping[str, Option]:
    """Every option by wire key: the core's, then each backend's in order of name.

    Raises ConfigError when two settings would share a key or a variable.
    """
    return _of_registered() if backends is None or backends is registered() else _of(backends)


@cache
def _of_registered() -> Mapping[str, Option]:
    return MappingProxyType(_of(registered()))


def _of(backends: Mapping[str, AnyBackend]) -> dict[str, Option]:
    found: dict[str, Option] = {}
    taken: set[str] = set()
    for option in _all(backends):
        if option.key in found or option.variable in taken:
            raise ConfigError(f"two settings are named {option.key} ({option.variable})")
        found[option.key] = option
        taken.add(option.variable)
    return found


def _all(backends: Mapping[str, AnyBackend]) -> list[Option]:
    core = [
        Option(
            key=camel(field.name),
            variable=PREFIX + field.name.upper(),
            field=field.name,
            type=field.type,
            default=_default(field),
        )
        for field in fields(Settings)
        if field.name != NESTED
    ]
    return core + [
        _of_backend(name, backends[name].settings, field)
        for name in sorted(backends)
        for field in sorted(fields(backends[name].settings), key=lambda field: field.name != SWITCH)
        if field.name not in SECRETS
    ]


def _of_backend(name: str, owner: type[msgspec.Struct], field: FieldInfo) -> Option:
    words = ("enable", name) if field.name == SWITCH else (name, field.name)
    joined = "_".join(words)
    return Option(
        key=camel(joined),
        variable=PREFIX + joined.upper(),
        field=field.name,
        type=field.type,
        default=_default(field),
        backend=name,
        owner=owner,
    )


def _default(field: FieldInfo) -> Any:
    value = field.default if field.default_factory is NODEFAULT else field.default_factory()
    if value is NODEFAULT:
        raise ConfigError(f"the setting {field.name} has no default")
    return json_of(value)


def json_of(value: Any) -> Any:
    """A setting's value as the wire has it."""
    plain = msgspec.to_builtins(value)
    return list(plain) if isinstance(plain, tuple) else plain


def camel(name: str) -> str:
    """`name` in the spelling of the wire form: base_url → baseURL."""
    first, *others = name.split("_")
    return first + "".join(SPELLING.get(word, word[:1].upper() + word[1:]) for word in others)
