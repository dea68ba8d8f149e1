"""Arguments as models send them: numbers and lists as text, and "null" for what they do not mean to give."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from fanseek.errors import UsageError

_ABSENT = frozenset({"", "null", "none", "undefined"})

_YES, _NO = frozenset({"true", "yes", "1"}), frozenset({"false", "no", "0"})


Readers = Mapping[str, Callable[[str, Any], Any]]
"""By the name of an argument, what reads it."""


class Arguments(msgspec.Struct, frozen=True, kw_only=True):
    """What was given, as an engine takes it. `unknown` are the names of the rest."""

    known: dict[str, Any]
    unknown: tuple[str, ...] = ()


def whole(given: Any) -> Mapping[str, Any]:
    """The arguments of a call as an object; text that is one counts. Raises UsageError."""
    if isinstance(given, str) and given.strip():
        try:
            given = msgspec.json.decode(given)
        except msgspec.MsgspecError:
            raise UsageError("the arguments must be an object") from None
    if given is None or given == "":
        return {}
    if not isinstance(given, dict):
        raise UsageError("the arguments must be an object")
    return given


def taken(given: Mapping[str, Any], readers: Readers) -> Arguments:
    """Each argument in `given` as its reader has it; what is as good as absent is left out. Raises UsageError."""
    known = {}
    for name, reader in readers.items():
        value = given.get(name)
        if not _is_absent(value) or (name == "query" and isinstance(value, str) and value.strip()):
            known[name] = reader(name, value)
    return Arguments(known=known, unknown=tuple(name for name in given if name not in readers))


def _is_absent(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_absent, value))
    return value is None or (isinstance(value, str) and value.strip().lower() in _ABSENT)


def text(name: str, value: Any) -> str:
    """A text; a number is one, too."""
    if isinstance(value, list) and len(value) == 1:
        (value,) = value
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value}"
    raise UsageError(f"{name} must be a text")


def word(name: str, value: Any) -> str:
    """A text that is a name of something, in lower case."""
    return text(name, value).strip().lower()


def label(name: str, value: Any) -> str:
    """A text without blanks around it."""
    return text(name, value).strip()


def number(name: str, value: Any) -> int:
    """A whole number, also as text."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?[0-9]{1,9}(?:\.0*)?\s*", value, re.ASCII):
        value = float(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise UsageError(f"{name} must be a whole number")


def flag(name: str, value: Any) -> bool:
    """True or false, also as text or number."""
    said = str(value).strip().lower()
    if isinstance(value, bool | int | str) and said in _YES | _NO:
        return said in _YES
    raise UsageError(f"{name} must be true or false")


def texts(name: str, value: Any) -> list[str]:
    """A list of texts; also as JSON text, with commas between them, or a single one."""
    if isinstance(value, str):
        value = _listed(value)
    if isinstance(value, list) and all(isinstance(one, str) or one is None for one in value):
        return [one.strip() for one in value if not _is_absent(one)]
    raise UsageError(f"{name} must be a list of texts")


def _listed(value: str) -> Any:
    if value.lstrip().startswith("["):
        try:
            return msgspec.json.decode(value)
        except msgspec.MsgspecError:
            return None
    return value.split(",")


SEARCH: Readers = {
    "query": text,
    "max_results": number,
    "freshness": word,
    "time_range": label,
    "language": label,
    "region": label,
    "safe_search": word,
    "include_domains": texts,
    "exclude_domains": texts,
    "backends": lambda name, value: [one.lower() for one in texts(name, value)],
    "deep": flag,
    "fresh": flag,
    "structured": flag,
}
"""How the arguments of the tool `search` are read."""

STATUS: Readers = {"structured": flag}
