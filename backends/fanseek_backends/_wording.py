"""Queries put in the words and within the limits of those who get them."""

from __future__ import annotations

import re

from fanseek.contract import SearchRequest

PIECE = re.compile(r'-?(?:\w+:)?"[^"]*"|\S+')
SPAN = {"day": "in the last day", "week": "in the last week", "month": "in the last month", "year": "in the last year"}


def fitted(query: str, limit: int) -> str:
    """`query` with blanks folded, cut to `limit` characters: plain words go first, from the end."""
    pieces = PIECE.findall(query)
    at = len(pieces) - 1
    while at >= 0 and sum(map(len, pieces)) + len(pieces) - 1 > limit:
        if ":" not in pieces[at] and '"' not in pieces[at] and len(pieces) > 1:
            del pieces[at]
        at -= 1
    words = " ".join(pieces)
    if len(words) <= limit:
        return words
    cut = words[:limit].rstrip()
    return cut if cut.count('"') % 2 == 0 else cut.replace('"', "")


def with_sites(search: SearchRequest, limit: int) -> str:
    """The query with `site:` operators for the domains wished, within `limit`."""
    wanted = " OR ".join(f"site:{domain}" for domain in search.include_domains)
    operators = [f"({wanted})"] if len(search.include_domains) > 1 else [wanted] * bool(wanted)
    operators += [f"-site:{domain}" for domain in search.exclude_domains]
    room = limit - sum(len(operator) + 1 for operator in operators)
    while operators and room < min(limit // 2, len(search.query)):
        room += len(operators.pop()) + 1
    return " ".join([fitted(search.query, room), *operators]).strip()


def disarmed(query: str, marks: str) -> str:
    """`query` with every word that begins with one of `marks` quoted, so that it is searched for, not obeyed."""
    pieces = PIECE.findall(query)
    return " ".join(f'"{piece}"' if piece[0] in marks and '"' not in piece else piece for piece in pieces)


def objective(search: SearchRequest, limit: int) -> str:
    """The query as a sentence, with the wishes that only words can carry."""
    said = wishes(search)[: limit // 2]
    asked = fitted(search.query, limit - len(said) - 40)
    return f"Find pages about: {asked}. {said}".strip()


def wishes(search: SearchRequest) -> str:
    """What is wished of the pages beside the query, in sentences."""
    said = [f"Prefer pages published {SPAN[search.recency]}."] if search.recency != "any" else []
    if search.language:
        said.append(f"Prefer pages in the language {search.language}.")
    if search.region:
        said.append(f"Prefer pages from the country {search.region.upper()}.")
    if search.include_domains:
        said.append(f"Only pages of {', '.join(search.include_domains)}.")
    if search.exclude_domains:
        said.append(f"No pages of {', '.join(search.exclude_domains)}.")
    return " ".join(said)
