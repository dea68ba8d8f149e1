"""A request as one backend gets it, by what that one can filter itself."""

from __future__ import annotations

import math
from datetime import date
from typing import Literal

import msgspec

from fanseek.contract import AnyOperation, Support
from fanseek.text.spans import covering
from fanseek.types import SearchRequest

HONOURED: frozenset[Support] = frozenset({"native", "operator"})
"""How a wish must be supported for a backend to keep to it by itself."""

MARGIN = 2
"""How many results more than wanted each backend is asked for: some fall to merging."""

DEEP = 1.5
"""How many times the results wanted each backend is asked for under deep coverage."""


def tailored(request: SearchRequest, operation: AnyOperation) -> SearchRequest:
    """The request as this backend gets it: some results more than wanted, more yet where we filter them.

    A range of days also becomes the recency that covers it, for a backend that knows no better.
    """
    filters = operation.filters
    wish = time_wish(request)
    sieved = (
        (bool(request.include_domains) and filters.include_domains == "local")
        or (bool(request.exclude_domains) and filters.exclude_domains == "local")
        or (bool(wish) and getattr(filters, wish) not in HONOURED)
    )
    margin = math.ceil(request.limit * DEEP) - request.limit if request.deep else MARGIN
    margin += request.limit * sieved
    recency = request.recency
    if request.since and request.today and filters.date_range not in HONOURED:
        recency = covering(date.fromisoformat(request.since), date.fromisoformat(request.today))
    return msgspec.structs.replace(request, limit=request.limit + margin, recency=recency)


def time_wish(request: SearchRequest) -> Literal["recency", "date_range", ""]:
    """The filter that `request` needs for the time it wishes; empty when any time will do."""
    return "date_range" if request.since else "recency" if request.recency != "any" else ""
