"""Selectors applied to a page: rows of texts, and the signs that tell an answer from a wall. Linear in the page."""

from __future__ import annotations

import re
from collections.abc import Mapping

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from fanseek.contract import Field, Markup, Page, Response
from fanseek.errors import ConfigError
from fanseek.text.charset import decode
from fanseek.text.clean import plain
from fanseek.text.entities import resolved
from fanseek.text.nesting import Tamed

MOST_ROWS = 500
"""Rows read off one page; no honest answer has as many."""

MOST_TEXT = 4_000_000
"""Characters read off one page, all rows together; more means rows inside rows."""


def apply(markup: Markup, response: Response) -> Page:
    """`markup`'s rows, signs and title of the page in `response`.

    Raises ValueError for a page nested as no honest one is, ConfigError naming a selector that is none.
    """
    tamed = Tamed(decode(response.body, response.headers.get("content-type", "")))
    tree = LexborHTMLParser(tamed.markup)
    rows = _rows(markup, tree)
    signs = {name for name, css in markup.signs.items() if _select(tree, css, first=True)}
    if not rows:
        signs |= {
            name for name, texts in markup.words.items() if any(_stands(text, tamed.markup, tree) for text in texts)
        }
    return Page(rows=rows, signs=frozenset(signs), title=plain(resolved(tamed.title)))


def _rows(markup: Markup, tree: LexborHTMLParser) -> tuple[Mapping[str, str], ...]:
    skipped = {node.mem_id for node in _select(tree, markup.skip)} if markup.skip else set()
    nodes = [node for node in _select(tree, markup.row) if node.mem_id not in skipped][:MOST_ROWS]
    rows, size = [], 0
    for node in nodes:
        row = {name: value for name, field in markup.fields.items() if (value := _value(node, field))}
        size += sum(map(len, row.values()))
        if size > MOST_TEXT:
            raise ValueError(f"rows of more than {MOST_TEXT} characters")
        rows.append(row)
    return tuple(rows)


def _value(row: LexborNode, field: Field) -> str:
    """The field's text with blanks folded, or its attribute; empty where there is none."""
    found = _select(row, field.css, first=True) if field.css else [row]
    if not found:
        return ""
    if field.attribute:
        return (found[0].attributes.get(field.attribute) or "").strip()
    return " ".join(found[0].text().split())


def _select(within: LexborHTMLParser | LexborNode, css: str, *, first: bool = False) -> list[LexborNode]:
    try:
        if not first:
            return within.css(css)
        node = within.css_first(css)
    except SelectolaxError as problem:
        raise ConfigError(f"not a CSS selector: {css!r}") from problem
    return [] if node is None else [node]


def _stands(saying: str, markup: str, tree: LexborHTMLParser) -> bool:
    """Whether `saying` is the whole text of some element, case and blanks apart."""
    words = saying.split()
    pattern = r"\s+".join(map(re.escape, words))
    if not words or re.search(rf">\s*{pattern}\s*<", markup, re.IGNORECASE) is None:
        return False
    wanted = " ".join(words).casefold()
    root = tree.root
    texts = root.text(separator="\0").split("\0") if root is not None else []
    return any(" ".join(text.split()).casefold() == wanted for text in texts)
