"""A call made with one of several keys, handed on to the next key where the failure was the key's."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import msgspec

from fanseek.errors import FailureKind, kind_of
from fanseek.fanout.call import Answered, Asking, Question, failed, origin_of
from fanseek.guard.bench import LADDERS
from fanseek.guard.breaker import Breaker
from fanseek.guard.exhausted import exhausted
from fanseek.guard.keys import Found, Key
from fanseek.guard.rotation import Rotation, Turns
from fanseek.types import HEARD, Attempt, Outcome

MOST = 3
"""How many keys one call may use up."""


class Tried(msgspec.Struct, frozen=True):
    """One key's try and what it came to."""

    key: Key
    origin: str
    answered: Answered

    @property
    def fault(self) -> FailureKind | None:
        """The kind of failure that is the key's own; None for an answer and for every other failure."""
        kind = kind_of(self.answered.outcome.status)
        return kind if kind in LADDERS else None


class Relay:
    """Calls with the keys of their backends in turn. A call without keys is simply made."""

    def __init__(self, asking: Asking, rotation: Rotation) -> None:
        self._asking = asking
        self._rotation = rotation

    @property
    def breaker(self) -> Breaker:
        """The breaker that learns how calls end."""
        return self._asking.breaker

    async def turns(self, question: Question) -> Turns:
        """Which keys the call may be made with, in order; none where no key travels with it."""
        keys = question.found.keys if any(address.credentialed for address in question.addresses) else ()
        return await self._rotation.turns(question.backend.name, keys) if keys else Turns()

    def refused(self, question: Question, turns: Turns) -> Answered:
        """The outcome of a call that no key is left for: nothing is sent."""
        return Answered(outcome=exhausted(question.backend.name, question.found, turns, self._asking.clock()))

    async def ask(self, question: Question, turns: Turns) -> Answered:
        """`question` put with one key after the other until one is not refused for itself, within one time cap."""
        if not turns.keys:
            return await self._asking.ask(question)
        began = anyio.current_time()
        tried: list[Tried] = []
        for key in turns.keys:
            left = began + question.cap_s - anyio.current_time()
            if tried and (left <= 0 or not self._fit(question, key)):
                continue
            tried.append(await self._try(question, key, left))
            if not tried[-1].fault or len(tried) == MOST:
                break
        ms = (anyio.current_time() - began) * 1000
        return self._told(question, tried, ms)

    def _fit(self, question: Question, key: Key) -> bool:
        """Whether no other call has found fault with `key` in the meantime."""
        return bool(self._rotation.resting(question.backend.name, [key]).keys)

    async def _try(self, question: Question, key: Key, left: float) -> Tried:
        name, began = question.backend.name, self._asking.clock()
        request = question.rebuilt(key.value) if question.rebuilt else question.request
        one = msgspec.structs.replace(question, request=request, cap_s=left)
        tried = Tried(key, origin_of(request.url), await self._asking.ask(one))
        outcome = tried.answered.outcome
        if tried.fault:
            await self._rotation.struck(name, key, tried.fault, began, outcome.retry_after_s)
        elif outcome.status in HEARD:
            await self._rotation.worked(name, key, began)
        return tried

    def _told(self, question: Question, tried: Sequence[Tried], ms: float) -> Answered:
        """The call's end: the last try's, with what became of the others."""
        last = tried[-1]
        answered, found = last.answered, question.found
        outcome = msgspec.structs.replace(answered.outcome, ms=ms, warnings=self._warnings(question, tried))
        if len(found.keys) > 1:
            outcome = msgspec.structs.replace(outcome, attempts=tuple(attempt for one in tried for attempt in _of(one)))
        if not last.fault:
            return msgspec.structs.replace(answered, outcome=outcome)
        state = self._rotation.resting(question.backend.name, found.keys)
        if state.keys:
            left = f"{len(state.keys)} more of its keys can be used"
            message = f"{outcome.message} (refused: {_slots(tried)}; {left})"
            outcome = msgspec.structs.replace(outcome, message=message, retryable=True, retry_after_s=0.0)
            return msgspec.structs.replace(answered, outcome=outcome, spared=True)
        return msgspec.structs.replace(answered, outcome=self._worn_out(outcome, tried, found, state))

    def _worn_out(self, outcome: Outcome, tried: Sequence[Tried], found: Found, state: Turns) -> Outcome:
        """The end of a call whose failure leaves no key: it stands for the one that recovers first."""
        heals = next((one for one in tried if one.key == state.first), tried[-1])
        whole = failed(outcome.backend, heals.answered.outcome.status, heals.answered.outcome.message)
        message = whole.message
        if len(found.keys) > 1:
            message += f" (no key is left; refused now: {_slots(tried)})"
        return msgspec.structs.replace(
            outcome,
            status=whole.status,
            code=whole.code,
            retryable=whole.retryable,
            message=message,
            retry_after_s=state.rest_s,
        )

    def _warnings(self, question: Question, tried: Sequence[Tried]) -> tuple[str, ...]:
        """What the call said, which keys a person should see to although it succeeded, and what is no key."""
        last = tried[-1]
        bad = [
            f"{one.key.slot} of {question.found.name} was refused: {one.answered.outcome.message}"
            for one in tried[:-1]
            if one.fault != "rate-limit"
        ]
        return (*last.answered.outcome.warnings, *bad, *question.found.remarks)


def _of(tried: Tried) -> tuple[Attempt, ...]:
    """The tries as attempts: one for each address that was asked with the key."""
    outcome = tried.answered.outcome
    attempts = outcome.attempts or (Attempt(origin=tried.origin, status=outcome.status, message=outcome.message),)
    return tuple(msgspec.structs.replace(attempt, key=tried.key.slot) for attempt in attempts)


def _slots(tried: Sequence[Tried]) -> str:
    return ", ".join(f"{one.key.slot} ({one.answered.outcome.status})" for one in tried)
