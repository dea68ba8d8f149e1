"""What a caller asked for, checked before anything is sent, with the settings' defaults filled in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, get_args

import msgspec

from fanseek.config.settings import Settings
from fanseek.errors import UsageError
from fanseek.select.phrasing import Phrasing, phrasing
from fanseek.types import Clock, Note, Recency, SafeSearch, SearchRequest

MOST_RESULTS = 50
LONGEST_DEADLINE_MS = 600_000


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """A checked search: the request with the number of results the caller gets, and its deadline."""

    request: SearchRequest
    deadline_s: float
    backends: tuple[str, ...] | None = None
    """The backends the caller named; None leaves the choice to the settings."""
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
    backends: object = None,
    recency: object = None,
    language: object = None,
    region: object = None,
    safe_search: object = None,
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
    limit, notes = _limit(max_results, settings.num_results)
    default_safety: SafeSearch = "moderate" if settings.safe_search else "off"
    if isinstance(safe_search, bool):
        safe_search = "moderate" if safe_search else "off"
    words = phrasing(
        query,
        shape=_flag("shape_query", shape_query, default=settings.shape_query),
        multi=_flag("multi_query", multi_query, default=settings.multi_query_enabled),
    )
    request = SearchRequest(
        query=words.asked,
        limit=limit,
        recency=_one_of("recency", recency, settings.recency, get_args(Recency)),
        language=_tag("language", language, settings.language, r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*").replace(
            "_", "-"
        ),
        region=_tag("region", region, settings.region, r"[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?|[0-9]{3}").lower(),
        safe_search=_one_of("safe_search", safe_search, default_safety, get_args(SafeSearch)),
        include_domains=_domains("include_domains", include_domains),
        exclude_domains=_domains("exclude_domains", exclude_domains),
        session=session,
        today=_today(clock),
        deep=_flag("deep", deep, default=settings.deep_coverage),
    )
    return Wish(
        request=request,
        deadline_s=_deadline(deadline_ms, settings.deadline_ms) / 1000,
        backends=_names(backends),
        notes=(*words.notes, *notes),
        phrasing=words,
    )


def _today(clock: Clock | None) -> str:
    """The date in UTC; empty for a clock that shows none."""
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(clock(), UTC).date().isoformat() if clock else ""
    return ""


def _limit(wanted: object, default: int) -> tuple[int, tuple[Note, ...]]:
    """How many results to return. A number out of range falls back to the default, and a note says so."""
    if wanted is None:
        return default, ()
    if isinstance(wanted, bool) or not isinstance(wanted, int):
        raise UsageError(f"max_results must be an integer from 1 to {MOST_RESULTS}, not {type(wanted).__name__}")
    if 1 <= wanted <= MOST_RESULTS:
        return wanted, ()
    shown = wanted if abs(wanted) < 10**12 else f"a number of {wanted.bit_length()} bits"
    message = f"max_results {shown} is not between 1 and {MOST_RESULTS}; {default} were returned at most"
    return default, (Note(kind="max_results_out_of_range", message=message),)


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


def _one_of(name: str, wanted: object, default: str, known: Sequence[str]) -> Any:
    if wanted is None:
        return default
    if wanted not in known:
        raise UsageError(f"{name} must be one of {', '.join(known)}")
    return wanted


def _tag(name: str, wanted: object, default: str, shape: str) -> str:
    if wanted is None:
        return default
    if not isinstance(wanted, str) or (wanted and not re.fullmatch(shape, wanted, re.ASCII)):
        example = "en or zh-CN" if name == "language" else "us"
        raise UsageError(f"{name} must be a code such as {example}, or empty for any")
    return wanted


def _domains(name: str, wanted: object) -> tuple[str, ...]:
    if wanted is None:
        return ()
    if isinstance(wanted, str) or not isinstance(wanted, Sequence | set | frozenset):
        raise UsageError(f"{name} must be a list of domains")
    items = sorted(wanted, key=str) if isinstance(wanted, set | frozenset) else wanted
    return tuple(dict.fromkeys(_domain(name, item) for item in items))


def _names(wanted: object) -> tuple[str, ...] | None:
    if wanted is None:
        return None
    if isinstance(wanted, str) or not isinstance(wanted, Sequence) or not all(isinstance(name, str) for name in wanted):
        raise UsageError("backends must be a list of names")
    if not wanted:
        raise UsageError("backends is empty: name at least one, or leave it out to ask all that are enabled")
    return tuple(dict.fromkeys(wanted))


def _domain(name: str, given: object) -> str:
    """`given` as a bare lower-case domain: it goes into queries, so nothing else may hide in it."""
    if isinstance(given, str):
        bare = given.strip().lower().removeprefix("*.").strip(".")
        if 0 < len(bare) <= 253 and bare.isprintable() and not re.search(r"[\s/:@?#\\\"'()<>|,]", bare):
            return bare
    raise UsageError(f"{name} takes domains such as example.org, without scheme or path")
