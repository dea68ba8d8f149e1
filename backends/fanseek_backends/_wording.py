"""Queries put in the words and within the limits of those who get them."""

from __future__ import annotations

import re

import msgspec

from fanseek.contract import SearchRequest

PIECE = re.compile(r'-?(?:\w+:)?"[^"]*"|\S+')
SITE = re.compile(r"\(?site:([\w-]+(?:\.[\w-]+)*)\)?", re.IGNORECASE)
OR = frozenset({"OR", "|"})
OFF_SITE = re.compile(r"-site:([\w-]+(?:\.[\w-]+)*)", re.IGNORECASE)
SPAN = {"day": "in the last day", "week": "in the last week", "month": "in the last month", "year": "in the last year"}


def fitted(query: str, limit: int, most_words: int = 0) -> str:
    """`query` with blanks folded, cut to `limit` characters: plain words go first, from the end.

    `most_words`, where it is not 0, bounds the words too.
    """
    pieces = PIECE.findall(query)
    at = len(pieces) - 1
    while at >= 0 and (sum(map(len, pieces)) + len(pieces) - 1 > limit or _too_many(pieces, most_words)):
        if ":" not in pieces[at] and '"' not in pieces[at] and len(pieces) > 1:
            del pieces[at]
        at -= 1
    words = " ".join(pieces)
    if _too_many(pieces, most_words):
        cut = " ".join(words.split()[:most_words])
        words = cut if cut.count('"') % 2 == 0 else cut.replace('"', "")
    if len(words) <= limit:
        return words
    cut = words[:limit].rstrip()
    return cut if cut.count('"') % 2 == 0 else cut.replace('"', "")


def _too_many(pieces: list[str], most_words: int) -> bool:
    return bool(most_words) and sum(len(piece.split()) for piece in pieces) > most_words


def with_sites(search: SearchRequest, limit: int, most_words: int = 0) -> str:
    """The query with `site:` operators for the domains wished, within `limit` and `most_words`."""
    wanted = " OR ".join(f"site:{domain}" for domain in search.include_domains)
    operators = [f"({wanted})"] if len(search.include_domains) > 1 else [wanted] * bool(wanted)
    operators += [f"-site:{domain}" for domain in search.exclude_domains]
    while operators and not _leaves_room(search.query, operators, limit, most_words):
        operators.pop()
    room = limit - sum(len(operator) + 1 for operator in operators)
    spare = most_words and most_words - sum(len(operator.split()) for operator in operators)
    return " ".join([fitted(search.query, room, spare), *operators]).strip()


def _leaves_room(query: str, operators: list[str], limit: int, most_words: int) -> bool:
    """Whether half of what is allowed, or as much as the query needs, is left beside `operators`."""
    spare = most_words - sum(len(operator.split()) for operator in operators)
    if most_words and spare < min(most_words // 2, len(query.split())):
        return False
    return limit - sum(len(operator) + 1 for operator in operators) >= min(limit // 2, len(query))


def is_suffix(domain: str) -> bool:
    """Whether `domain` looks like an ending that many registrants share, such as `gov` or `co.uk`."""
    return "." not in domain or re.fullmatch(r"(?:[a-z]{2}|com|net|org|edu|gov)\.[a-z]{2}", domain) is not None


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


def without_sites(search: SearchRequest) -> SearchRequest:
    """`search` with the `site:` words of its query among its domains instead, where a query is left.

    A query whose words are joined by other operators stays as it is.
    """
    pieces = PIECE.findall(search.query)
    wanted = [found[1].lower() for piece in pieces if (found := SITE.fullmatch(piece))]
    unwanted = [found[1].lower() for piece in pieces if (found := OFF_SITE.fullmatch(piece))]
    joints = {
        at
        for at, (before, piece, after) in enumerate(zip(pieces, pieces[1:], pieces[2:], strict=False), start=1)
        if piece in OR and SITE.fullmatch(before) and SITE.fullmatch(after)
    }
    kept = [
        piece
        for at, piece in enumerate(pieces)
        if at not in joints and not (SITE.fullmatch(piece) or OFF_SITE.fullmatch(piece))
    ]
    if len(kept) == len(pieces) or not kept or OR & {kept[0], kept[-1]} or len(joints) != max(0, len(wanted) - 1):
        return search
    return msgspec.structs.replace(
        search,
        query=" ".join(kept),
        include_domains=tuple(dict.fromkeys(wanted)) or search.include_domains,
        exclude_domains=tuple(dict.fromkeys((*search.exclude_domains, *unwanted))),
    )
