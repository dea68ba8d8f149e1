"""Words and sentence patterns in four languages, and draws from them that depend on a key alone."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from string import Formatter
from typing import TypeVar

import msgspec

T = TypeVar("T")

Pattern = tuple[tuple[str, str], ...]
"""Pairs of literal text and the slot that follows it."""

SCRIPTS = (
    ("ko", re.compile("[\uac00-\ud7a3\u1100-\u11ff]")),
    ("ja", re.compile("[\u3041-\u30ff]")),
    ("zh", re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")),
)

NUMBERS = {"n": tuple(map(str, range(2, 99))), "year": tuple(map(str, range(2009, 2027)))}


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """What texts of one language are made of; `words` maps a slot to its candidates."""

    titles: tuple[Pattern, ...]
    sentences: tuple[Pattern, ...]
    words: Mapping[str, tuple[str, ...]]
    spaced: bool
    """Whether sentences are set apart by spaces."""


class Draw:
    """Choices that follow from a key: the same key gives the same ones, on every machine."""

    def __init__(self, key: str) -> None:
        self._state = int.from_bytes(blake2b(key.encode("utf-8", "replace"), digest_size=8).digest(), "big")

    def below(self, count: int) -> int:
        """A number from 0 to `count` - 1; `count` up to 2**31."""
        self._state = state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (state >> 33) * count >> 31

    def of(self, candidates: Sequence[T]) -> T:
        """One of `candidates`."""
        return candidates[self.below(len(candidates))]

    def fraction(self) -> float:
        """A number in [0, 1)."""
        return self.below(1 << 31) / (1 << 31)

    def fill(self, pattern: Pattern, query: str, words: Mapping[str, Sequence[str]]) -> str:
        """`pattern` with its slots filled; slot `q` is `query` itself."""
        parts = []
        for literal, slot in pattern:
            parts.append(literal)
            if slot == "q":
                parts.append(query)
            elif slot:
                parts.append(self.of(words[slot]))
        return "".join(parts)


def language_of(query: str) -> str:
    """The language whose script `query` is written in; Latin and everything else is English."""
    return next((name for name, script in SCRIPTS if script.search(query)), "en")


@cache
def language(name: str) -> Language:
    """The vocabulary of one language, from vocabulary.toml."""
    return _languages()[name]


@cache
def _languages() -> dict[str, Language]:
    whole = tomllib.loads(files("fanseek.sandbox").joinpath("vocabulary.toml").read_text(encoding="utf-8"))
    return {name: _language(name, data) for name, data in whole.items()}


def _language(name: str, data: dict[str, str | list[str]]) -> Language:
    lists = {slot: tuple(text.split()) for slot, text in data.items() if isinstance(text, str)}
    return Language(
        titles=tuple(_pattern(text) for text in data["titles"]),
        sentences=tuple(_pattern(text) for text in data["sentences"]),
        words=NUMBERS | {slot: tuple(word.replace("_", " ") for word in words) for slot, words in lists.items()},
        spaced=name in {"en", "ko"},
    )


def _pattern(text: str) -> Pattern:
    return tuple((literal, slot or "") for literal, slot, _, _ in Formatter().parse(text))
