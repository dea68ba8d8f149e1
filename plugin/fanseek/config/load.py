"""From the flat wire form to the settings in memory."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import msgspec

from fanseek.config.options import Option, options
from fanseek.config.rules import checked
from fanseek.config.secrets import advice, is_secret
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError
from fanseek.registry import backends as registered


def load(mapping: Mapping[str, Any], backends: Mapping[str, AnyBackend] | None = None) -> Settings:
    """Settings from wire keys and values (`{"numResults": 5, "enableX": "off"}`); what is absent has its default.

    Values must have the type of their setting, the strings of an environment go through `from_environment` first.
    `backends` is whose settings there are, by default the registry's. Raises ConfigError.
    """
    known = registered() if backends is None else backends
    table = options(known)
    core: dict[str, Any] = {}
    nested: dict[str, dict[str, Any]] = {name: {} for name in known}
    for key, value in mapping.items():
        option = table.get(key)
        if option is None:
            raise ConfigError(unknown(key, table))
        (nested[option.backend] if option.backend else core)[option.field] = checked(option, value)
    own = {name: msgspec.convert(values, known[name].settings) for name, values in nested.items()}
    return msgspec.structs.replace(msgspec.convert(core, Settings), backends=own)


def unknown(key: object, table: Mapping[str, Option]) -> str:
    """The message for a key that is no setting's: what it may have been meant as."""
    if not isinstance(key, str):
        return f"a setting's name must be text, not {type(key).__name__}"
    if is_secret(key, table.values()):
        return f"{_name(key)} is not a setting: keys are never settings; {advice(key, table.values())}"
    if switch := next((known for known, option in table.items() if option.is_switch and option.backend == key), ""):
        return f"{_name(key)} is a backend and no setting; its switch is {switch}"
    lower = {known.lower(): known for known in table}
    near = get_close_matches(key.lower(), lower, n=1, cutoff=0.6)
    return f"unknown setting {_name(key)}" + (f"; the nearest one is {lower[near[0]]}" if near else "")


def _name(key: str) -> str:
    """A name fit to be repeated: a short printable word without the digits of a pasted key, else nothing of it."""
    words = key.split(".")
    short = len(key) <= 40 and key.isascii() and all(word.isidentifier() for word in words)
    return key if short and sum(map(str.isdigit, key)) <= 2 else "(a name that is not repeated here)"
