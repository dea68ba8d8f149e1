"""Several keys of one backend used in turn, by every process that shares a store; kept by fingerprint, never by key."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

import msgspec

from fanseek.errors import FailureKind
from fanseek.guard import bench
from fanseek.guard.bench import Ring
from fanseek.guard.breaker import REFRESH_S
from fanseek.guard.fingerprint import fingerprint
from fanseek.guard.keys import Key
from fanseek.state.store import Store
from fanseek.types import Clock

SALT = "keys"
PREFIX = "keys/"


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """The keys that may be used, in order. When there is none, `first` is the one that recovers first."""

    keys: tuple[Key, ...] = ()
    first: Key | None = None
    rest_s: float = 0.0
    reason: str = ""


class Rotation:
    """The turns and benches of every backend's keys. What another process has recorded is seen at the next turn."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._salt = b""
        self._rings: dict[str, Ring] = {}
        self._seen_at: float | None = None

    def now(self) -> float:
        """Unix time by the clock that benches go by."""
        return self._clock()

    async def refresh(self) -> None:
        """Take in what other processes have recorded, unless that was done a moment ago."""
        now = self._clock()
        if not self._store.shared or (self._seen_at is not None and 0 <= now - self._seen_at < REFRESH_S):
            return
        self._seen_at = now
        rows = await self._store.transact(SALT, {})
        self._salt = rows.get(SALT, self._salt)
        self._rings = {row.removeprefix(PREFIX): _decoded(held) for row, held in rows.items() if row != SALT}

    async def turns(self, backend: str, keys: Sequence[Key]) -> Turns:
        """The order for one call, which takes a turn where there is a choice."""
        now = self._clock()
        await self._salted()
        names = [self._name(key) for key in keys]

        def take(ring: Ring) -> Ring:
            choice = len(bench.ready(ring, names, now)) > 1
            return msgspec.structs.replace(ring, turns=ring.turns + 1) if choice else ring

        before = await self._change(backend, take if len(keys) > 1 else None)
        return self._turns(before, keys, names, now)

    async def struck(self, backend: str, key: Key, kind: FailureKind, began: float, wish_s: float | None) -> None:
        """A call that began at `began` has failed because of `key`."""
        now = self._clock()
        await self._salted()
        name = self._name(key)
        await self._change(backend, lambda ring: bench.struck(ring, name, kind, began=began, now=now, wish_s=wish_s))

    async def worked(self, backend: str, key: Key, began: float) -> None:
        """A call with `key` was answered."""
        await self._salted()
        name = self._name(key)
        if name in self._ring(backend).benches:
            await self._change(backend, lambda ring: bench.cleared(ring, name, began))

    def resting(self, backend: str, keys: Sequence[Key]) -> Turns:
        """How `keys` stand by what this process knows; nothing is waited for and no turn is taken."""
        if not self._salt:
            return Turns(keys=tuple(keys))
        names = [self._name(key) for key in keys]
        return self._turns(self._ring(backend), keys, names, self._clock())

    def _turns(self, ring: Ring, keys: Sequence[Key], names: Sequence[str], now: float) -> Turns:
        order = bench.ready(ring, names, now)
        if order or not keys:
            return Turns(keys=tuple(keys[index] for index in order))
        rests = [bench.rest(ring, name, now) for name in names]
        soonest = min(range(len(keys)), key=lambda index: rests[index])
        reason = ring.benches[names[soonest]].kind
        return Turns(first=keys[soonest], rest_s=rests[soonest], reason=reason)

    async def _change(self, backend: str, change: Callable[[Ring], Ring] | None) -> Ring:
        """The ring before `change`, which is made in the store and in the view of it."""
        now, row = self._clock(), PREFIX + backend
        before = self._ring(backend)

        def made(held: bytes | None) -> bytes | None:
            nonlocal before
            before = bench.sane(_decoded(held), now)
            after = change(before) if change else before
            return None if after == Ring() else msgspec.json.encode(after)

        if change is not None:
            self._rings[backend] = change(before)
        rows = await self._store.transact(row, {row: made} if change else {})
        self._rings[backend] = bench.sane(_decoded(rows.get(row)), now)
        return before if change else self._rings[backend]

    def _ring(self, backend: str) -> Ring:
        return bench.sane(self._rings.get(backend, Ring()), self._clock())

    async def _salted(self) -> None:
        """See to it that fingerprints are salted by the store's own salt."""
        if not self._salt:
            fresh = secrets.token_bytes(16)
            rows = await self._store.transact(SALT, {SALT: lambda held: held or fresh})
            self._salt = rows.get(SALT, fresh)

    def _name(self, key: Key) -> str:
        return fingerprint(key.value.encode(), self._salt)


def _decoded(row: bytes | None) -> Ring:
    try:
        return msgspec.json.decode(row, type=Ring) if row else Ring()
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Ring()
