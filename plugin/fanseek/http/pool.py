"""Connections kept open between exchanges, by origin."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import anyio

from fanseek.http.connection import Connection

CLOSED = "the transport is closed"


class Origin(NamedTuple):
    """Where a connection leads to; `name` is the host that TLS verifies."""

    scheme: str
    host: str
    port: int
    name: str


class Place:
    """A request's place in the queue for one of an origin's slots."""

    __slots__ = ("granted", "left", "turn")

    def __init__(self) -> None:
        self.turn = anyio.Event()
        self.granted = False
        self.left = False


class Lane:
    """One origin's slots, idle connections (newest last) and queue."""

    __slots__ = ("busy", "idle", "origin", "queue")

    def __init__(self, origin: Origin) -> None:
        self.origin = origin
        self.busy = 0
        self.idle: deque[Connection] = deque()
        self.queue: deque[Place] = deque()


class Pool:
    """A lane for each origin in use.

    Every step costs the same however many origins and connections there are. No task watches the idle ones:
    each is looked at before it is used, and those past their time are closed whenever another becomes idle.
    """

    def __init__(
        self, *, keepalive_s: float, max_idle_per_origin: int, max_per_origin: int, clock: Callable[[], float]
    ) -> None:
        self._lanes: dict[Origin, Lane] = {}
        self._by_age: dict[Connection, Lane] = {}
        self._in_use: set[Connection] = set()
        self._keepalive_s = keepalive_s
        self._max_idle = max_idle_per_origin
        self._max_busy = max_per_origin
        self._clock = clock
        self._closed = False

    async def enter(self, origin: Origin) -> Lane:
        """The origin's lane with one of its slots taken, waiting for one as long as it takes.

        Raises RuntimeError when the pool is closed.
        """
        if self._closed:
            raise RuntimeError(CLOSED)
        lane = self._lanes.get(origin)
        if lane is None:
            lane = self._lanes[origin] = Lane(origin)
        if lane.busy < self._max_busy:
            lane.busy += 1
            return lane
        place = Place()
        lane.queue.append(place)
        try:
            await place.turn.wait()
        except BaseException:
            place.left = True
            if place.granted:
                self.leave(lane)
            raise
        if self._closed:
            self.leave(lane)
            raise RuntimeError(CLOSED)
        return lane

    def leave(self, lane: Lane) -> None:
        """Give the slot to the next in the queue, or back."""
        while lane.queue:
            place = lane.queue.popleft()
            if not place.left:
                place.granted = True
                place.turn.set()
                return
        lane.busy -= 1
        self._prune(lane)

    def take_idle(self, lane: Lane) -> Connection | None:
        """The connection used last that is still fit for use, now in use again."""
        while lane.idle:
            connection = lane.idle.pop()
            del self._by_age[connection]
            if self._clock() - connection.idle_since < self._keepalive_s and connection.wire.quiet():
                self._in_use.add(connection)
                return connection
            connection.close()
        return None

    def adopt(self, connection: Connection) -> None:
        """Count a new connection among those in use."""
        self._in_use.add(connection)

    def drop(self, connection: Connection) -> None:
        """Close a connection that was in use."""
        self._in_use.discard(connection)
        connection.close()

    def give_back(self, lane: Lane, connection: Connection) -> None:
        """Keep the connection for later, or close it, and leave the lane."""
        now = self._clock()
        self._close_aged(now)
        if connection.reusable and len(lane.idle) < self._max_idle:
            self._in_use.discard(connection)
            connection.idle_since = now
            lane.idle.append(connection)
            self._by_age[connection] = lane
        else:
            self.drop(connection)
        self.leave(lane)

    def close(self) -> None:
        """Close every connection, those in use as well; nobody may enter any more."""
        self._closed = True
        for connection, lane in self._by_age.items():
            connection.close()
            lane.idle.clear()
        self._by_age.clear()
        self._lanes = {origin: lane for origin, lane in self._lanes.items() if lane.busy}
        for connection in tuple(self._in_use):
            self.drop(connection)

    def _close_aged(self, now: float) -> None:
        while self._by_age:
            connection, lane = next(iter(self._by_age.items()))
            if now - connection.idle_since < self._keepalive_s:
                return
            del self._by_age[connection]
            lane.idle.popleft()
            connection.close()
            self._prune(lane)

    def _prune(self, lane: Lane) -> None:
        if not lane.busy and not lane.idle:
            self._lanes.pop(lane.origin, None)
