"""Queries put in the words and within the limits of those who get them."""

from __future__ import annotations

import re

import msgspec

from fanseek.contract import Piece, QueryLimit, SearchRequest, Wording, fitted, pieces, together, worded

SITE = re.compile(r"site:([\w-]+(?:\.[\w-]+)*)", re.IGNORECASE)
OFF_SITE = re.compile(r"-site:([\w-]+(?:\.[\w-]+)*)", re.IGNORECASE)
SPAN = {"day": "in the last day", "week": "in the last week", "month": "in the last month", "year": "in the last year"}


def with_sites(search: SearchRequest, limit: QueryLimit) -> Wording:
    """The query with `site:` operators for the domains wished, within `limit`."""
    return worded(search.query, limit, include=search.include_domains, exclude=search.exclude_domains)


def is_suffix(domain: str) -> bool:
    """Whether `domain` looks like an ending that many registrants share, such as `gov` or `co.uk`."""
    return "." not in domain or re.fullmatch(r"(?:[a-z]{2}|com|net|org|edu|gov)\.[a-z]{2}", domain) is not None


def hosts(search: SearchRequest) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The domains wanted and unwanted for a service that knows hosts only and refuses all else.

    None are wanted where an ending such as `gov` is: its hosts can't be named. What is missing is filtered by us.
    """
    wanted = search.include_domains if not any(map(is_suffix, search.include_domains)) else ()
    return wanted, tuple(domain for domain in search.exclude_domains if not is_suffix(domain))


def disarmed(query: str, marks: str) -> str:
    """`query` with every word that begins with one of `marks` quoted, so that it is searched for, not obeyed."""
    found = pieces(query)
    armed = [piece.text[0] in marks and not piece.glued and '"' not in piece.text for piece in found]
    if not any(armed):
        return query
    return together([_quoted(piece) if obeyed else _closed(piece) for piece, obeyed in zip(found, armed, strict=True)])


def _quoted(piece: Piece) -> Piece:
    return msgspec.structs.replace(piece, text=f'"{piece.text}"')


def _closed(piece: Piece) -> Piece:
    """`piece` without a lone quote, which would pair with one of ours."""
    return msgspec.structs.replace(piece, text=piece.text.replace('"', "")) if piece.text.count('"') % 2 else piece


def objective(search: SearchRequest, limit: int) -> str:
    """The query as a sentence, with the wishes that only words can carry."""
    said = wishes(search)[: limit // 2]
    asked = fitted(search.query, QueryLimit(characters=limit - len(said) - 40))
    return f"Find pages about: {asked}. {said}".strip()


def wishes(search: SearchRequest) -> str:
    """What is wished of the pages beside the query, in sentences."""
    said = [f"Prefer pages published {SPAN[search.recency]}."] if search.recency != "any" and not search.since else []
    if search.since:
        said.append(f"Prefer pages published from {search.since} to {search.until}.")
    if search.language:
        said.append(f"Prefer pages in the language {search.language}.")
    if search.region:
        said.append(f"Prefer pages from the country {search.region.upper()}.")
    if search.include_domains:
        said.append(f"Only pages of {', '.join(search.include_domains)}.")
    if search.exclude_domains:
        said.append(f"No pages of {', '.join(search.exclude_domains)}.")
    return " ".join(said)


def without_sites(search: SearchRequest) -> SearchRequest:
    """`search` with the `site:` words of its query among its domains instead, where a query is left.

    A query whose words are joined by other operators stays as it is.
    """
    wanted: list[list[str]] = []
    unwanted: list[str] = []
    kept: list[Piece] = []
    for piece in pieces(search.query):
        sites = [SITE.fullmatch(part) for part in piece.parts or (piece.text.strip("()"),)]
        off = OFF_SITE.fullmatch(piece.text)
        if all(sites):
            wanted.append([site[1].lower() for site in sites if site])
        elif off:
            unwanted.append(off[1].lower())
        else:
            kept.append(piece)
    if not kept or not (wanted or unwanted) or len(wanted) > 1 or any(SITE.search(piece.text) for piece in kept):
        return search
    return msgspec.structs.replace(
        search,
        query=together(kept),
        include_domains=tuple(dict.fromkeys(wanted[0])) if wanted else search.include_domains,
        exclude_domains=tuple(dict.fromkeys((*search.exclude_domains, *unwanted))),
    )
