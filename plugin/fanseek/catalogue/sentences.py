"""Sentences that are written where they belong, as a setting's title is, in another language by the sentence itself."""

from __future__ import annotations

import re
from functools import cache

from fanseek.catalogue import Lang
from fanseek.catalogue.zh_settings import SENTENCES

SLOT = "{0}"


def translated(sentence: str, lang: Lang) -> str:
    """`sentence` in `lang`; as it is where nobody has translated it."""
    if lang == "en":
        return sentence
    if sentence in SENTENCES:
        return SENTENCES[sentence]
    for pattern, words in _patterns():
        if match := pattern.fullmatch(sentence):
            return words.format(match[1])
    return sentence


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The sentences with a slot, the longest first: a shorter one may fit a longer one's text."""
    slotted = sorted((known for known in SENTENCES if SLOT in known), key=len, reverse=True)
    return tuple((re.compile(re.escape(known).replace(re.escape(SLOT), "(.+)")), SENTENCES[known]) for known in slotted)
