"""The list a harness makes of what crosses `ctx.web`, without escaping (fact 4.4), and Markdown's own reading of it."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def listed(result: dict[str, Any]) -> str:
    """The lines below `Sources:`."""
    return "\n".join(_line(source) for source in result["sources"])


def _line(source: dict[str, str]) -> str:
    label = source.get("title") or urlsplit(source["url"]).hostname
    date = f"({source['publishedAt']})" if source.get("publishedAt") else ""
    rest = " ".join(part for part in (source.get("snippet", ""), date) if part)
    return f"- [{label}]({source['url']})" + (f" — {rest}" if rest else "")


def items(markdown: str) -> list[list[Token]]:
    """The inline tokens of each list item; anything that is no list item of one paragraph is an error."""
    found = []
    for token in MARKDOWN.parse(markdown):
        if token.type == "inline":
            found.append(token.children or [])
        else:
            assert token.type in {
                "bullet_list_open",
                "bullet_list_close",
                "list_item_open",
                "list_item_close",
                "paragraph_open",
                "paragraph_close",
            }, token.type
    return found
