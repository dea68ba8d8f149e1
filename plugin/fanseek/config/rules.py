"""Whether a value may stand for an option. Messages name the option and the rule, never the value of a text."""

from __future__ import annotations

import math
import re
from datetime import date, time
from typing import Any

import msgspec

from fanseek.config.options import Option, json_of
from fanseek.config.secrets import stored
from fanseek.config.urls import fault_of_address, fault_of_proxy
from fanseek.config.zones import fault_of_zone
from fanseek.errors import ConfigError

SWITCH_WORDS = {True: "on", False: "off"}
PROXY, TIME_ZONE = "proxy", "time_zone"
NOUNS: dict[type, str] = {type(None): "null", list: "a list", tuple: "a list", dict: "a table"}
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]{0,63}", re.ASCII)
"""References are upper-case, so that a key pasted by mistake is refused rather than repeated as a name."""


def checked(option: Option, value: Any, label: str = "") -> Any:
    """`value` as plain JSON types, fit for `option`. `label` is what a message calls the option.

    Raises ConfigError.
    """
    label = label or option.key
    if option.is_switch and isinstance(value, bool):
        value = SWITCH_WORDS[value]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        fit = json_of(msgspec.convert(value, option.type))
    except (msgspec.ValidationError, OverflowError):
        raise ConfigError(f"{label} must be {rule(option)}{_seen(value)}") from None
    if isinstance(fit, float) and not math.isfinite(fit):
        raise ConfigError(f"{label} must be {rule(option)}{_seen(value)}")
    if fault := _fault(option, fit):
        raise ConfigError(f"{label} {fault}")
    return fit


def _seen(value: Any) -> str:
    """What was given, where it may be repeated: numbers and kinds. A text could be a pasted key."""
    if isinstance(value, str):
        return ""
    if isinstance(value, bool):
        return f", not {str(value).lower()}"
    if isinstance(value, int | float):
        large = isinstance(value, int) and abs(value) >= 10**12
        return ", not a number that large" if large else f", not {value}"
    noun = "a date or time" if isinstance(value, date | time) else "that"
    return f", not {NOUNS.get(type(value), noun)}"


def _fault(option: Option, value: Any) -> str:
    """What is wrong with a value of the right type; empty when nothing is."""
    if option.is_base_url:
        return next(filter(None, map(fault_of_address, _addresses(option, value))), "")
    if option.is_reference and value and not VARIABLE.fullmatch(value):
        rule = "must be the name of an environment variable (upper-case letters, digits and _), not a key"
        return f"{rule}; {stored(option.default)}"
    if option.backend:
        return ""
    fault = {PROXY: fault_of_proxy, TIME_ZONE: fault_of_zone}.get(option.field)
    return fault(value) if fault else ""


def _addresses(option: Option, value: Any) -> list[str]:
    """Every address in a value; an empty text is none where the setting may be left empty."""
    if not isinstance(value, str):
        return list(value or ())
    if not option.takes_many:
        return [value]
    return [one.strip() for one in value.split(",")] if value.strip() else []


def rule(option: Option) -> str:
    """What may stand for `option`, in words: `a whole number from 1 to 50`."""
    return described(option.schema)


def takes(option: Option) -> str:
    """All that may stand for `option`, in words, with its unit."""
    if option.is_reference:
        return "the name of an environment variable"
    if option.is_base_url:
        return "URLs, a comma between them, or nothing" if option.takes_many else "a URL"
    if not option.backend and option.field == PROXY:
        return "auto, direct or a proxy URL"
    unit = option.schema.get("unit", "")
    return f"{rule(option)}, in {unit}" if unit else rule(option)


def described(schema: dict[str, Any]) -> str:
    """A JSON Schema of a plain value in words."""
    if "enum" in schema:
        return "one of " + ", ".join(str(one).lower() if isinstance(one, bool) else str(one) for one in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(described(one) for one in schema["anyOf"])
    kind = schema.get("type")
    if kind in ("integer", "number"):
        return ("a whole number" if kind == "integer" else "a number") + _range(schema)
    if kind == "string":
        return _text(schema)
    if kind == "array":
        return f"a list, each item {described(schema.get('items', {}))}"
    return {"boolean": "true or false", "null": "null", "object": "an object"}.get(str(kind), "another value")


def _text(schema: dict[str, Any]) -> str:
    if "pattern" in schema:
        return f"a code such as {' or '.join(schema.get('examples', ()))}, or empty"
    return "text" + (f" of at most {schema['maxLength']} characters" if "maxLength" in schema else "")


def _range(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" from {low:g} to {high:,}".replace(",", " ") if high >= 10_000 else f" from {low:g} to {high:g}"
    if low is not None:
        return f" of at least {low:g}"
    return f" of at most {high:g}" if high is not None else ""
