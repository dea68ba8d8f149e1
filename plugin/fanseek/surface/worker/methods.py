"""The worker's methods that need an engine. To load them takes half a second, so that is done when they are needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import msgspec

from fanseek.errors import UsageError
from fanseek.surface.routes.bodies import cleared_body, history_body, probe_body, schema_body, status_body
from fanseek.surface.seam import WebError, ask, failure
from fanseek.surface.stdio.message import WRONG_PARAMS, RpcError
from fanseek.surface.stdio.peer import Call
from fanseek.surface.worker.asked import Common, History, Search, Test
from fanseek.surface.worker.engines import Engines
from fanseek.surface.worker.progress import progress
from fanseek.telemetry import Event

MARGIN, MOST_MARGIN_MS = 0.1, 500
"""What is kept of a host's time limit to hand the answer over: this part of it, and at most so many milliseconds."""

FAILED = -32000
"""The code of every error of a search; its data has the one a host tells its session."""


async def search(call: Call, engines: Engines) -> dict[str, Any]:
    """One search, as the harness takes it, and beside it how each backend fared."""
    began, asked = anyio.current_time(), msgspec.convert(call.params, Search)
    async with engines.engine(asked) as (engine, kept):
        with kept.following.told(_teller(call) if asked.progress else None):
            found = await ask(
                engine,
                asked.query,
                max_results=None if asked.max_results is None else round(asked.max_results),
                backends=asked.backends,
                deadline_ms=_left(asked.timeout_ms, began),
                lang=asked.tongue,
            )
        problems = kept.settings.problems
    result = found.result
    return {
        **found.web.to_dict(),
        "status": result.status if result else "refused",
        "outcomes": msgspec.to_builtins(result.outcomes) if result else [],
        **({"settingsProblems": list(problems)} if problems else {}),
    }


async def status(call: Call, engines: Engines) -> dict[str, Any]:
    """How every backend is doing, and what is wrong with the settings; asks nobody."""
    asked = msgspec.convert(call.params, Common)
    async with engines.engine(asked) as (engine, kept):
        return {**status_body(engine, asked.tongue), "settingsProblems": list(kept.settings.problems)}


async def test(call: Call, engines: Engines) -> dict[str, Any]:
    """One real call of one backend."""
    asked = msgspec.convert(call.params, Test)
    async with engines.engine(asked) as (engine, _kept):
        try:
            return await probe_body(engine, asked.backend, asked.query, asked.tongue)
        except UsageError as problem:
            raise RpcError(WRONG_PARAMS, str(problem)) from problem


async def history(call: Call, engines: Engines) -> dict[str, Any]:
    """The last searches."""
    asked = msgspec.convert(call.params, History)
    async with engines.engine(asked) as (engine, _kept):
        body = await history_body(engine)
    return body if asked.limit is None else {**body, "entries": body["entries"][: max(0, asked.limit)]}


async def clear(call: Call, engines: Engines) -> dict[str, Any]:
    """Forget the last searches."""
    async with engines.engine(msgspec.convert(call.params, Common)) as (engine, _kept):
        return await cleared_body(engine)


async def schema(_call: Call, _engines: Engines) -> dict[str, Any]:
    """Every setting there is."""
    return schema_body()


def failed(problem: BaseException) -> RpcError:
    """`problem` as it is answered."""
    found = problem if isinstance(problem, WebError) else failure(problem)
    return RpcError(FAILED, found.message, {"code": found.code, "retryable": found.retryable})


def _teller(call: Call) -> Callable[[Event], None]:
    def tell(event: Event) -> None:
        if (told := progress(event)) is not None:
            call.tell("progress", {"id": call.id, "event": told})

    return tell


def _left(timeout_ms: float | None, began: float) -> float | None:
    """What a search may take of `timeout_ms`, in milliseconds."""
    if timeout_ms is None:
        return None
    left = max(1.0, timeout_ms - (anyio.current_time() - began) * 1000)
    return left - min(left * MARGIN, MOST_MARGIN_MS)
