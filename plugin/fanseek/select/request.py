"""What a caller asked for, checked before anything is sent, with the settings' defaults filled in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import get_args

import msgspec

from fanseek.config.settings import Settings
from fanseek.errors import UsageError
from fanseek.select.clock import here
from fanseek.select.freshness import timing
from fanseek.select.numbers import whole_number
from fanseek.select.phrasing import Phrasing, phrasing
from fanseek.select.scope import scope
from fanseek.select.tongue import tongue
from fanseek.select.years import query_year
from fanseek.text.spans import Span
from fanseek.types import Clock, Note, SafeSearch, SearchRequest

MOST_RESULTS = 50
LONGEST_EXCERPT = 100_000
LONGEST_DEADLINE_MS = 600_000


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A checked search: the request with the number of results the caller gets, and its deadline."""

    request: SearchRequest
    deadline_s: float
    backends: tuple[str, ...] | None = None
    """The backends the caller named; None leaves the choice to the settings."""
    now: datetime | None = None
    """The one time all of the search goes by, where the user is; None where no clock tells it."""
    span: Span | None = None
    """The moments results are wished of."""
    inferred: bool = False
    """Whether the query's own words ask for that time."""
    year: int | None = None
    """The year the query names."""
    excerpt: int | None = None
    """The most characters of each result's text."""
    notes: tuple[Note, ...] = ()
    phrasing: Phrasing

    @property
    def requests(self) -> tuple[SearchRequest, ...]:
        """The request itself, then one for each part of its query."""
        return (self.request, *(msgspec.structs.replace(self.request, query=part) for part in self.phrasing.parts))


def wish(
    settings: Settings,
    query: object,
    *,
    max_results: object = None,
    max_chars_per_result: object = None,
    backends: object = None,
    freshness: object = None,
    time_range: object = None,
    language: object = None,
    region: object = None,
    safe_search: object = None,
    site: object = None,
    include_domains: object = (),
    exclude_domains: object = (),
    deadline_ms: object = None,
    shape_query: object = None,
    multi_query: object = None,
    deep: object = None,
    session: str = "",
    clock: Clock | None = None,
) -> Wish:
    """The checked search. Raises UsageError for what no search can be made of."""
    words = phrasing(
        query,
        shape=_flag("shape_query", shape_query, default=settings.shape_query),
        multi=_flag("multi_query", multi_query, default=settings.multi_query_enabled),
    )
    now = here(clock, settings.time_zone)
    limit, limit_notes = _limit(max_results, settings)
    excerpt, excerpt_notes = _excerpt(max_chars_per_result, settings)
    time = timing(words.asked, freshness, time_range, settings.recency, now)
    spoken = tongue(language, region, settings.language, settings.region)
    domains = scope(words.asked, site, include_domains, exclude_domains, settings.max_domains)
    request = SearchRequest(
        query=words.asked,
        limit=limit,
        recency=time.recency,
        language=spoken.language,
        region=spoken.region,
        safe_search=_safety(safe_search, settings.safe_search),
        include_domains=domains.include,
        exclude_domains=domains.exclude,
        session=session,
        today=now.date().isoformat() if now else "",
        since=time.since.isoformat() if time.since else "",
        until=time.until.isoformat() if time.until else "",
        deep=_flag("deep", deep, default=settings.deep_coverage),
    )
    return Wish(
        request=request,
        deadline_s=_deadline(deadline_ms, settings.deadline_ms) / 1000,
        backends=_names(backends),
        now=now,
        span=time.span(now),
        inferred=time.inferred,
        year=query_year(words.asked),
        excerpt=excerpt,
        phrasing=words,
        notes=(*words.notes, *limit_notes, *excerpt_notes, *time.notes, *spoken.notes, *domains.notes),
    )


def _limit(wanted: object, settings: Settings) -> tuple[int, tuple[Note, ...]]:
    """How many results to return; the default for a number out of range (X6)."""
    strict, default = settings.strict_arguments, settings.num_results
    limit, fault = whole_number("max_results", wanted, low=1, high=MOST_RESULTS, strict=strict)
    message = f"{fault}; {default} were returned at most"
    return limit or default, (Note(kind="max_results_out_of_range", message=message),) if fault else ()


def _excerpt(wanted: object, settings: Settings) -> tuple[int | None, tuple[Note, ...]]:
    """How many characters of each result's text to return; as many as there are for a number out of range (G13)."""
    strict = settings.strict_arguments
    excerpt, fault = whole_number("max_chars_per_result", wanted, low=1, high=LONGEST_EXCERPT, strict=strict)
    message = f"{fault}; results were not shortened by it"
    return excerpt, (Note(kind="max_chars_per_result_out_of_range", message=message),) if fault else ()


def _deadline(wanted: object, default: int) -> float:
    if wanted is None:
        return default
    if isinstance(wanted, bool) or not isinstance(wanted, int | float) or not 0 < wanted <= LONGEST_DEADLINE_MS:
        raise UsageError(f"deadline_ms must be a number of milliseconds from 1 to {LONGEST_DEADLINE_MS}")
    return wanted


def _flag(name: str, wanted: object, *, default: bool) -> bool:
    if wanted is None:
        return default
    if not isinstance(wanted, bool):
        raise UsageError(f"{name} must be true or false")
    return wanted


def _safety(wanted: object, default: bool) -> SafeSearch:
    """A level by its name, in any letter case. A bare True is none: it does not say which (BC-143)."""
    if wanted is None or wanted == "":
        return "moderate" if default else "off"
    known: tuple[SafeSearch, ...] = get_args(SafeSearch)
    word = wanted.strip().lower() if isinstance(wanted, str) else wanted
    if isinstance(word, str) and word in known:
        return next(level for level in known if level == word)
    raise UsageError(f"safe_search must be one of {', '.join(known)}")


def _names(wanted: object) -> tuple[str, ...] | None:
    if wanted is None:
        return None
    if isinstance(wanted, str) or not isinstance(wanted, Sequence) or not all(isinstance(name, str) for name in wanted):
        raise UsageError("backends must be a list of names")
    if not wanted:
        raise UsageError("backends is empty: name at least one, or leave it out to ask all that are enabled")
    return tuple(dict.fromkeys(wanted))
