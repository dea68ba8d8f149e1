"""The words of a search: as the caller gave them, as they are asked, and the parts that are asked beside them."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category

import msgspec
from msgspec import UNSET, UnsetType

from fanseek.errors import UsageError
from fanseek.select.shape import shaped
from fanseek.select.spelling import spelled
from fanseek.select.variants import variants
from fanseek.types import Note


class Phrasing(msgspec.Struct, frozen=True, kw_only=True):
    """A query that can be asked."""

    given: str
    asked: str
    parts: tuple[str, ...] = ()

    @property
    def rewritten(self) -> str | UnsetType:
        """What is asked where that is not what was given."""
        return self.asked if self.asked != self.given else UNSET

    @property
    def notes(self) -> Iterable[Note]:
        """What was made of the query, in words."""
        if self.asked != self.given:
            message = f'searched for "{self.asked}", without the greeting or command around it (shape_query)'
            yield Note(kind="query_rewritten", message=message)
        if self.parts:
            each = ", ".join(f'"{part}"' for part in self.parts)
            yield Note(kind="sub_queries", message=f"asked beside the query itself: {each} (multi_query)")


def phrasing(query: object, *, shape: bool, multi: bool) -> Phrasing:
    """The phrasing of `query`. Raises UsageError where there is nothing to search for."""
    if not isinstance(query, str):
        raise UsageError(f"query must be a string, not {type(query).__name__}")
    given = spelled(query)
    if not any(map(_is_seen, given)):
        raise UsageError("query is empty: give at least one word to search for")
    asked = shaped(given) if shape else given
    if not asked:
        raise UsageError(
            f"query {given[:40]!r} is only a greeting or a command: say what to search for, "
            "or put it in quotes to search for these words"
        )
    return Phrasing(given=given, asked=asked, parts=variants(asked) if multi else ())


def _is_seen(sign: str) -> bool:
    """Whether `sign` shows something by itself: no blank, and no mark that needs a letter to stand on."""
    return sign.isprintable() and not sign.isspace() and sign != "\u2800" and not category(sign).startswith("M")
