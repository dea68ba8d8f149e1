"""A result as this one caller asked for it; the same result may be another caller's too, from the cache."""

from __future__ import annotations

import msgspec
from msgspec import UNSET

from fanseek.select.request import Wish
from fanseek.select.tailoring import time_wish
from fanseek.text.cut import cut
from fanseek.types import SearchResult


def as_asked(result: SearchResult, wish: Wish) -> SearchResult:
    """`result` with texts no longer than was asked, and with what the query's own words said."""
    sources = result.sources
    if wish.excerpt is not None:
        sources = tuple(msgspec.structs.replace(each, snippet=cut(each.snippet, wish.excerpt)) for each in sources)
    return msgspec.structs.replace(
        result,
        sources=sources,
        query_year=UNSET if wish.year is None else wish.year,
        freshness_auto_inferred=wish.inferred if time_wish(wish.request) else UNSET,
    )
