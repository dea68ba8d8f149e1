"""The order of results by the words of the query: 3 for one in the title, 2 in the snippet, 1 in the address.

The same input gives the same order; what weighs the same keeps its order by rank and priority of the backends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from fanseek.contract import pieces
from fanseek.text.words import tokens, units
from fanseek.types import Source

TITLE, SNIPPET, ADDRESS = 3, 2, 1

_UNWANTED = re.compile(r"\bNOT\s+(?:\"[^\"]*\"|\S+)")


def by_query(sources: Sequence[Source], query: str) -> list[Source]:
    """`sources` with those first that have most of the words of `query`; its operators and unwanted words left out."""
    asked = (part.text for part in pieces(query) if part.kind != "operator" and not part.text.startswith("-"))
    wanted = wishes(_UNWANTED.sub(" ", " ".join(asked)))
    return sorted(sources, key=lambda source: -worth(source, wanted)) if wanted else list(sources)


def wishes(text: str) -> frozenset[str]:
    """The words wanted by `text`; a sign that stands alone in it is one."""
    return tokens(units(text)).union(*(tokens(units(word)) for word in text.split()))


def worth(source: Source, wanted: frozenset[str]) -> int:
    """What a result weighs by the words `wanted`, each counted once in a field."""
    fields = ((TITLE, source.title), (SNIPPET, source.snippet), (ADDRESS, unquote(source.url)))
    return sum(weight * len(wanted & _words(text)) for weight, text in fields)


def _words(text: str) -> frozenset[str]:
    """The words of `text`; of scripts without spaces, pairs of neighbours and each sign, which may be a word too."""
    found = units(text)
    return tokens(found).union(found)
