"""Settings from texts: FANSEEK_* variables and `key=value` of a command line."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from fanseek.config.dirs import FILE
from fanseek.config.given import Given
from fanseek.config.load import unknown
from fanseek.config.options import PREFIX, SWITCH, Option, options
from fanseek.config.rules import checked
from fanseek.config.secrets import is_secret
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError
from fanseek.registry import backends as registered

log = logging.getLogger("fanseek.config")

CHOICE = ("FANSEEK_BACKENDS", "DSH_UNIFIED_SEARCH_BACKENDS")
"""Comma lists that force the enabled backends; the first one set wins."""

ENABLED = "_ENABLED"
"""A variable that ends so may leave that out: FANSEEK_CACHE=off. The whole name wins."""

TRUE = frozenset({"true", "on", "yes", "1"})
FALSE = frozenset({"false", "off", "no", "0"})


def from_environment(
    environment: Mapping[str, str],
    backends: Mapping[str, AnyBackend] | None = None,
) -> dict[str, Any]:
    """The wire form of what `variables` say."""
    return {key: given.value for key, given in variables(environment, backends).items()}


def variables(environment: Mapping[str, str], backends: Mapping[str, AnyBackend] | None = None) -> dict[str, Given]:
    """The setting of every FANSEEK_* variable set to something; a name that is no setting's is logged.

    Raises ConfigError naming the variable.
    """
    known = registered() if backends is None else backends
    table = _by_variable(known)
    for sentence in strangers(environment, known):
        log.warning("%s", sentence)
    found: dict[str, Given] = {}
    for variable in _ours(environment):
        option, text = table.get(variable), environment[variable].strip()
        if option is not None and text:
            value = checked(option, typed(option, text), f"{variable} ({option.key})")
            found[option.key] = Given(value=value, source=variable)
    return found | _chosen(environment, known, table)


def strangers(environment: Mapping[str, str], backends: Mapping[str, AnyBackend] | None = None) -> tuple[str, ...]:
    """A sentence for each FANSEEK_* variable that is no setting's."""
    table = _by_variable(backends)
    return tuple(_stranger(variable, table) for variable in _ours(environment) if variable not in table)


def _by_variable(backends: Mapping[str, AnyBackend] | None) -> dict[str, Option]:
    """Every option by its variable, a switch also without the last word of its name."""
    table = {option.variable: option for option in options(backends).values()}
    return {name.removesuffix(ENABLED): option for name, option in table.items() if name.endswith(ENABLED)} | table


def _ours(environment: Mapping[str, str]) -> list[str]:
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in (FILE, *CHOICE))


def from_text(pairs: Iterable[str], backends: Mapping[str, AnyBackend] | None = None) -> dict[str, Any]:
    """The wire form of `key=value` texts, the later one winning. Raises ConfigError."""
    table = options(backends)
    found: dict[str, Any] = {}
    for pair in pairs:
        key, mark, text = pair.partition("=")
        if not mark:
            raise ConfigError("a setting is given as key=value")
        option = table.get(key.strip())
        if option is None:
            raise ConfigError(unknown(key.strip(), table))
        found[option.key] = checked(option, typed(option, text.strip()))
    return found


def typed(option: Option, text: str) -> Any:
    """`text` as the JSON value it spells for `option`; itself where it spells none."""
    schema = option.schema
    kind = "switch" if option.is_switch else schema.get("type")
    if kind in ("boolean", "switch") and text.lower() in TRUE | FALSE:
        return text.lower() in TRUE
    if kind in ("integer", "number"):
        return _number(text)
    if kind == "array":
        return [part for part in (part.strip() for part in text.split(",")) if part]
    return text.lower() if "enum" in schema else text


def _number(text: str) -> int | float | str:
    for read in (int, float):
        try:
            return read(text) if text.isascii() and "_" not in text else text
        except ValueError:
            continue
    return text


def _chosen(
    environment: Mapping[str, str], known: Mapping[str, AnyBackend], table: Mapping[str, Option]
) -> dict[str, Given]:
    """Every backend's switch as a comma list forces it; nothing when there is no list."""
    variable = next((name for name in CHOICE if environment.get(name, "").strip(" ,")), "")
    if not variable:
        return {}
    wanted = {part for part in (part.strip().lower() for part in environment[variable].split(",")) if part}
    if strangers := sorted(wanted - known.keys()):
        log.warning(
            "%s names no backend of ours in %d of its items; known: %s", variable, len(strangers), ", ".join(known)
        )
    if not wanted & known.keys():
        raise ConfigError(f"{variable} must name at least one of {', '.join(known)}")
    return {
        option.key: Given(value="on" if option.backend in wanted else "off", source=variable)
        for option in table.values()
        if option.backend and option.field == SWITCH
    }


def _stranger(variable: str, table: Mapping[str, Option]) -> str:
    shown = (
        variable if len(variable) <= 80 and variable.isascii() and variable.isidentifier() else f"a {PREFIX} variable"
    )
    if is_secret(variable, ()):
        return f"{shown} has no effect: a key is read from the variable its backend names (such as NAME_API_KEY)"
    near = get_close_matches(variable, table, n=1, cutoff=0.6)
    return f"{shown} is not a setting and has no effect" + (f"; the nearest one is {near[0]}" if near else "")
