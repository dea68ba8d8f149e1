"""The other side of the pipe: its requests, each answered exactly once, unless it has taken one back."""

from __future__ import annotations

import inspect
import logging
import traceback
from collections.abc import Callable, Mapping
from typing import Any

import anyio
import msgspec
from anyio.abc import TaskGroup

from fanseek.surface.stdio import message
from fanseek.surface.stdio.lines import Line
from fanseek.surface.stdio.message import Fault, Id, Message, RpcError

log = logging.getLogger("fanseek.surface")

MOST = 256
"""Requests that may be under way at once."""


class Call:
    """One request under way."""

    def __init__(self, asked: Message, id_: Id, put: Callable[[bytes], None]) -> None:
        self.id = id_
        self.method = asked.method
        self.params = asked.params
        self.scope = anyio.CancelScope()
        self._put = put
        self._answered = False

    def tell(self, method: str, params: Any) -> None:
        """Notify the other side, for as long as the request is not answered."""
        if not self._answered and not self.scope.cancel_called:
            self._put(message.told(method, params))

    def answer(self, line: bytes | None) -> None:
        """End the request with `line`; None where the other side awaits nothing."""
        if not self._answered and line is not None:
            self._put(line)
        self._answered = True


Method = Callable[[Call], Any]
"""Answers a request, or raises RpcError. One that is a coroutine function runs beside others and can be cancelled."""


class Dialect(msgspec.Struct, frozen=True, kw_only=True):
    """What one protocol on this loop is like."""

    methods: Mapping[str, Method]
    cancel: tuple[str, str]
    """The notification that takes a request back, and its parameter that holds the id."""
    cancelled: RpcError | None = None
    """The answer to what was taken back; None where it gets none."""
    failed: Callable[[Exception], RpcError]
    """The answer to what failed otherwise than by RpcError."""
    grace_s: float = 0.0
    """How long requests may still run when the other side has no more to say, in seconds."""
    opening: str = "initialize"
    anytime: frozenset[str] = frozenset({"ping"})
    """What may be asked before the opening."""


class Peer:
    """Takes lines, runs what they ask for in `group`, and answers through `put`."""

    def __init__(self, dialect: Dialect, group: TaskGroup, put: Callable[[bytes], None], longest: int) -> None:
        self._dialect = dialect
        self._group = group
        self._send = put
        self._longest = longest
        self._calls: dict[Id, Call] = {}
        self._opened = False
        self._idle = anyio.Event()

    def take(self, line: Line) -> None:
        """Begin what `line` asks for."""
        found = message.read(line, self._longest)
        if isinstance(found, Fault):
            self._refuse(found)
        elif found is None:
            return
        elif found.id is None:
            self._note(found)
        elif fault := self._objection(found, found.id):
            self._refuse(fault)
        else:
            self._begin(found, found.id)

    async def idle(self) -> None:
        """Wait until no request is under way."""
        while self._calls:
            self._idle = anyio.Event()
            await self._idle.wait()

    def _refuse(self, fault: Fault) -> None:
        """Answer what is no request of its own; never under an id that awaits another answer."""
        self._send(message.refused(None if fault.id in self._calls else fault.id, fault))

    def _objection(self, asked: Message, id_: Id) -> Fault | None:
        if id_ in self._calls:
            return Fault(message.INVALID, f"the id {_brief(id_)} is in use by a request that is not answered yet", id_)
        if asked.method not in self._dialect.methods:
            return Fault(message.UNKNOWN_METHOD, f"there is no method {_brief(asked.method)}", id_)
        if not self._opened and asked.method not in {self._dialect.opening, *self._dialect.anytime}:
            return Fault(message.INVALID, f"the first request has to be {self._dialect.opening}", id_)
        if len(self._calls) >= MOST:
            return Fault(message.INTERNAL, f"{MOST} requests are under way; wait for some of them", id_)
        return None

    def _note(self, told: Message) -> None:
        """A notification; only the one that takes a request back means something here."""
        name, key = self._dialect.cancel
        target = told.params.get(key) if told.method == name else None
        if message.is_id(target) and (call := self._calls.get(target)):
            call.scope.cancel()

    def _begin(self, asked: Message, id_: Id) -> None:
        call, method = Call(asked, id_, self._send), self._dialect.methods[asked.method]
        self._calls[id_] = call
        if inspect.iscoroutinefunction(method):
            self._group.start_soon(self._run, call, method, name=f"fanseek {asked.method}")
            return
        try:
            call.answer(self._fitting(call, method(call)))
            self._opened = self._opened or asked.method == self._dialect.opening
        except Exception as problem:  # noqa: BLE001 - every request is answered
            call.answer(message.refused(call.id, self._worded(call, problem)))
        self._end(id_)

    async def _run(self, call: Call, method: Method) -> None:
        cancelled = self._dialect.cancelled
        taken_back = None if cancelled is None else message.refused(call.id, cancelled)
        line = taken_back
        try:
            with call.scope:
                line = self._fitting(call, await method(call))
        except Exception as problem:  # noqa: BLE001 - every request is answered
            line = message.refused(call.id, self._worded(call, problem))
        finally:
            call.answer(taken_back if call.scope.cancel_called else line)
            self._end(call.id)

    def _end(self, id_: Id) -> None:
        del self._calls[id_]
        if not self._calls:
            self._idle.set()

    def _worded(self, call: Call, problem: Exception) -> RpcError:
        if isinstance(problem, RpcError):
            return problem
        if isinstance(problem, msgspec.ValidationError):
            return RpcError(message.WRONG_PARAMS, f"wrong params: {problem}")
        where = "".join(traceback.format_tb(problem.__traceback__))
        log.debug("%s failed: %s\n%s", call.method, type(problem).__name__, where)
        return self._dialect.failed(problem)

    def _fitting(self, call: Call, result: Any) -> bytes:
        line = message.answered(call.id, result)
        if len(line) <= self._longest:
            return line
        return message.refused(
            call.id, RpcError(message.INTERNAL, f"the answer has {len(line)} bytes; the most is {self._longest}")
        )


def _brief(word: Id) -> str:
    text = repr(word)
    return text if len(text) <= 80 else f"{text[:80]}…"
