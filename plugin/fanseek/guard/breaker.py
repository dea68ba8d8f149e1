"""Which backends are left alone for now, remembered between searches and, with a shared store, between processes."""

from __future__ import annotations

import logging
import secrets
from collections import defaultdict
from collections.abc import Callable, Mapping

import anyio
import msgspec

from fanseek.errors import kind_of
from fanseek.guard.circuit import (
    CLOSED,
    Answered,
    Circuit,
    Failed,
    Rules,
    State,
    after,
    forgotten,
    rest_of,
    state_of,
)
from fanseek.guard.fingerprint import fingerprint
from fanseek.state.store import Change, Store
from fanseek.telemetry import BreakerClosed, BreakerOpened, Telemetry
from fanseek.types import HEARD, Clock, Status

log = logging.getLogger("fanseek.guard")

PREFIX = "breaker/"
SALT = "salt"
REFRESH_S = 0.5
"""How old the view of a shared store may be, in seconds."""

Told = Callable[[str], bytes]
"""What is told today to the backend behind a key, its own key included."""


class Admission(msgspec.Struct, frozen=True):
    """The start of one call, handed back when its end is recorded."""

    key: str
    began: float
    episode: int
    told: bytes


class Breaker:
    """Circuits by key: a backend's name, or `name@origin` for one of several addresses of it.

    Decisions are made in memory and never wait; `flush` and `keep_flushing` carry them to the store.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Clock,
        rules: Rules | None = None,
        enabled: bool = True,
        telemetry: Telemetry | None = None,
        told: Told = lambda _key: b"",
    ) -> None:
        self._store = store
        self._clock = clock
        self.configure(rules or Rules(), enabled=enabled)
        self._telemetry = telemetry or Telemetry()
        self._told = told
        self._salt = secrets.token_bytes(16)
        self._circuits: dict[str, Circuit] = {}
        self._episodes: dict[str, int] = defaultdict(int)
        self._unsaved: list[tuple[str, Failed | Answered]] = []
        self._changed = anyio.Event()
        self._flushing = anyio.Lock()
        self._seen_at: float | None = None

    def configure(self, rules: Rules, *, enabled: bool) -> None:
        """Go by `rules` from now on; what is remembered stays."""
        self._rules = rules
        self._enabled = enabled and rules.cooldown_s > 0

    def state(self, key: str) -> State:
        """Where the circuit of `key` stands now; a switched-off breaker is always closed."""
        return state_of(self.circuit(key), self._clock()) if self._enabled else "closed"

    def rest(self, key: str) -> float:
        """Seconds until `key` will be asked again; 0 when it may be now."""
        return rest_of(self.circuit(key), self._clock()) if self._enabled else 0.0

    def circuit(self, key: str) -> Circuit:
        """What is remembered of `key`: nothing of what was seen when its backend was told something else."""
        found = self._circuits.get(key, CLOSED)
        return found if found == CLOSED or found.fingerprint == self._fingerprint(key) else CLOSED

    def begin(self, key: str, told: bytes | None = None) -> Admission:
        """Mark the start of a call; `told` is what its backend was told for it, today's when left out."""
        return Admission(key, self._clock(), self._episodes[key], self._told(key) if told is None else told)

    def record(self, admission: Admission, status: Status, retry_after: float | None = None) -> None:
        """Remember how a call ended.

        Endings of our own making (late, cancelled, skipped) say nothing, nor does the end of a call whose backend
        is told something else by now.
        """
        if admission.told != self._told(admission.key):
            return
        if status in HEARD:
            self._apply(admission.key, Answered(began=admission.began, now=self._clock()))
            return
        kind = kind_of(status)
        if kind is None:
            return
        failed = Failed(
            kind=kind,
            began=admission.began,
            now=self._clock(),
            retry_after=retry_after,
            counts=admission.episode == self._episodes[admission.key],
            fingerprint=self._fingerprint(admission.key),
        )
        self._apply(admission.key, failed)

    def _apply(self, key: str, event: Failed | Answered) -> None:
        before = self.circuit(key)
        now = after(before, event, self._rules)
        if now == before:
            return
        if now.failures > before.failures:
            self._episodes[key] += 1
        self._hold(key, now)
        if self._store.shared:
            self._unsaved.append((key, event))
            self._changed.set()
        self._tell(key, before, now, event.now)

    def _fingerprint(self, key: str) -> str:
        told = self._told(key)
        return fingerprint(told, self._salt) if told else ""

    def _hold(self, key: str, circuit: Circuit) -> None:
        if circuit == CLOSED:
            self._circuits.pop(key, None)
        else:
            self._circuits[key] = circuit

    def _tell(self, key: str, before: Circuit, now: Circuit, moment: float) -> None:
        if now.until > before.until:
            rest = now.until - moment
            log.info("%s is left alone for %.0f s (%s)", key, rest, now.reason)
            if "@" not in key:
                self._telemetry.emit(BreakerOpened(backend=key, reason=now.reason, cooldown_s=rest))
        elif before.until and not now.until:
            log.info("%s works again", key)
            if "@" not in key:
                self._telemetry.emit(BreakerClosed(backend=key))

    async def refresh(self) -> None:
        """Take in what other processes have recorded, unless that was done a moment ago."""
        now = self._clock()
        if self._seen_at is None or (self._store.shared and not 0 <= now - self._seen_at < REFRESH_S):
            self._seen_at = now
            await self.flush()

    async def flush(self) -> None:
        """Carry what is unsaved to the store and take in what it holds."""
        if not self._store.shared:
            return
        async with self._flushing:
            unsaved, self._unsaved = self._unsaved, []
            try:
                rows = await self._store.transact("", self._changes(unsaved))
            except BaseException:
                self._unsaved = unsaved + self._unsaved
                raise
            self._take_in(rows)

    def _take_in(self, rows: Mapping[str, bytes]) -> None:
        self._salt = rows.get(SALT, self._salt)
        now = self._clock()
        read = {name.removeprefix(PREFIX): _decoded(row) for name, row in rows.items() if name.startswith(PREFIX)}
        circuits = {key: circuit for key, circuit in read.items() if self._still_valid(key, circuit, now)}
        for key, event in self._unsaved:
            circuits[key] = after(circuits.get(key, CLOSED), event, self._rules)
        self._circuits = {key: circuit for key, circuit in circuits.items() if circuit != CLOSED}

    def _still_valid(self, key: str, circuit: Circuit, now: float) -> bool:
        """Whether `circuit` was seen under today's settings and is not of long ago."""
        return not forgotten(circuit, now) and circuit.fingerprint == self._fingerprint(key)

    def _changes(self, unsaved: list[tuple[str, Failed | Answered]]) -> Mapping[str, Change]:
        events: dict[str, list[Failed | Answered]] = defaultdict(list)
        for key, event in unsaved:
            events[key].append(event)
        changes = {PREFIX + key: self._change(key, some) for key, some in events.items()}
        return {SALT: lambda old: old or self._salt, **changes} if changes else {}

    def _change(self, key: str, events: list[Failed | Answered]) -> Change:
        def change(row: bytes | None) -> bytes | None:
            circuit = _decoded(row)
            if not self._still_valid(key, circuit, events[0].now):
                circuit = CLOSED
            for event in events:
                circuit = after(circuit, event, self._rules)
            return None if circuit == CLOSED else msgspec.json.encode(circuit)

        return change

    async def keep_flushing(self) -> None:
        """Carry every change to the store soon after it is made, for as long as the engine lives."""
        while self._store.shared:
            await self._changed.wait()
            self._changed = anyio.Event()
            if self._unsaved:
                await self.flush()


def _decoded(row: bytes | None) -> Circuit:
    try:
        return msgspec.json.decode(row, type=Circuit) if row else CLOSED
    except msgspec.DecodeError:
        return CLOSED
