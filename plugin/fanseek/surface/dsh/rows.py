"""A list of patches, such as a profile's cordis.patch.yml: its rows, and the same text with one of them changed.

It is YAML that people and the harness write. Only rows of ours are read closely; what is around them stays untouched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fanseek.surface.dsh.files import body
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.row import Row, Unreadable, rendered
from fanseek.surface.dsh.scalars import Scalar, in_lines

EMPTY = re.compile(r"(?m)^\[\s*\][ \t]*(#.*)?$")
MARKER = re.compile(r"---|\.\.\.|%")


class Rows:
    """The text, cut into rows."""

    def __init__(self, path: Path, raw: bytes) -> None:
        self._path = path
        try:
            self.text = raw.decode("utf-8")
        except UnicodeDecodeError:
            raise self._broken(0) from None
        self._lines = in_lines(self.text)
        self._spans = self._cut()

    def config(self, ident: str) -> dict[str, Any] | None:
        """The config that the last row of that id gives. Raises Refusal."""
        given = [head["config"] or {} for _, head in self._of(ident) if "config" in head]
        return given[-1] if given else None

    def head(self, ident: str) -> dict[str, Any]:
        """What all rows of that id say together, a later one over an earlier."""
        whole: dict[str, Any] = {}
        for _, head in self._of(ident):
            whole |= head
        return whole

    def with_config(self, ident: str, values: Mapping[str, Scalar], *, name: str | None = None) -> str:
        """The text with `values` in the config of that row, which is added where there is none. Raises Refusal."""
        rows = self._of(ident)
        holding = [span for span, head in rows if "config" in head] or [span for span, _ in rows]
        if holding:
            start, end = holding[-1]
            return self._with(start, end, Row(self._lines[start:end]).with_config(values))
        kept = {key: value for key, value in values.items() if value is not None}
        if not kept:
            return self.text
        return self._added(rendered({"id": ident, **({"name": name} if name else {}), "config": kept}, self._indent))

    def enabled(self, ident: str) -> str:
        """The text in which no row of that id is disabled."""
        for (start, end), head in reversed(self._of(ident)):
            if head.get("disabled") is True:
                changed = self._with(start, end, Row(self._lines[start:end]).without("disabled"))
                return Rows(self._path, changed.encode()).enabled(ident)
        return self.text

    def without(self, ident: str) -> str:
        """The text without the rows of that id; an empty list where no row is left."""
        rows = self._of(ident)
        lines = list(self._lines)
        for (start, end), _ in reversed(rows):
            del lines[start:end]
        if rows and len(rows) == len(self._spans):
            lines.append("[]\n")
        return "".join(lines)

    @property
    def _indent(self) -> int:
        return Row(self._lines[slice(*self._spans[0])]).indent if self._spans else 0

    def _of(self, ident: str) -> list[tuple[tuple[int, int], dict[str, Any]]]:
        """Place and keys of the rows that change the one of that id. Raises Refusal."""
        found = []
        for start, end in self._spans:
            if not any(ident in line for line in self._lines[start:end]):
                continue
            row = Row(self._lines[start:end])
            try:
                head = {} if row.insert_only() else row.head
            except Unreadable as problem:
                raise self._broken(start + problem.line) from None
            if head.get("id") == ident:
                found.append(((start, end), head))
        return found

    def _with(self, start: int, end: int, lines: list[str]) -> str:
        return "".join([*self._lines[:start], *lines, *self._lines[end:]])

    def _added(self, lines: list[str]) -> str:
        if not self._spans and EMPTY.search(self.text):
            return EMPTY.sub(lambda _: "".join(lines).rstrip("\n"), self.text, count=1)
        last = "" if not self.text or self.text.endswith("\n") else "\n"
        return self.text + last + "".join(lines)

    def _cut(self) -> list[tuple[int, int]]:
        """First line and the one after the last of each row. Raises Refusal for what is no list."""
        starts: list[int] = []
        indent = None
        for number, line in enumerate(self._lines):
            bare = line.strip()
            if not bare or bare.startswith("#") or MARKER.match(line) or EMPTY.match(line):
                continue
            depth = len(line) - len(line.lstrip(" "))
            if indent is None:
                indent = depth
            is_item = depth == indent and re.match(r"-(\s|$)", bare)
            if "\t" in line[: depth + 1] or (depth <= indent and not is_item):
                raise self._broken(number)
            if is_item:
                starts.append(number)
        ends = [*starts[1:], len(self._lines)]
        return [(start, self._trimmed(start, end)) for start, end in zip(starts, ends, strict=False)]

    def _trimmed(self, start: int, end: int) -> int:
        """`end` without the blank lines and comments that stand before the next row."""
        while end > start + 1 and (not self._lines[end - 1].strip() or self._lines[end - 1].startswith("#")):
            end -= 1
        return end

    def _broken(self, number: int) -> Refusal:
        return Refusal("broken-rows", file=self._path, line=number + 1)


def read(path: Path) -> Rows:
    """The rows of that file; none where there is no such file. Raises Refusal."""
    try:
        raw = body(path)
    except OSError as problem:
        raise Refusal("unreadable", file=path, message=problem.strerror or type(problem).__name__) from None
    return Rows(path, raw or b"")
