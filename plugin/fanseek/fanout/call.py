"""One backend asked once: its addresses in turn under one time cap, ending in an outcome and never in an error."""

from __future__ import annotations

import logging
import re
import traceback
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import msgspec

from fanseek.contract import AnyBackend, AnyOperation, Hit, McpCall, Request, Response
from fanseek.errors import BackendError, FailureKind
from fanseek.fanout.continuation import CONTINUATIONS, following, joined
from fanseek.guard.breaker import Admission, Breaker
from fanseek.guard.circuit import own_rest
from fanseek.guard.keys import Found
from fanseek.reading import Reading, read
from fanseek.text.instants import instant
from fanseek.types import HEARD, Attempt, Clock, Outcome, Status

log = logging.getLogger("fanseek.fanout")

Send = Callable[[Request | McpCall], Awaitable[Response]]
"""The transport: one exchange. Raises BackendError."""

Clean = Callable[[str], str]
"""Takes secrets out of a message."""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """What is sent to one backend, and how its answer is read."""

    backend: AnyBackend
    operation: AnyOperation
    request: Request | McpCall
    cap_s: float
    """The most the whole call may take once it may start, in seconds."""
    told: bytes | None = None
    """All that the request was built from, for the breaker; None leaves it to what is told when the call begins."""
    found: Found = Found()
    """The keys it may be asked with; the request has the first of them in it."""
    rebuilt: Callable[[str], Request | McpCall] | None = None
    """The request with another key in it."""

    @property
    def addresses(self) -> tuple[Request | McpCall, ...]:
        """The request itself and those to try when it fails."""
        alternatives = self.request.alternatives if isinstance(self.request, Request) else ()
        return (self.request, *alternatives)


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """One call's outcome with what it brought."""

    outcome: Outcome
    hits: tuple[Hit, ...] = ()
    answer: str | None = None
    citations: tuple[str, ...] = ()
    spared: bool = False
    """A failure of some keys while others are left: the breaker is told nothing."""
    variant: int = 0
    """The query variant that was asked; 0 is the query itself."""


class Asking:
    """What a call needs of the engine: the transport, the breaker for single addresses, clock and redaction."""

    def __init__(self, *, send: Send, breaker: Breaker, clock: Clock, clean: Clean = str) -> None:
        self.send = send
        self.breaker = breaker
        self.clock = clock
        self.clean = clean

    async def ask(self, question: Question) -> Answered:
        """`question` put to each address in turn until one answers."""
        began = anyio.current_time()
        trail = _Trail(self, question)
        try:
            reading = await self._in_turn(question, trail, began + question.cap_s)
        finally:
            trail.settle()
        ms = (anyio.current_time() - began) * 1000
        outcome = msgspec.structs.replace(
            reading.outcome(question.backend.name, ms),
            message=self.clean(reading.message),
            warnings=tuple(map(self.clean, reading.warnings)),
            attempts=tuple(trail.attempts) if len(question.addresses) > 1 else (),
        )
        return Answered(outcome=outcome, hits=reading.hits, answer=reading.answer, citations=reading.citations)

    async def _in_turn(self, question: Question, trail: _Trail, end: float) -> Reading:
        left = trail.open_addresses()
        failed: list[Reading] = []
        while left:
            address = left.pop(0)
            if (origin := origin_of(address.url)) in trail.unreachable:
                continue
            others = {origin_of(other.url) for other in left} - {origin} - trail.unreachable
            reading = await self._one(question, address, (end - anyio.current_time()) / (1 + len(others)))
            trail.note(origin, reading)
            if reading.status in HEARD:
                return reading
            failed.append(reading)
        return failed[0] if len(failed) == 1 else _representative(question, failed)

    async def _one(self, question: Question, address: Request | McpCall, share_s: float) -> Reading:
        """One exchange, continued where its answer is not whole, and its reading; every failure is a reading too."""
        readings: list[Reading] = []
        began = anyio.current_time()
        try:
            with anyio.move_on_after(share_s):
                await self._exchange(question, address, readings)
                return joined(readings)
        except BackendError as problem:
            readings.append(_broken(question.backend.name, problem, anyio.current_time() - began))
        except Exception as problem:  # noqa: BLE001 - a bug in one parser must cost one outcome, not the search
            message = self.clean(described(problem))
            log.error("%s: unexpected %s (%s)", question.backend.name, message, _place(problem))  # noqa: TRY400 - a traceback may quote a key
            readings.append(Reading(status="format", message=f"the answer could not be read: {message}"))
        else:
            readings.append(_timed_out(question.backend.name, share_s))
        return joined(readings)

    async def _exchange(self, question: Question, address: Request | McpCall, readings: list[Reading]) -> None:
        """Send `address` and what must follow it; every reply's reading goes to `readings` as it comes."""
        sent: Request | McpCall | None = address
        while sent is not None:
            response = await self.send(sent)
            readings.append(read(question.backend, question.operation, response, instant(self.clock())))
            more = len(readings) <= CONTINUATIONS
            sent = following(question.operation, response, sent) if more else None


