"""The JSON of a SearXNG instance, all versions since 2021. Source: searxng/searxng, searx/result_types."""

from __future__ import annotations

import re

import msgspec

from fanseek.contract import FailureKind, Hit, Stamp, first_text, rows, stamp, words
from fanseek_backends._answers import listed, loosely
from fanseek_backends._searx_families import family_of


class Result(msgspec.Struct):
    """One result of any template."""

    url: str
    title: str | None = None
    content: str | None = None
    published: Stamp = msgspec.field(default=None, name="publishedDate")
    author: str | None = None
    engine: str | None = None
    engines: list[object] | None = None


class Said(msgspec.Struct):
    """An answer as an object; some templates carry no text of their own."""

    answer: str | None = None
    translations: msgspec.Raw = msgspec.Raw()


class Translation(msgspec.Struct):
    """One translation."""

    text: str | None = None


class Answer(msgspec.Struct):
    """The whole JSON answer."""

    results: msgspec.Raw = msgspec.Raw()
    answers: msgspec.Raw = msgspec.Raw()
    unresponsive: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="unresponsive_engines")
    error: str | None = None


def hits_of(answer: Answer) -> tuple[Hit, ...]:
    """The results that have an address. Raises msgspec.DecodeError where `results` is no list."""
    return tuple(
        Hit(
            url=row.url,
            title=words(row.title),
            snippet=words(row.content),
            published=stamp(row.published),
            author=words(row.author),
            families=families_of([*(row.engines or ()), row.engine]),
        )
        for row in rows(listed(answer.results), Result)
        if row.url.strip()
    )


KINDS: dict[FailureKind, re.Pattern[str]] = {
    "rate-limit": re.compile(r"too many requests|rate.?limit", re.IGNORECASE),
    "blocked": re.compile(r"captcha|access denied|suspended", re.IGNORECASE),
}


def shared_kind(failed: list[tuple[str, str]]) -> FailureKind:
    """The kind that all engines' messages agree on, else `server`."""
    return next((kind for kind, words in KINDS.items() if all(words.search(said) for _, said in failed)), "server")


def failed_engines(answer: Answer) -> list[tuple[str, str]]:
    """Engines that did not answer, each with its message."""
    pairs = (_texts(raw) for raw in loosely(answer.unresponsive))
    return [(pair[0], pair[1] if len(pair) > 1 else "") for pair in pairs if pair]


def _texts(raw: msgspec.Raw) -> list[str]:
    """The texts of a JSON list, or of one text."""
    tree = msgspec.json.decode(raw)
    return [text for text in map(words, tree if isinstance(tree, list) else [tree]) if text]


def told(failed: list[tuple[str, str]]) -> str:
    return ", ".join(f"{engine}: {said}" if said else engine for engine, said in failed[:8])[:300]


def families_of(engines: list[object]) -> tuple[str, ...]:
    """The families of `engines`, each once, in an order of their own: instances shuffle theirs."""
    return tuple(sorted({family_of(name) for name in map(words, engines) if name}))


def answers_of(answer: Answer) -> str | None:
    """The text of the direct answers, a line each: texts, objects with one, or translations."""
    texts: list[str | None] = []
    for raw in loosely(answer.answers):
        if bytes(raw).lstrip().startswith(b'"'):
            texts += _texts(raw)
        for said in rows([raw], Said):
            texts.append(first_text(said.answer))
            texts += [words(one.text) for one in rows(loosely(said.translations), Translation)]
    return "\n".join(text for text in texts if text) or None
