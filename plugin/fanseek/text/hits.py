"""The hits of one answer made fit to show: safe URLs, clean text, one hit for each page."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fanseek.contract import Hit
from fanseek.contract.wire import words
from fanseek.text.canonical import key
from fanseek.text.clean import plain
from fanseek.text.cut import cut
from fanseek.text.urls import result_url

TITLE, SNIPPET, SHORT = 500, 5000, 200
"""The most characters of a title, of a snippet, and of a date or an author's name."""

_RAW = 8
"""How many times as long as its clean form a raw text is read."""


def cleaned(hits: Sequence[Hit], *, html: bool = False) -> tuple[Hit, ...]:
    """`hits` with a usable URL, each page once, in order; `html` says that texts are HTML.

    Of two hits for one page the first stays and takes what it lacks from the other.
    """
    kept: dict[str, Hit] = {}
    for hit in hits:
        url = result_url(hit.url)
        if url is None:
            continue
        clean = msgspec.structs.replace(
            hit,
            url=url,
            title=_text(hit.title, TITLE, html=html),
            snippet=_text(hit.snippet, SNIPPET, html=html, lines=True),
            published=_text(hit.published, SHORT, html=html),
            author=_text(hit.author, SHORT, html=html),
        )
        page = key(url)
        kept[page] = _filled(kept[page], clean) if page in kept else clean
    return tuple(kept.values())


def _text(raw: object, limit: int, *, html: bool, lines: bool = False) -> str | None:
    if not isinstance(raw, str):
        return None
    shown = words(plain(raw[: _RAW * limit], html=html, lines=lines))
    return cut(shown, limit) if shown else None


def _filled(first: Hit, other: Hit) -> Hit:
    """`first`, what it lacks filled in from `other`; both index families count."""
    return msgspec.structs.replace(
        first,
        title=first.title or other.title,
        snippet=first.snippet or other.snippet,
        published=first.published or other.published,
        author=first.author or other.author,
        families=tuple(dict.fromkeys((*first.families, *other.families))),
    )
