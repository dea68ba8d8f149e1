"""Words of titles by what they weigh: those that carry no matter, that turn the meaning, that tell kinds of pages."""

from __future__ import annotations

import re

from fanseek.merge.lists import words

LIGHT = words("light")
"""Units that may differ between two titles of one text, folded as `units` folds them."""

TURNING = words("turning")
"""Words that make another text of a title they are added to."""

_KINDS = words("kinds")
_WORD = re.compile("[a-z]+(?:-[a-z]+)*")
_KIND = re.compile(
    "|".join(sorted(words("kind_pieces")))
    + "|^[上中下前后後続续終终全一二三四五六七八九十]$|[版編]$|第.+[话回集章話部巻]|[상중하]$|.[편판]$"
)


def tells_kind(part: str) -> bool:
    """Whether a part of a title says what kind of page it heads, or which of several, and so belongs to it."""
    return not _KINDS.isdisjoint(_WORD.findall(part.casefold())) or _KIND.search(part) is not None
