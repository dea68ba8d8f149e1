"""Tolerant decoding of what others send: one bad row or field never costs the good ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

Rows = list[msgspec.Raw]
"""The type of a wire field that holds result rows, decoded one by one by `rows`."""


def decode(body: bytes | msgspec.Raw, kind: type[T]) -> T:
    """`body` as `kind`; a byte-order mark and lone surrogates are tolerated.

    Raises msgspec.DecodeError (msgspec.ValidationError for a wrong shape).
    """
    raw = bytes(body).removeprefix(b"\xef\xbb\xbf")
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeDecodeError):
        return msgspec.json.decode(msgspec.json.encode(_surrogates_replaced(raw)), type=kind)


def _surrogates_replaced(raw: bytes) -> Any:
    """`raw` through the standard decoder, which keeps lone surrogates, each then made U+FFFD."""
    try:
        tree = json.loads(raw.decode("utf-8", errors="replace"))
    except (ValueError, RecursionError) as problem:
        raise msgspec.DecodeError(f"not JSON: {problem}") from problem
    return _whole(tree)


def _whole(tree: Any) -> Any:
    if isinstance(tree, str):
        return tree.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")
    if isinstance(tree, list):
        return [_whole(item) for item in tree]
    if isinstance(tree, dict):
        return {_whole(key): _whole(value) for key, value in tree.items()}
    return tree


def rows(raws: Iterable[msgspec.Raw] | None, kind: type[T]) -> list[T]:
    """Each raw row as `kind`.

    A field of the wrong type falls back to its default; a row without its required fields, or that is no object
    at all, is left out.
    """
    found = []
    for raw in raws or ():
        row = _row(raw, kind)
        if row is not None:
            found.append(row)
    return found


def _row(raw: msgspec.Raw, kind: type[T]) -> T | None:
    try:
        return decode(raw, kind)
    except msgspec.ValidationError:
        return _repaired(raw, kind)
    except msgspec.DecodeError:
        return None


def _repaired(raw: msgspec.Raw, kind: type[T]) -> T | None:
    tree = decode(raw, object)
    if not isinstance(tree, dict):
        return None
    fit: dict[str, Any] = {}
    for field in msgspec.structs.fields(kind):  # type: ignore[arg-type]
        if field.encode_name in tree:
            value = msgspec.json.encode(tree[field.encode_name])
            try:
                msgspec.json.decode(value, type=field.type)
            except msgspec.ValidationError:
                continue
            fit[field.encode_name] = msgspec.Raw(value)
    try:
        return msgspec.json.decode(msgspec.json.encode(fit), type=kind)
    except msgspec.ValidationError:
        return None


def present(raw: msgspec.Raw) -> bool:
    """Whether an optional raw value was sent and is not null."""
    return bytes(raw) not in (b"", b"null")


def words(value: object) -> str | None:
    """`value` when it is a string with something in it and not a spelled-out null, else None."""
    if not isinstance(value, str):
        return None
    kept = value.strip()
    return None if kept in {"", "N/A", "null", "None", "undefined"} else kept


Stamp = str | int | float | None
"""The type of a wire field that holds a date: a text, or a count since 1970."""


def stamp(*values: object) -> str | None:
    """The first of `values` that may be a date, as a text: words, or a positive number in figures."""
    for value in values:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 10**20:
            return format(value, "f").rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
        if (kept := words(value)) is not None:
            return kept
    return None


def first_text(*values: object) -> str | None:
    """The first of `values` that `words` accepts."""
    return next((kept for kept in map(words, values) if kept), None)
