"""The loop between two pipes: every request answered once, in any disorder the other side can make."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any

import anyio
import msgspec
import pytest

from fanseek.surface.stdio import serving
from fanseek.surface.stdio.message import RpcError
from fanseek.surface.stdio.peer import MOST, Call, Dialect
from fanseek.surface.stdio.serving import serve
from far import Far, connected

LONGEST = 50_000
TAKEN_BACK = RpcError(-7, "taken back")


class Local:
    """What is served: methods that wait until they are let go."""

    def __init__(self, cancelled: RpcError | None = TAKEN_BACK, grace_s: float = 0) -> None:
        self.let_go = anyio.Event()
        self.begun: list[Any] = []
        self._began = anyio.Event()
        self.ended: list[Any] = []
        self.dialect = Dialect(
            methods={
                "initialize": lambda _call: "hello",
                "ping": lambda _call: {},
                "echo": lambda call: call.params,
                "wait": self._wait,
                "stubborn": self._stubborn,
                "raise": self._raise,
                "refuse": self._refuse,
                "large": lambda call: "x" * call.params["size"],
                "typed": lambda call: msgspec.convert(call.params, dict[str, int]),
            },
            cancel=("cancel", "id"),
            cancelled=cancelled,
            grace_s=grace_s,
            failed=lambda problem: RpcError(-9, type(problem).__name__),
        )

    async def _wait(self, call: Call) -> Any:
        self.note(call)
        try:
            call.tell("progress", {"id": call.id})
            await self.let_go.wait()
            return call.params
        finally:
            if call.scope.cancel_called:
                call.tell("progress", {"id": call.id, "late": True})
            self.ended.append(call.id)

    async def _stubborn(self, call: Call) -> Any:
        """Does not notice that it was taken back."""
        with anyio.CancelScope(shield=True):
            self.note(call)
            await self.let_go.wait()
        return "all the same"

    async def _raise(self, _call: Call) -> Any:
        raise KeyError("a secret")

    async def _refuse(self, _call: Call) -> Any:
        raise RpcError(-5, "no", {"why": 1})

    def note(self, call: Call) -> None:
        self.begun.append(call.id)
        self._began.set()

    async def has_begun(self, number: int) -> None:
        with anyio.fail_after(30):
            while len(self.begun) < number:
                self._began = anyio.Event()
                await self._began.wait()


def talk(local: Local) -> AbstractAsyncContextManager[tuple[Far, anyio.Event]]:
    return connected(partial(serve, dialect=local.dialect, longest=LONGEST))


async def test_requests_are_answered_by_id_as_they_end() -> None:
    local = Local()
    async with talk(local) as (far, _):
        await far.opened()
        await far.say(
            {"id": 1, "method": "wait", "params": {"a": 1}}, {"id": "1", "method": "echo", "params": {"b": 2}}
        )
        heard = [await far.hear() for _ in range(2)]
        assert {"jsonrpc": "2.0", "id": "1", "result": {"b": 2}} in heard
        local.let_go.set()
        assert await far.hear() == {"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}


async def test_nothing_but_a_ping_is_answered_before_the_opening() -> None:
    local = Local()
    async with talk(local) as (far, _):
        await far.say({"id": 1, "method": "echo"}, {"id": 2, "method": "ping"}, {"id": 3, "method": "nonsense"})
        heard = [await far.hear() for _ in range(3)]
        assert [one.get("error", {}).get("code") for one in heard] == [-32600, None, -32601]
        assert "initialize" in heard[0]["error"]["message"]
        await far.opened()
        await far.say({"id": 1, "method": "echo"})
        assert (await far.hear())["result"] == {}


async def test_what_is_taken_back_ends_at_once_and_is_answered_once() -> None:
    """B9: within 100 ms on an idle machine; here only that nothing else has to happen for it."""
    local = Local()
    async with talk(local) as (far, _):
        await far.opened()
        await far.say({"id": 1, "method": "wait"})
        await local.has_begun(1)
        await far.say({"method": "cancel", "params": {"id": 1}}, {"method": "cancel", "params": {"id": 1}})
        heard = [await far.hear() for _ in range(2)]
        assert heard[0] == {"jsonrpc": "2.0", "method": "progress", "params": {"id": 1}}
        assert heard[1] == {"jsonrpc": "2.0", "id": 1, "error": {"code": -7, "message": "taken back"}}
        assert local.ended == [1]
        await far.say({"id": 1, "method": "echo"})
        assert await far.hear() == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_what_is_taken_back_is_not_answered_where_a_protocol_wants_that() -> None:
    local = Local(cancelled=None)
    async with talk(local) as (far, _):
        await far.opened()
        await far.say({"id": 1, "method": "stubborn"}, {"id": 2, "method": "wait"})
        await local.has_begun(2)
        await far.say({"method": "cancel", "params": {"id": 1}}, {"method": "cancel", "params": {"id": 2}})
        await far.say({"id": 3, "method": "ping"})
        heard = [await far.hear() for _ in range(2)]
        assert [one.get("id") for one in heard] == [None, 3]
        local.let_go.set()
        far.hang_up()
        assert await far.hear() is None


async def test_a_result_that_comes_all_the_same_is_none() -> None:
    local = Local()
    async with talk(local) as (far, _):
        await far.opened()
        await far.say({"id": 1, "method": "stubborn"})
        await local.has_begun(1)
        await far.say({"method": "cancel", "params": {"id": 1}}, {"id": 2, "method": "ping"})
        assert (await far.hear())["id"] == 2
        local.let_go.set()
        assert (await far.hear())["error"]["code"] == -7


@pytest.mark.parametrize("target", [99, "1", None, True, [1], {"id": 1}, 1.0])
async def test_an_unknown_id_takes_nothing_back(target: Any) -> None:
    local = Local()
    async with talk(local) as (far, _):
        await far.opened()
        await far.say({"id": 1, "method": "wait"})
        await local.has_begun(1)
        await far.say({"method": "cancel", "params": {"id": target}}, {"method": "cancel"}, {"method": "unheard of"})
        local.let_go.set()
        assert (await far.hear())["method"] == "progress"
        assert (await far.hear())["result"] == {}


async def test_an_id_in_use_is_refused_without_costing_the_request_that_has_it() -> None:
    local = Local()
    async with talk(local) as (far, _):
        await far.opened()
        await far.say({"id": 1, "method": "wait"}, {"id": 1, "method": "echo"}, b'{"id":1,"method":"echo"}')
        heard = [await far.hear() for _ in range(3)]
        assert [one["id"] for one in heard if "error" in one] == [None, None]
        local.let_go.set()
        assert await far.hear() == {"jsonrpc": "2.0", "id": 1, "result": {}}


async def test_what_fails_is_answered_without_its_message() -> None:
    async with talk(Local()) as (far, _):
        await far.opened()
        await far.say(
            {"id": 1, "method": "raise"},
            {"id": 2, "method": "refuse"},
            {"id": 3, "method": "typed", "params": {"a": "b"}},
        )
        heard = {one["id"]: one["error"] for one in [await far.hear() for _ in range(3)]}
        assert heard[1] == {"code": -9, "message": "KeyError"}
        assert heard[2] == {"code": -5, "message": "no", "data": {"why": 1}}
        assert heard[3]["code"] == -32602
        assert "Expected `int`" in heard[3]["message"]


async def test_nonsense_between_requests_costs_none_of_them() -> None:
    """BC-161: blank lines, bad JSON, a batch, invalid UTF-8, a line over the limit."""
    async with talk(Local()) as (far, _):
        await far.opened()
        bad = [
            b"",
            b"\r",
            b"not json",
            b"[]",
            b"\xff\xfe",
            b"[" * 9000,
            b'{"jsonrpc":"2.0","id":8,"a":"' + b"x" * 70_000,
        ]
        for number, line in enumerate(bad, 100):
            await far.say(line, {"id": number, "method": "ping"})
        heard = []
        while not heard or heard[-1].get("id") != 106:
            heard.append(await far.hear())
        assert [one["id"] for one in heard if "result" in one] == list(range(100, 107))
        assert [one["error"]["code"] for one in heard if "error" in one] == [-32700, -32600, -32700, -32700, -32600]
        assert [one["id"] for one in heard if "error" in one] == [None, None, None, None, 8]


async def test_an_answer_over_the_limit_is_an_error() -> None:
    async with talk(Local()) as (far, _):
        await far.opened()
        await far.say({"id": 1, "method": "large", "params": {"size": LONGEST + 1}})
        error = (await far.hear())["error"]
        assert error["code"] == -32603
        assert str(LONGEST) in error["message"]


async def test_there_is_a_limit_to_what_is_under_way() -> None:
    local = Local()
    async with talk(local) as (far, _):
        await far.opened()
        await far.say(*({"id": number, "method": "wait"} for number in range(MOST + 1)))
        heard = [await far.hear() for _ in range(MOST + 1)]
        assert [one["id"] for one in heard if "error" in one] == [MOST]
        local.let_go.set()
        assert len([await far.hear() for _ in range(MOST)]) == MOST


async def test_the_end_of_input_waits_a_moment_for_what_is_under_way() -> None:
    """`… | fanseek worker` gets its answer."""
    local = Local(grace_s=30)
    async with talk(local) as (far, over):
        await far.opened()
        await far.say({"id": 1, "method": "wait"})
        await local.has_begun(1)
        far.hang_up()
        await far.hear()
        local.let_go.set()
        assert (await far.hear())["result"] == {}
        assert await far.hear() is None
        with anyio.fail_after(30):
            await over.wait()


@pytest.mark.parametrize("grace_s", [0, 0.01])
async def test_the_end_of_input_ends_what_goes_on(grace_s: float) -> None:
    local = Local(grace_s=grace_s)
    async with talk(local) as (far, _):
        await far.opened()
        await far.say({"id": 1, "method": "wait"})
        await local.has_begun(1)
        far.hang_up()
        await far.hear()
        assert (await far.hear())["error"]["message"] == "taken back"
        assert await far.hear() is None
        assert local.ended == [1]


async def test_a_last_line_without_its_end_counts() -> None:
    async with talk(Local()) as (far, _):
        await far.opened()
        await anyio.to_thread.run_sync(far._write, b'{"jsonrpc":"2.0","id":5,"method":"ping"}')
        far.hang_up()
        assert (await far.hear())["id"] == 5


async def test_who_stops_listening_ends_everything() -> None:
    """EPIPE: what is under way is of use to nobody."""
    local = Local()
    async with talk(local) as (far, over):
        await far.opened()
        await far.say({"id": 1, "method": "wait"})
        await local.has_begun(1)
        far.stop_listening()
        await far.say({"id": 2, "method": "ping"})
        with anyio.fail_after(30):
            await over.wait()
        assert local.ended == [1]


async def test_who_does_not_read_is_taken_to_be_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers nobody reads are not kept without end, and they hold up nothing."""
    monkeypatch.setattr(serving, "FLUSH_S", 0.01)
    local = Local()
    async with talk(local) as (far, over):
        await far.opened()
        await far.say(
            *({"id": number, "method": "large", "params": {"size": LONGEST - 100}} for number in range(1, 30))
        )
        with anyio.fail_after(30):
            await over.wait()


async def test_answers_stay_whole_and_in_order_when_the_pipe_is_full() -> None:
    """Some are written at once, some wait on a thread until there is room."""
    async with talk(Local()) as (far, _):
        await far.opened()
        await far.say(
            *({"id": n, "method": "large", "params": {"size": 100 if n % 3 else 40_000}} for n in range(1, 25))
        )
        await far.say({"id": 99, "method": "ping"})
        for n in range(1, 25):
            whole = await far.hear()
            assert (whole["id"], len(whole["result"])) == (n, 100 if n % 3 else 40_000)
        assert (await far.hear())["id"] == 99
