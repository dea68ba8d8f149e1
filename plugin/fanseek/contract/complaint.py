"""An error that a service states in its answer under a status of success: an empty list beside it is no emptiness."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from fanseek.contract.exchange import Response

LONGEST = 160
"""Characters of it that are repeated."""


class _Stated(msgspec.Struct):
    error: object = None
    errors: object = None


def stated_error(response: Response) -> str:
    """What `response`, or the tool result in it, says went wrong; empty where it says nothing of the kind."""
    for body in _objects(response):
        try:
            stated = msgspec.json.decode(body, type=_Stated)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue
        if said := _words(stated.error) or _words(stated.errors):
            return " ".join(said.split())[:LONGEST]
    return ""


def _objects(response: Response) -> Iterator[bytes | str | msgspec.Raw]:
    yield response.body.removeprefix(b"\xef\xbb\xbf")
    if b'"jsonrpc"' in response.body:
        try:
            result = response.tool
        except (msgspec.DecodeError, ValueError, RecursionError):
            return
        yield result.structured
        yield from (block.text for block in result.content)


def _words(tree: object) -> str:
    """The first words of an error; a code other than 0 where it has none."""
    if isinstance(tree, list):
        return next(filter(None, map(_words, tree[:3])), "")
    if isinstance(tree, dict):
        return next(
            filter(None, (_words(tree.get(name)) for name in ("message", "detail", "error", "type", "code"))), ""
        )
    if isinstance(tree, bool):
        return "no reason given" if tree else ""
    return str(tree) if isinstance(tree, str | int) and tree else ""
