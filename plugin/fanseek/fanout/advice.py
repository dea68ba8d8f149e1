"""What a caller can do about a backend that limits calls: whom to ask instead, and when to come back."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import msgspec

from fanseek.contract import AnyBackend
from fanseek.errors import POLICIES
from fanseek.guard.health import BackendStatus
from fanseek.types import HEARD, Outcome

RATE_LIMIT = POLICIES["rate-limit"]

Statuses = Callable[[], Sequence[BackendStatus]]


def advised(outcomes: Sequence[Outcome], statuses: Statuses, backends: Mapping[str, AnyBackend]) -> tuple[Outcome, ...]:
    """`outcomes`, every one of a rate limit with when to come back and whom to ask instead."""
    if not any(outcome.code == RATE_LIMIT.code for outcome in outcomes):
        return tuple(outcomes)
    known = {status.name: status for status in statuses()}
    return tuple(_of_rate_limit(outcome, outcomes, known, backends) for outcome in outcomes)


def _of_rate_limit(
    outcome: Outcome,
    outcomes: Sequence[Outcome],
    known: Mapping[str, BackendStatus],
    backends: Mapping[str, AnyBackend],
) -> Outcome:
    if outcome.code != RATE_LIMIT.code:
        return outcome
    wait = RATE_LIMIT.cooldown_s if outcome.retry_after_s is None else outcome.retry_after_s
    return msgspec.structs.replace(
        outcome,
        retry_after=math.ceil(wait),
        suggested_engine=_instead(outcome.backend, outcomes, known, backends),
    )


def _instead(
    name: str, outcomes: Sequence[Outcome], known: Mapping[str, BackendStatus], backends: Mapping[str, AnyBackend]
) -> str:
    """An enabled backend in good health: of another family, just heard, and not a dear one, where there is such."""
    ended = {outcome.backend: outcome.status in HEARD for outcome in outcomes}
    fit = [
        backends[status.name]
        for status in known.values()
        if status.name != name
        and status.enabled
        and status.state in ("healthy", "untested")
        and ended.get(status.name, True)
    ]

    def rank(backend: AnyBackend) -> tuple[bool, bool, bool, int, str]:
        kin = backend.family == backends[name].family
        return kin, not ended.get(backend.name, False), backend.costs_tokens, backend.priority, backend.name

    return min(fit, key=rank).name if fit else ""
