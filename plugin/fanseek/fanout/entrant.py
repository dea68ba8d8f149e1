"""One backend made ready for a race: its request built, its time cap and pace set."""

from __future__ import annotations

import msgspec

from fanseek.config.settings import Settings
from fanseek.contract import McpCall, Pace, Request
from fanseek.errors import BackendError
from fanseek.fanout.call import Clean, Question, described, failed, origin_of
from fanseek.guard.fingerprint import encoded
from fanseek.select.plan import Ask, with_key
from fanseek.types import Outcome

SHARE = 0.8
"""The most of a search's deadline that one call may take."""


class Entrant(msgspec.Struct, frozen=True):
    """One backend in the race, with one variant of the query."""

    question: Question
    pace: Pace = Pace()
    variant: int = 0


class Entrants:
    """Makes the entrants of one engine's races."""

    def __init__(self, clean: Clean) -> None:
        self._clean = clean
        self._homes: dict[str, str] = {}

    def make(self, ask: Ask, settings: Settings, deadline_s: float) -> Entrant | Outcome:
        """The backend's call under `settings`, or how it failed before anything could be sent."""
        name = ask.backend.name
        try:
            request = ask.operation.build(ask.request, ask.settings)
        except BackendError as problem:
            return failed(name, problem.kind, self._clean(problem.message), retry_after_s=problem.retry_after)
        except Exception as problem:  # noqa: BLE001 - a raising build is this backend's outcome, not the search's
            said = self._clean(described(problem))
            return failed(name, "bad-request", f"the request could not be built: {said}")
        cap_s = min(settings.backend_timeout_ms / 1000, ask.backend.cap_s, SHARE * deadline_s)
        question = Question(
            backend=ask.backend,
            operation=ask.operation,
            request=request,
            cap_s=cap_s,
            told=encoded(with_key(ask.settings, ask.found.together), settings.proxy),
            found=ask.found,
            rebuilt=lambda key: ask.operation.build(ask.request, with_key(ask.settings, key)),
        )
        return Entrant(question, self._pace(ask, request), ask.variant)

    def _pace(self, ask: Ask, request: Request | McpCall) -> Pace:
        """The user's own pace where there is one, else the vendor's, which holds for the vendor's address alone."""
        if ask.settings.rate_per_minute > 0:
            return Pace(interval_s=60 / ask.settings.rate_per_minute)
        if ask.backend.pace.interval_s <= 0 or self._home(ask) not in ("", origin_of(request.url)):
            return Pace()
        return ask.backend.pace

    def _home(self, ask: Ask) -> str:
        """Where the backend goes by itself; empty when that can't be told."""
        name = ask.backend.name
        if name not in self._homes:
            try:
                request = ask.operation.build(ask.request, ask.backend.settings())
            except Exception:  # noqa: BLE001 - such as for want of a key
                self._homes[name] = ""
            else:
                self._homes[name] = origin_of(request.url)
        return self._homes[name]
