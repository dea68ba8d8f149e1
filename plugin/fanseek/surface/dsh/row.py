"""One row of a list of patches: read as far as we must, edited line by line, so that the rest stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from fanseek.surface.dsh.scalars import Scalar, bare, flow, read, write

KEY = re.compile(r"""( *)("[^"]*"|'[^']*'|[A-Za-z_$][\w.$-]*)[ ]*:(?:[ ]+(.*)|)$""")


class Unreadable(Exception):  # noqa: N818 - a state of the text
    """A line that is none of what rows are made of; `line` counts from 0 within the row."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class Row:
    """The lines of one item of the list, the first with its dash."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        dash = re.match(r"( *)-( *)", lines[0])
        self.indent = len(dash[1]) if dash else 0
        self._depth = dash.end() if dash and lines[0].strip() != "-" else self.indent + 2
        self.braced = lines[0][self._depth :].startswith("{")

    @property
    def head(self) -> dict[str, Any]:
        """Its own keys; of what is nested only `config`. Raises Unreadable."""
        if self.braced:
            return self._flow("".join(self.lines)[self._depth :], 0)
        found: dict[str, Any] = {}
        for number, name, value in self._keys(self._depth, 0, len(self.lines)):
            if name == "config":
                found[name] = self._config(number, value)
            else:
                found[name] = _single(value)
        return found

    def insert_only(self) -> bool:
        """Whether it puts new rows in, and changes none."""
        return any(re.match(r"\s*-?\s*\{?\s*insert\s*:", line) for line in self.lines[:1]) or "insert" in self.head

    def with_config(self, values: Mapping[str, Scalar]) -> list[str]:
        """The row's lines with `values` in its config; None takes one out. Raises Unreadable."""
        head = self.head
        config = {**(head.get("config") or {}), **values}
        kept = {name: value for name, value in config.items() if value is not None}
        place = self._open_config()
        if self.braced or place is None or not kept:
            return rendered({**head, "config": kept}, self.indent)
        lines = list(self.lines)
        first, depth = place
        known = {name: number for number, name, _ in self._keys(depth, first, self._end(first, depth))}
        for name, number in sorted(known.items(), key=lambda one: -one[1]):
            if name not in values:
                continue
            lines[number : number + 1] = [_line(depth, name, values[name])] if values[name] is not None else []
        added = [_line(depth, name, value) for name, value in values.items() if name not in known and value is not None]
        return [*lines[:first], *added, *lines[first:]]

    def without(self, name: str) -> list[str]:
        """The row's lines without one of its own keys that holds a single value."""
        head = {key: value for key, value in self.head.items() if key != name}
        if self.braced:
            return rendered(head, self.indent)
        gone = {number for number, key, _ in self._keys(self._depth, 0, len(self.lines)) if key == name}
        if 0 in gone:
            return rendered(head, self.indent)
        return [line for number, line in enumerate(self.lines) if number not in gone]

    def _config(self, number: int, value: str) -> dict[str, Any] | None:
        if bare(value).startswith("{"):
            return self._flow(value, number)
        if bare(value):
            raise Unreadable(number)
        place = self._open_config()
        if place is None:
            return None
        first, depth = place
        return {name: _single(text) for _, name, text in self._keys(depth, first, self._end(first, depth))}

    def _open_config(self) -> tuple[int, int] | None:
        """The first line and the indentation of a config that is written line by line."""
        if self.braced:
            return None
        for number, name, value in self._keys(self._depth, 0, len(self.lines)):
            if name == "config" and not bare(value):
                for below in range(number + 1, len(self.lines)):
                    line = self.lines[below]
                    if line.strip() and not line.lstrip().startswith("#"):
                        depth = len(line) - len(line.lstrip(" "))
                        return (below, depth) if depth > self._depth else None
        return None

    def _end(self, first: int, depth: int) -> int:
        for number in range(first, len(self.lines)):
            line = self.lines[number]
            if line.strip() and len(line) - len(line.lstrip(" ")) < depth:
                return number
        return len(self.lines)

    def _keys(self, depth: int, first: int, end: int) -> list[tuple[int, str, str]]:
        """Line, name and the text after the colon of each key at that depth. Raises Unreadable."""
        found = []
        for number in range(first, end):
            line = self.lines[number].rstrip("\r\n")
            if number == 0:
                line = " " * self._depth + line[self._depth :]
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            indent = len(line) - len(line.lstrip(" "))
            if indent > depth:
                continue
            key = KEY.match(line)
            if key is None or indent < depth:
                raise Unreadable(number)
            found.append((number, str(read(key[2])), key[3] or ""))
        return found

    def _flow(self, text: str, number: int) -> dict[str, Any]:
        try:
            return flow(text)
        except ValueError:
            raise Unreadable(number) from None


def rendered(head: Mapping[str, Any], indent: int = 0) -> list[str]:
    """A row's lines, one key a line, its config below it."""
    lines = []
    for name, value in head.items():
        if isinstance(value, Mapping) and value:
            lines.append(f"{name}:\n")
            lines += [f"  {inner}: {write(one)}\n" for inner, one in value.items()]
        else:
            lines.append(f"{name}: {'{}' if isinstance(value, Mapping) else write(value)}\n")
    pad = " " * indent
    return [f"{pad}{'- ' if number == 0 else '  '}{line}" for number, line in enumerate(lines)]


def _line(depth: int, name: str, value: Scalar) -> str:
    return f"{' ' * depth}{name}: {write(value)}\n"


def _single(text: str) -> Any:
    """A single value; of what is none, such as an expression, the text itself."""
    try:
        return flow(text) if bare(text).startswith("{") else read(text)
    except ValueError:
        return text.strip()
