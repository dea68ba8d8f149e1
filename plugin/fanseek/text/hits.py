"""The hits of one answer made fit to show: safe URLs, clean text, one hit for each page."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from fanseek.contract import Hit
from fanseek.contract.wire import words
from fanseek.text.canonical import key
from fanseek.text.clean import plain
from fanseek.text.cut import cut
from fanseek.text.urls import result_url

TITLE, SNIPPET, SHORT, ANSWER = 500, 5000, 200, 20_000
"""The most characters of a title, of a snippet, of a date or an author's name, and of an answer."""

PARAGRAPH = re.compile(r"(?:\r?\n[ \t]*){2,}|\u2029")

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
            families=_families(hit.families),
        )
        page = key(url)
        kept[page] = _filled(kept[page], clean) if page in kept else clean
    return tuple(kept.values())


def said(answer: str | None) -> str | None:
    """The text of a direct answer, clean, its lines and paragraphs kept."""
    raw = answer[: _RAW * ANSWER] if isinstance(answer, str) else ""
    parts = [plain(part, lines=True) for part in PARAGRAPH.split(raw)]
    shown = words("\n\n".join(filter(None, parts)))
    return cut(shown, ANSWER) if shown else None


def cited(urls: Sequence[str], hits: Sequence[Hit]) -> tuple[str, ...]:
    """Those of `urls` that are pages among `hits` (cleaned), each once, as the hits have them."""
    shown = {key(hit.url): hit.url for hit in hits}
    pages = (key(url) for given in urls if (url := result_url(given)))
    return tuple(dict.fromkeys(shown[page] for page in pages if page in shown))


def _text(raw: object, limit: int, *, html: bool, lines: bool = False) -> str | None:
    if not isinstance(raw, str):
        return None
    shown = words(plain(raw[: _RAW * limit], html=html, lines=lines))
    return cut(shown, limit) if shown else None


def _families(raw: object) -> tuple[str, ...]:
    return tuple(family for family in raw if isinstance(family, str)) if isinstance(raw, tuple | list) else ()


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
