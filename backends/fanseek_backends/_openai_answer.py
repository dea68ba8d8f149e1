"""Answers of the Responses API with the web search tool: pages, text, and what of the text speaks of which page."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from fanseek.contract import Hit, Response, Rows, rows, words
from fanseek_backends._answers import answer_of, loosely

MARK = re.compile(r"([?&])utm_source=(?:openai|chatgpt\.com)(&|(?=#)|\Z)")
"""What the vendor adds to an address; the page's own address is without it."""

LEADING, TRAILING = ") \t\n-*•", " \t\n["
"""What stands around a line of the text and the marks before and behind it."""

MOST_CITATIONS = 500


class Source(msgspec.Struct):
    """A page that was looked at."""

    url: str
    type: str = ""


class Action(msgspec.Struct):
    """What the tool did; `sources` is there when it was asked for."""

    type: str = ""
    sources: msgspec.Raw = msgspec.Raw()


class Citation(msgspec.Struct):
    """A page that the text speaks of."""

    url: str
    title: str | None = None
    type: str = ""


class Part(msgspec.Struct):
    """One piece of what the model said."""

    type: str = ""
    text: str = ""
    annotations: msgspec.Raw = msgspec.Raw()


class Item(msgspec.Struct):
    """One step of the model: a search, a message."""

    type: str = ""
    status: str = ""
    action: Action | None = None
    content: msgspec.Raw = msgspec.Raw()


class Incomplete(msgspec.Struct):
    """Why an answer ended early."""

    reason: str | None = None


class Answer(msgspec.Struct):
    """The whole answer."""

    status: str = ""
    output: Rows = []
    error: msgspec.Raw = msgspec.Raw()
    incomplete: Incomplete | None = msgspec.field(default=None, name="incomplete_details")


def answer_in(response: Response) -> Answer:
    """The answer. Raises msgspec.DecodeError when there is none."""
    return answer_of(response.body.removeprefix(b"\xef\xbb\xbf").lstrip(), Answer)


def _parts(answer: Answer) -> Iterator[Part]:
    for item in rows(answer.output, Item):
        if item.type == "message":
            yield from rows(loosely(item.content), Part)


def _searches(answer: Answer) -> list[Action]:
    items = rows(answer.output, Item)
    return [item.action for item in items if item.type == "web_search_call" and item.action]


def said(answer: Answer) -> str:
    """The text of the answer."""
    return "\n\n".join(part.text for part in _parts(answer) if part.type == "output_text")


def refusal(answer: Answer) -> bool:
    """Whether the model said no."""
    return any(part.type == "refusal" for part in _parts(answer))


def is_empty(answer: Answer) -> bool:
    """Whether a search says that it found nothing."""
    return any(bytes(action.sources).strip() == b"[]" for action in _searches(answer))


def cited(answer: Answer) -> tuple[str, ...]:
    """The addresses the text cites, as `found` gives them."""
    own = _own(answer)
    return tuple(_as_found(citation.url, own) for citation, _ in _citations(answer))


def found(answer: Answer) -> tuple[Hit, ...]:
    """Every page, those the text cites first, each with the text before its first mark."""
    own = _own(answer)
    hits: dict[str, Hit] = {}
    for citation, before in _citations(answer):
        url = _as_found(citation.url, own)
        hits.setdefault(url, Hit(url=url, title=words(citation.title), snippet=words(before)))
    for url in own.values():
        hits.setdefault(url, Hit(url=url))
    return tuple(hits.values())


def _own(answer: Answer) -> dict[str, str]:
    """The pages looked at, by address without the vendor's mark; the unmarked address goes first."""
    urls = [
        source.url
        for action in _searches(answer)
        for source in rows(loosely(action.sources), Source)
        if source.type in ("", "url")
    ]
    own: dict[str, str] = {}
    for url in urls:
        bare = unmarked(url)
        own[bare] = bare if bare == url else own.get(bare, url)
    return own


def _as_found(url: str, own: dict[str, str]) -> str:
    return own.get(unmarked(url), url)


def unmarked(url: str) -> str:
    """`url` without the vendor's mark, otherwise as it came."""
    return MARK.sub(lambda match: match[1] if match[2] else "", url)


def _citations(answer: Answer) -> Iterator[tuple[Citation, str]]:
    """Every citation with the text it stands behind: the line up to its mark, from the mark before."""
    for part in _parts(answer):
        at, line = 0, ""
        for citation in rows(loosely(part.annotations)[:MOST_CITATIONS], Citation):
            if citation.type != "url_citation":
                continue
            seen = part.text.find(citation.url, at)
            before = ""
            if seen >= 0:
                start = part.text.rfind("[", at, seen)
                before = _line(part.text[at : seen if start < 0 else start])
                line = before = before or ("" if "\n\n" in part.text[at:seen] else line)
                at = seen + len(citation.url)
            yield citation, before


def _line(text: str) -> str:
    """The last line of `text`, without the signs of a list and of a mark; empty when it says nothing."""
    last = text.rstrip(TRAILING).removesuffix("(").rstrip(TRAILING).rpartition("\n")[2].lstrip(LEADING)
    return last if any(sign.isalnum() for sign in last) else ""
