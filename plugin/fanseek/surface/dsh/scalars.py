"""Single values and short maps of YAML 1.2, as far as rows of a profile hold them."""

from __future__ import annotations

import json
import re
from typing import Any

Scalar = str | int | float | bool | None

PLAIN = re.compile(r"[A-Za-z_./][\w./@-]*(:[\w./@-]+)*")
"""Texts that need no quotes, if they don't read as something else."""

ODD = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
"""What some readers take for the end of a line, or for no text at all."""

OTHERWISE = re.compile(r"(?i)true|false|null|yes|no|on|off|y|n|~|\.inf|\.nan")
INTEGER = re.compile(r"[-+]?[0-9]+")
NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None, "~": None, "": None}
PIECE = re.compile(
    r"""\s*(
      "(?:\\.|[^"\\])*" | '(?:\'\'|[^'])*'
    | [{}\[\],] | :(?=\s|$)
    | (?:[^\s{}\[\],:]|:(?=\S)) (?:[^\n{}\[\],:]|:(?=\S))*
    )""",
    re.VERBOSE,
)
"""A piece of a map in braces: a text in quotes, a mark, or a text without quotes."""


def read(text: str) -> Scalar:
    """The value of `text`, a comment after it left out. Raises ValueError for what is no single value."""
    text = bare(text)
    if text[:1] == '"':
        value = json.loads(text)
        return str(value)
    if text[:1] == "'":
        if not re.fullmatch(r"'(?:''|[^'])*'", text):
            raise ValueError(text)
        return text[1:-1].replace("''", "'")
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    if INTEGER.fullmatch(text):
        return int(text)
    if NUMBER.fullmatch(text):
        return float(text)
    if text[0] in "!&*|>%@`{}[]," or ": " in text:
        raise ValueError(text)
    return text


def bare(text: str) -> str:
    """`text` without the comment after it and the space around it."""
    text = text.strip()
    if text[:1] in {'"', "'"}:
        found = re.match(r"""("(?:\\.|[^"\\])*"|'(?:''|[^'])*')\s*(#.*)?$""", text)
        return found[1] if found else text
    return re.split(r"(?:^|\s)#", text, maxsplit=1)[0].strip()


def write(value: Scalar) -> str:
    """`value` so that any reader of YAML finds it again."""
    if isinstance(value, str) and PLAIN.fullmatch(value) and not OTHERWISE.fullmatch(value):
        return value
    return quoted(value)


def in_lines(text: str) -> list[str]:
    """`text` by lines with their ends, as YAML has them: other signs that end lines elsewhere end none."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def quoted(value: Scalar) -> str:
    """`value` as JSON, which any reader of YAML understands."""
    return ODD.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def flow(text: str) -> dict[str, Any]:
    """A map in braces, nested maps included. Raises ValueError."""
    pieces = _pieces(text.strip())
    if not pieces or pieces.pop(0) != "{":
        raise ValueError(text)
    found = _map(pieces)
    if pieces:
        raise ValueError(text)
    return found


def _pieces(text: str) -> list[str]:
    pieces, place = [], 0
    while place < len(text):
        found = PIECE.match(text, place)
        if found is None:
            raise ValueError(text)
        if found[1].startswith("#"):
            break
        pieces.append(found[1].strip())
        place = found.end()
    return pieces


def _map(pieces: list[str]) -> dict[str, Any]:
    """What follows an opening brace, up to the closing one."""
    found: dict[str, Any] = {}
    while pieces:
        piece = pieces.pop(0)
        if piece == "}":
            return found
        if piece == ",":
            continue
        if not pieces or pieces.pop(0) != ":":
            raise ValueError(piece)
        found[str(read(piece))] = _value(pieces)
    raise ValueError("no closing brace")


def _value(pieces: list[str]) -> Any:
    if not pieces or pieces[0] in {",", "}"}:
        return None
    piece = pieces.pop(0)
    if piece == "{":
        return _map(pieces)
    if piece in {"[", "]", ":"}:
        raise ValueError(piece)
    return read(piece)
