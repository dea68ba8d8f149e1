"""What a cut leaves of a query's connectives and parentheses: none that joins nothing, none without its other half."""

from __future__ import annotations

import re
from collections.abc import Iterator

_QUOTED = re.compile(r'"[^"]*"')
_LEADING = re.compile(r"\A(?:(?:OR|AND|\||&{1,2})(?=\s)\s+)+")
_TRAILING = re.compile(r"(?:(?:\A|\s+)(?:OR|AND|NOT|\||&{1,2}|[-+]))+\Z")


def sound(text: str) -> str:
    """`text` without the connectives at its ends and the parentheses that stand alone; as it is where that is all."""
    lone = frozenset(_lone(text))
    whole = " ".join("".join(sign for at, sign in enumerate(text) if at not in lone).split()) if lone else text
    return _TRAILING.sub("", _LEADING.sub("", whole)) or text


def _lone(text: str) -> Iterator[int]:
    """Where parentheses outside quotes stand that have no other half."""
    opened: list[int] = []
    bare = _QUOTED.sub(lambda quoted: " " * len(quoted[0]), text)
    for at, sign in enumerate(bare):
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            opened.pop()
        elif sign == ")":
            yield at
    yield from opened
