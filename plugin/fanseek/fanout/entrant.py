"""One backend made ready for a race: its request built, its time cap and pace set."""

from __future__ import annotations

import msgspec

from fanseek.config.settings import Settings
from fanseek.contract import Pace
from fanseek.errors import BackendError
from fanseek.fanout.call import Clean, Question, failed
from fanseek.guard.pacing import stricter
from fanseek.select.plan import Ask
from fanseek.types import Outcome

SHARE = 0.8
"""The most of a search's deadline that one call may take."""


class Entrant(msgspec.Struct, frozen=True):
    """One backend in the race."""

    question: Question
    pace: Pace = Pace()


def entrant(ask: Ask, settings: Settings, deadline_s: float, clean: Clean) -> Entrant | Outcome:
    """The backend's call, or how it failed before anything could be sent."""
    name = ask.backend.name
    try:
        request = ask.operation.build(ask.request, ask.settings)
    except BackendError as problem:
        return failed(name, problem.kind, clean(problem.message), retry_after_s=problem.retry_after)
    except Exception as problem:  # noqa: BLE001 - a raising build is this backend's outcome, not the search's
        said = clean(f"{type(problem).__name__}: {problem}")
        return failed(name, "bad-request", f"the request could not be built: {said}")
    cap_s = min(settings.backend_timeout_ms / 1000, ask.backend.cap_s, SHARE * deadline_s)
    question = Question(backend=ask.backend, operation=ask.operation, request=request, cap_s=cap_s)
    return Entrant(question, stricter(ask.backend.pace, ask.settings.rate_per_minute))
