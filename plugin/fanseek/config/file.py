"""Settings in a TOML file: the flat wire form, or a backend's own settings in a table under its name."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from fanseek.config.given import Given
from fanseek.config.load import unknown
from fanseek.config.options import Option, camel, options
from fanseek.config.rules import checked
from fanseek.config.urls import has_key, has_userinfo
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError
from fanseek.text.clean import plain

LARGEST = 65_536
"""Bytes of a file that are read; all settings with comments are a tenth of it."""


class Line(msgspec.Struct, frozen=True):
    """One setting of the file: its name as it is written there, and the table it stands in."""

    table: str
    name: str
    value: Any


def settings_in(path: Path, backends: Mapping[str, AnyBackend] | None = None) -> dict[str, Given]:
    """Every setting of the file. Raises ConfigError, one sentence that names the file and, where it can, the line."""
    text = _text(path)
    table = options(backends)
    owners = {option.backend for option in table.values() if option.backend}
    found: dict[str, Given] = {}
    for line in _lines(_parsed(path, text), owners):
        number = _number(text, line)
        place = f"{shown(path)}, line {number}" if number else shown(path)
        try:
            option, value = _setting(line, table)
        except ConfigError as problem:
            raise ConfigError(f"{place}: {problem}") from None
        if option.key in found:
            raise ConfigError(f"{place}: {option.key} is set twice, also in {found[option.key].source}")
        found[option.key] = Given(value=value, source=f"line {number}" if number else "")
    return found


def _setting(line: Line, table: Mapping[str, Option]) -> tuple[Option, Any]:
    option = _option(line, table)
    if option is None:
        raise ConfigError(unknown(f"{line.table}.{line.name}" if line.table else line.name, table))
    value = checked(option, line.value)
    texts = value if isinstance(value, list) else [value] if isinstance(value, str) else []
    if any(has_userinfo(text) or (option.is_base_url and has_key(text)) for text in texts):
        raise ConfigError(
            f"{option.key} must not hold a key or a password here; put the address into {option.variable}"
        )
    return option, value


def _option(line: Line, table: Mapping[str, Option]) -> Option | None:
    if not line.table:
        return table.get(line.name)
    own = (option for option in table.values() if option.backend == line.table)
    return next((option for option in own if line.name in _names(option)), None)


def _names(option: Option) -> set[str]:
    """What a backend's setting may be called in its table: short, or as it is called everywhere else."""
    return {option.field, camel(option.field), option.key} | ({"enable"} if option.is_switch else set())


def _lines(parsed: Mapping[str, Any], owners: set[str]) -> Iterator[Line]:
    for name, value in parsed.items():
        if isinstance(value, dict) and name in owners:
            yield from (Line(name, inner, one) for inner, one in value.items())
        else:
            yield Line("", name, value)


def _text(path: Path) -> str:
    name = shown(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode) and str(path) != os.devnull:
            raise ConfigError(f"{name} is not a file")
        with path.open("rb") as file:
            body = file.read(LARGEST + 1)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or "it is no name of a file"
        raise ConfigError(f"the config file {name} can't be read: {reason}") from None
    if len(body) > LARGEST:
        raise ConfigError(f"{name} has more than {LARGEST // 1024} KB; a config file is much smaller")
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = body.count(b"\n", 0, problem.start) + 1
        raise ConfigError(f"{name}, line {line}: this is not UTF-8 text; save the file as UTF-8") from None


def _parsed(path: Path, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        place = re.search(r"\(at (?:line (\d+)|end of document)", str(problem))
        line = f", line {place[1] or text.count(chr(10)) + 1}" if place else ""
    rule = 'settings are written as numResults = 5, language = "en", safeSearch = false, each name once'
    raise ConfigError(f"{shown(path)}{line}: this is not TOML; {rule}")


def shown(path: Path) -> str:
    """`path` on one line, safe to show."""
    return " ".join(plain(str(path)).split())


def _number(text: str, line: Line) -> int:
    """The line where a setting stands; 0 when that can't be told for certain."""
    name = re.escape(line.name)
    spelt = re.compile(rf"\s*[\"']?{name}[\"']?\s*=")
    dotted = re.compile(rf"\s*[\"']?{re.escape(line.table)}[\"']?\s*\.\s*[\"']?{name}[\"']?\s*=")
    table, seen = "", []
    for number, written in enumerate(text.splitlines(), 1):
        if head := re.match(r"\s*\[\s*[\"']?([^\"'\]]*?)[\"']?\s*\]", written):
            table = head[1]
            if not line.table and table == line.name:
                seen.append(number)
        elif (table == line.table and spelt.match(written)) or (line.table and not table and dotted.match(written)):
            seen.append(number)
    return seen[0] if len(seen) == 1 else 0
