"""What is agreed with an MCP server once, what ends it, and how a call is taken back."""

from __future__ import annotations

import anyio
import pytest
from anyio.abc import ByteStream

from fanseek.contract import McpCall, Response
from fanseek.errors import BackendError
from fanseek.http.client import Client
from fanseek.http.mcp import NOTICE_S
from loopback import response
from mcp_server import OPEN, Log, Told, as_json, chunk, found, initialized, mcp_server, reply


def call_of(log: Log, **headers: str) -> McpCall:
    return McpCall(
        url=log.url, tool="web_search", arguments={"query": "q"}, headers=headers, credentialed=bool(headers)
    )


async def test_the_second_call_is_one_request_in_the_same_session() -> None:
    """C22."""
    async with mcp_server(found) as log, Client() as client:
        await client.call(call_of(log))
        before = len(log.told)
        await client.call(call_of(log))
    assert log.methods[before:] == ["tools/call"]
    assert {told.header("mcp-session-id") for told in log.told[1:]} == {"session-a"}
    assert {told.header("mcp-protocol-version") for told in log.told[1:]} == {"2025-06-18"}
    ids = [told.id for told in log.told if told.id is not None]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("version", "echoed"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2099-01-01"),
        ("", None),
        (None, None),
        (7, None),
        ("2025\r\nx: y", None),
    ],
)
async def test_the_version_the_server_chose_is_echoed(version: object, echoed: str | None) -> None:
    """BC-156, from the client's side: an unknown revision is no reason to fail."""

    async def initialize(told: Told, _: ByteStream) -> bytes:
        return initialized(told, version=version)

    async with mcp_server(found, initialize=initialize) as log, Client() as client:
        assert (await client.call(call_of(log))).tool.text == "found"
    assert log.told[-1].header("mcp-protocol-version") == echoed
    assert log.told[-1].header("mcp-session-id") is None


async def test_two_keys_have_two_sessions() -> None:
    async with mcp_server(found) as log, Client() as client:
        for key in ("K1-secret", "K2-secret", "K1-secret"):
            await client.call(call_of(log, **{"x-api-key": key}))
    assert len(log.of("initialize")) == 2


async def test_first_calls_at_once_share_one_initialize() -> None:
    async with mcp_server(found) as log, Client() as client, anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(client.call, call_of(log))
    assert len(log.of("initialize")) == 1
    assert len(log.of("notifications/initialized")) == 1
    assert len(log.of("tools/call")) == 10


async def test_a_first_caller_that_gives_up_takes_nobody_with_it() -> None:
    slow = anyio.Event()
    answers: list[Response] = []

    async def initialize(told: Told, _: ByteStream) -> bytes | None:
        if not slow.is_set():
            slow.set()
            await anyio.sleep_forever()
        return initialized(told, session="second")

    async with mcp_server(found, initialize=initialize) as log, Client() as client, anyio.create_task_group() as tasks:
        first = anyio.CancelScope()

        async def impatient() -> None:
            with first:
                await client.call(call_of(log))

        async def patient() -> None:
            answers.append(await client.call(call_of(log)))

        tasks.start_soon(impatient)
        await slow.wait()
        tasks.start_soon(patient)
        await anyio.wait_all_tasks_blocked()
        first.cancel()
    assert [answer.tool.text for answer in answers] == ["found"]
    assert len(log.of("initialize")) == 2
    assert not log.of("notifications/cancelled")


# restarts and refusals


def restarting(first: str, then: str, *, status: int = 404, body: bytes = b"") -> tuple[object, object, list[str]]:
    """Answers for a server whose sessions die: it knows only the latest id that it gave."""
    alive = [first]

    async def initialize(told: Told, _: ByteStream) -> bytes:
        assert told.header("mcp-session-id") is None
        return initialized(told, session=alive[0])

    async def tool(told: Told, _: ByteStream) -> bytes:
        if told.header("mcp-session-id") != alive[0]:
            return response(body, status=status)
        return as_json(reply(told))

    return initialize, tool, alive


@pytest.mark.parametrize(("status", "body"), [(404, b""), (400, b"Bad Request: No valid session ID provided")])
async def test_a_forgotten_session_is_begun_anew_once(status: int, body: bytes) -> None:
    """C22, BC-155."""
    initialize, tool, alive = restarting("a", "b", status=status, body=body)
    async with mcp_server(tool, initialize=initialize) as log, Client() as client:
        await client.call(call_of(log))
        await client.call(call_of(log))
        alive[0] = "b"
        answer = await client.call(call_of(log))
    assert answer.tool.text == "found"
    assert log.methods == [
        "initialize",
        "notifications/initialized",
        *["tools/call"] * 3,
        "initialize",
        "notifications/initialized",
        "tools/call",
    ]


async def test_a_second_404_is_the_answer() -> None:
    """BC-155: exactly one retry."""

    async def tool(_: Told, __: ByteStream) -> bytes:
        return response(b"gone", status=404)

    async with mcp_server(tool) as log, Client() as client:
        answer = await client.call(call_of(log))
    assert (answer.status, answer.body) == (404, b"gone")
    assert (len(log.of("initialize")), len(log.of("tools/call"))) == (2, 2)


