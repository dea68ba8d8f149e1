"""Lists of words and names that comparing titles needs, each a text file beside this one."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def lines(name: str) -> tuple[str, ...]:
    """The entries of the list `name` that has one a line; lines that begin with `#` are remarks."""
    text = files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in map(str.strip, text.splitlines()) if line and not line.startswith("#"))


@cache
def words(name: str) -> frozenset[str]:
    """The entries of the list `name` that has many a line, set apart by spaces."""
    return frozenset(word for line in lines(name) for word in line.split())