class _Trail:
    """The addresses of one call: which were tried, how they ended, and what the breaker learns of each."""

    def __init__(self, asking: Asking, question: Question) -> None:
        self._asking = asking
        self._question = question
        self.attempts: list[Attempt] = []
        self.unreachable: set[str] = set()
        self._ends: dict[str, Reading] = {}
        self._admissions: dict[str, Admission] = {}

    def open_addresses(self) -> list[Request | McpCall]:
        """The addresses that are not cooling, or all of them, the soonest to be ready first, when every one is."""
        addresses = list(self._question.addresses)
        if len(addresses) == 1:
            return addresses
        breaker = self._asking.breaker
        for origin in dict.fromkeys(origin_of(address.url) for address in addresses):
            self._admissions[origin] = breaker.begin(f"{self._question.backend.name}@{origin}", self._question.told)
        rests = {origin: breaker.rest(admission.key) for origin, admission in self._admissions.items()}
        if all(rests.values()):
            return sorted(addresses, key=lambda address: rests[origin_of(address.url)])
        for origin, rest in rests.items():
            if rest:
                reason = breaker.circuit(self._admissions[origin].key).reason
                message = f"left alone for {rest:.0f} s more ({reason})"
                self.attempts.append(Attempt(origin=origin, status="skipped", message=message))
        return [address for address in addresses if not rests[origin_of(address.url)]]

    def note(self, origin: str, reading: Reading) -> None:
        """One address has ended so."""
        message = self._asking.clean(reading.message)
        self.attempts.append(Attempt(origin=origin, status=reading.status, message=message))
        if reading.status in ("timeout", "network"):
            self.unreachable.add(origin)
        self._ends[origin] = reading

    def settle(self) -> None:
        """Tell the breaker how each origin ended; its last word counts."""
        for origin, reading in self._ends.items():
            if (admission := self._admissions.get(origin)) is not None:
                self._asking.breaker.record(admission, reading.status, reading.retry_after)


def described(problem: BaseException) -> str:
    """A problem nobody expected, by its kind and its own words; by its kind alone where it has none to give."""
    try:
        return f"{type(problem).__name__}: {problem}"
    except Exception:  # noqa: BLE001 - even its words may be broken
        return type(problem).__name__


def origin_of(url: str) -> str:
    """Scheme, host and port of `url`, without a user's name and password."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{re.split(r'[/?#]', rest, maxsplit=1)[0].rpartition('@')[2]}"


def _place(problem: BaseException) -> str:
    frames = traceback.extract_tb(problem.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "unknown place"


def _broken(name: str, problem: BackendError, seconds: float) -> Reading:
    if problem.kind == "timeout":
        return _timed_out(name, seconds, problem.message)
    return Reading(status=problem.kind, message=problem.message, retry_after=problem.retry_after)


def _timed_out(name: str, seconds: float, detail: str = "") -> Reading:
    words = f'backend "{name}" timed out after {seconds * 1000:.0f} ms'
    return Reading(status="timeout", message=f"{words} ({detail})" if detail else words)


def _representative(question: Question, failed: list[Reading]) -> Reading:
    """What stands for several failed addresses: the failure that heals first, its message naming them all."""
    if all(reading.status == "timeout" for reading in failed):
        return _timed_out(question.backend.name, question.cap_s, f"{len(failed)} addresses tried")

    def healing(reading: Reading) -> tuple[bool, float]:
        kind: FailureKind = reading.status  # type: ignore[assignment]  # only failures come here
        return kind == "bad-request", own_rest(kind, reading.retry_after)

    message = "no address answered: " + "; ".join(dict.fromkeys(reading.message for reading in failed))
    return msgspec.structs.replace(min(failed, key=healing), message=message)


def failed(backend: str, status: Status, message: str, *, retry_after_s: float | None = None) -> Outcome:
    """The outcome of a call that brought nothing."""
    return Reading(status=status, message=message, retry_after=retry_after_s).outcome(backend, 0.0)