async def test_ten_calls_at_once_begin_anew_once() -> None:
    """BC-155."""
    initialize, tool, alive = restarting("a", "b")
    async with mcp_server(tool, initialize=initialize) as log, Client() as client:
        await client.call(call_of(log))
        alive[0] = "b"
        async with anyio.create_task_group() as tasks:
            for _ in range(10):
                tasks.start_soon(client.call, call_of(log))
    assert len(log.of("initialize")) == 2


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503, 302])
async def test_a_refused_initialize_is_the_answer_of_everyone_who_waits(status: int) -> None:
    async def initialize(told: Told, _: ByteStream) -> bytes:
        await anyio.sleep(0.05)
        return response(b"{}", status=status, headers=[("retry-after", "9")])

    async with mcp_server(found, initialize=initialize) as log, Client() as client:
        answers: list[Response] = []

        async def ask() -> None:
            answers.append(await client.call(call_of(log)))

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(ask)
    assert [(answer.status, answer.headers["retry-after"]) for answer in answers] == [(status, "9")] * 5
    assert log.methods == ["initialize"]


async def test_a_failed_initialize_fails_everyone_who_waits_at_once() -> None:
    async def initialize(_: Told, __: ByteStream) -> None:
        await anyio.sleep(0.05)

    problems: list[BackendError] = []
    async with mcp_server(found, initialize=initialize) as log, Client() as client:

        async def ask() -> None:
            with pytest.raises(BackendError) as caught:
                await client.call(call_of(log))
            problems.append(caught.value)

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(ask)
        assert log.methods == ["initialize"]
    assert {problem.kind for problem in problems} == {"network"}
    assert len({id(problem) for problem in problems}) == 5


UNKNOWN = {"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "Method not found"}}


@pytest.mark.parametrize(
    "raw",
    [response(status=405), response(b"nope", status=404), response(status=400), response(status=501), as_json(UNKNOWN)],
)
async def test_a_server_without_a_handshake_is_called_plainly(raw: bytes) -> None:
    async def initialize(_: Told, __: ByteStream) -> bytes:
        return raw

    async with mcp_server(found, initialize=initialize) as log, Client() as client:
        for _ in range(2):
            assert (await client.call(call_of(log))).tool.text == "found"
    assert log.methods == ["initialize", "tools/call", "tools/call"]
    assert log.told[-1].header("mcp-session-id") is None
    assert log.told[-1].header("mcp-protocol-version") is None


async def test_plain_calls_that_fail_are_no_reason_to_skip_the_handshake_for_ever() -> None:
    well = False

    async def initialize(told: Told, _: ByteStream) -> bytes:
        return initialized(told, session="a") if well else response(status=404)

    async def tool(told: Told, _: ByteStream) -> bytes:
        return as_json(reply(told)) if well else response(status=404)

    async with mcp_server(tool, initialize=initialize) as log, Client() as client:
        assert (await client.call(call_of(log))).status == 404
        well = True
        assert (await client.call(call_of(log))).tool.text == "found"
    assert log.told[-1].header("mcp-session-id") == "a"


async def test_a_notice_that_is_refused_harms_nothing() -> None:
    async def other(_: Told, __: ByteStream) -> bytes:
        return response(b"what?", status=500)

    async with mcp_server(found, other=other) as log, Client() as client:
        assert (await client.call(call_of(log))).tool.text == "found"


# taking a call back


async def hanging(_: Told, stream: ByteStream) -> None:
    await stream.send(OPEN.format("").encode() + chunk(": working\n\n"))
    await stream.receive()


async def test_a_cancelled_call_is_taken_back() -> None:
    async with mcp_server(hanging) as log, Client() as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.call, call_of(log))
            call = await log.until("tools/call")
            tasks.cancel_scope.cancel()
        notice = await log.until("notifications/cancelled")
    assert notice.message["params"]["requestId"] == call.id
    assert notice.header("mcp-session-id") == "session-a"
    assert "id" not in notice.message


async def test_a_call_cut_by_its_time_is_taken_back() -> None:
    async with mcp_server(hanging) as log, Client() as client:
        with anyio.move_on_after(0.2):
            await client.call(call_of(log))
        await log.until("notifications/cancelled")


async def test_taking_back_delays_nobody() -> None:
    """The server never answers the notice: the abort is done at once all the same, and so is closing."""

    async def other(told: Told, _: ByteStream) -> bytes:
        if told.rpc == "notifications/cancelled":
            await anyio.sleep_forever()
        return response(status=202)

    async with mcp_server(hanging, other=other) as log:
        async with Client() as client:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(client.call, call_of(log))
                await log.until("tools/call")
                began = anyio.current_time()
                tasks.cancel_scope.cancel()
            aborted = anyio.current_time() - began
        closed = anyio.current_time() - began
        await log.until("notifications/cancelled")
    assert aborted < NOTICE_S
    assert closed < 1


async def test_a_call_cancelled_with_its_client_is_taken_back_too() -> None:
    async with mcp_server(hanging) as log, anyio.create_task_group() as tasks:

        async def whole() -> None:
            async with Client() as client:
                await client.call(call_of(log))

        tasks.start_soon(whole)
        await log.until("tools/call")
        scope = tasks.cancel_scope
        with anyio.CancelScope(shield=True):
            scope.cancel()
            await log.until("notifications/cancelled")


async def test_a_cancelled_handshake_is_not_taken_back() -> None:
    """The specification: initialize must not be cancelled."""

    async def initialize(_: Told, __: ByteStream) -> None:
        await anyio.sleep_forever()

    async with mcp_server(found, initialize=initialize) as log, Client() as client:
        with anyio.move_on_after(0.1):
            await client.call(call_of(log))
        await anyio.sleep(0.1)
    assert log.methods == ["initialize"]


async def test_nothing_is_left_when_the_client_closes() -> None:
    async with mcp_server(hanging) as log:
        async with Client() as client, anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(client.call, call_of(log))
            await log.until("tools/call", 5)
            tasks.cancel_scope.cancel()
        await log.server.until_open(0)
