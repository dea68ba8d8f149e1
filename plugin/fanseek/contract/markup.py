"""Selectors as data: how to read result rows off an HTML page. Evaluated by `fanseek.text`, so users can override."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Field(msgspec.Struct, frozen=True):
    """One value of a row: the first match of `css` inside it; its text, or the attribute named."""

    css: str
    attribute: str = ""


class Markup(msgspec.Struct, frozen=True, kw_only=True):
    """Where the rows of a page are, what they hold, and which signs tell a page that is no answer.

    `row` and `skip` are CSS selectors, a row that matches `skip` is left out. `signs` maps a sign's name
    (`empty`, `blocked` …) to the selector whose presence means it; `words` maps a sign to texts, one of
    which must be the whole text of some element of a page without rows, for pages that mark emptiness by words alone.
    A field whose `css` is empty is the row itself.
    """

    row: str
    fields: Mapping[str, Field]
    skip: str = ""
    signs: Mapping[str, str] = {}
    words: Mapping[str, tuple[str, ...]] = {}


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """A page after its markup was applied: text of each field by row, and the signs that were seen."""

    rows: tuple[Mapping[str, str], ...] = ()
    signs: frozenset[str] = frozenset()
    title: str = ""
