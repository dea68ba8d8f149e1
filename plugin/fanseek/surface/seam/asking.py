"""One search as a harness asks for it: query in, result or WebError out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio
import msgspec

from fanseek.catalogue import Lang
from fanseek.errors import ConfigError, FanseekError, UsageError
from fanseek.select.clock import here
from fanseek.surface.seam.failure import failure
from fanseek.surface.seam.query import asked
from fanseek.surface.seam.result import WebResult, refused, web_result
from fanseek.types import Clock, SearchResult

if TYPE_CHECKING:
    from fanseek.engine import Engine


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What the harness gets, and the whole result behind it; None where nobody was asked."""

    web: WebResult
    result: SearchResult | None = None


async def ask(
    engine: Engine,
    query: object,
    *,
    max_results: int | None = None,
    backends: Sequence[str] | None = None,
    deadline_ms: float | None = None,
    abort: anyio.Event | None = None,
    lang: Lang | None = None,
    clock: Clock = time.time,
) -> Answered:
    """Search with `engine`. What can't be searched for is a result that says so, as a partial one does (HF4).

    `max_results` out of range is cut to it; `deadline_ms` can only shorten the engine's own. `lang` is by itself the
    setting's. Raises WebError: WEB_ABORTED after `abort`, WEB_PROVIDER_ERROR when every backend failed,
    WEB_PROVIDER_UNAVAILABLE when none is ready.
    """
    settings = engine.settings
    speaks: Lang = lang or ("zh" if settings.lang == "zh" else "en")
    most = _results(max_results)
    now = here(clock, settings.time_zone) or datetime.now(UTC)
    try:
        question = asked(query, now.date())
        result = await engine.search(
            question.query,
            max_results=most,
            backends=backends,
            deadline_ms=None if deadline_ms is None else max(1.0, min(deadline_ms, settings.deadline_ms)),
            abort=abort,
            **question.wishes,
        )
    except ConfigError as problem:
        raise failure(problem, speaks) from problem
    except UsageError as problem:
        if engine.closed:
            raise failure(problem, speaks) from problem
        return Answered(web=refused(problem, speaks))
    except FanseekError as problem:
        raise failure(problem, speaks) from problem
    web = web_result(result, max_results=most, lang=speaks, telemetry=settings.result_telemetry)
    return Answered(web=web, result=result)


def _results(wanted: int | None) -> int | None:
    """A number of results in the engine's range; the settings' own where none, or no number, is given."""
    from fanseek.select.request import MOST_RESULTS

    if not isinstance(wanted, int) or isinstance(wanted, bool):
        return None
    return min(max(wanted, 1), MOST_RESULTS)
