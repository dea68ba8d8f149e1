"""What Fanseek says to people, by stable codes, in English and Chinese. JSON is English always.

Fields come in as they are: whoever says something foreign has made it safe to show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from fanseek.catalogue import en, zh

Lang = Literal["en", "zh"]

CATALOGUES: Mapping[Lang, Mapping[str, str]] = {"en": en.WORDS, "zh": zh.WORDS}
"""The same codes in each, and under a code the same fields."""


def said(lang: Lang, code: str, /, **fields: object) -> str:
    """The words of `code`; of a code nobody has worded, such as another plugin's note, the bare `message` in it."""
    template = CATALOGUES[lang].get(code)
    return str(fields.get("message", code)) if template is None else template.format(**fields)


def listed(lang: Lang, names: Iterable[str]) -> str:
    """`names` as a list in a sentence."""
    return CATALOGUES[lang]["list-comma"].join(names)
