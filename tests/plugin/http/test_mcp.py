"""Tool calls over streamable HTTP: replies in every form they take, and how their streams end."""

from __future__ import annotations

import gzip
import json
import time

import anyio
import pytest
from anyio.abc import ByteStream

from fanseek.contract import McpCall, Response
from fanseek.errors import BackendError
from fanseek.http.client import Client
from loopback import responder, response, serve
from mcp_server import ENDED, JSON, OPEN, RESULT, SSE, Told, as_json, as_stream, chunk, found, mcp_server, reply

CANARY = "CANARY-9f3a71c2"


def call_of(url: str, **headers: str) -> McpCall:
    return McpCall(url=url, tool="web_search", arguments={"query": "天气"}, headers=headers, credentialed=bool(headers))


async def asked(tool: object, **server: object) -> Response:
    async with mcp_server(tool, **server) as log, Client() as client:
        return await client.call(call_of(log.url))


async def failure(tool: object, *, limit: int = 1_000_000, **server: object) -> BackendError:
    async with mcp_server(tool, **server) as log, Client(body_limit=limit) as client:
        with pytest.raises(BackendError) as caught:
            await client.call(call_of(log.url))
    return caught.value


async def test_a_call_is_initialize_initialized_and_the_call() -> None:
    """C22."""
    async with mcp_server(found) as log, Client() as client:
        answer = await client.call(call_of(log.url, **{"x-api-key": "K"}))
    assert log.methods == ["initialize", "notifications/initialized", "tools/call"]
    opening, _, call = log.told
    assert opening.message["params"]["protocolVersion"] == "2025-06-18"
    assert opening.message["params"]["clientInfo"]["name"] == "fanseek"
    assert opening.header("mcp-session-id") is None
    assert call.message["params"] == {"name": "web_search", "arguments": {"query": "天气"}}
    for told in log.told:
        assert told.header("accept") == "application/json, text/event-stream"
        assert told.header("content-type") == "application/json"
        assert told.header("x-api-key") == "K"
    assert (answer.status, answer.content_type, answer.tool.text) == (200, "application/json", "found")
    assert answer.rpc.id == call.id


NOISE = (
    {"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1, "progress": 1}},
    {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}},
    {"jsonrpc": "2.0", "id": 999, "result": {"content": [{"type": "text", "text": "of someone else"}]}},
    {"jsonrpc": "2.0", "id": "r-1", "method": "roots/list"},
    ["noise"],
    "noise",
)


def as_event(told: Told) -> bytes:
    return f"event: message\ndata: {json.dumps(reply(told))}\n\n".encode()


FORMS = {
    "json": lambda told: as_json(reply(told)),
    "stream": lambda told: as_stream(reply(told)),
    "stream with noise": lambda told: as_stream(*NOISE, reply(told)),
    "batch": lambda told: as_json([*NOISE[:3], reply(told)]),
    "string id": lambda told: as_json(reply(told) | {"id": str(told.id)}),
    "no type": lambda told: response(as_event(told)),
    "gzip": lambda told: response(gzip.compress(as_event(told)), headers=[SSE, ("content-encoding", "gzip")]),
}


@pytest.mark.parametrize("form", sorted(FORMS))
async def test_the_reply_is_found_in_every_form(form: str) -> None:
    """BC-168: matched by id, notifications and other frames skipped."""

    async def tool(told: Told, _: ByteStream) -> bytes:
        return FORMS[form](told)

    answer = await asked(tool)
    assert (answer.tool.text, json.loads(answer.body)["result"]) == ("found", RESULT)


async def test_a_stream_cut_anywhere_is_read_alike() -> None:
    """BC-167: one byte at a time, CRLF, several data lines, comments."""

    async def tool(told: Told, stream: ByteStream) -> bytes:
        text = f': hi\r\n\r\nid: 1\r\ndata: {{"jsonrpc":"2.0",\r\ndata:"id":{told.id},\r\ndata: "result":{{"content":[{{"type":"text","text":"天气"}}]}}}}\r\n\r\n'
        await stream.send(OPEN.format("").encode())
        for byte in text.encode():
            await stream.send(b"1\r\n%c\r\n" % byte)
        return ENDED

    assert (await asked(tool)).tool.text == "天气"


async def test_a_stream_without_its_last_blank_line() -> None:
    """BC-168, first reply."""

    async def tool(told: Told, _: ByteStream) -> bytes:
        return response(f"data: {json.dumps(reply(told))}".encode(), headers=[SSE])

    assert (await asked(tool)).tool.text == "found"


async def test_reading_stops_when_the_reply_is_there() -> None:
    async def tool(told: Told, stream: ByteStream) -> None:
        await stream.send(OPEN.format("").encode() + chunk(f"data: {json.dumps(reply(told))}\n\n"))
        await anyio.sleep_forever()

    with anyio.fail_after(5):
        assert (await asked(tool)).tool.text == "found"


async def test_a_stream_that_ends_soon_after_leaves_its_connection_for_the_next_call() -> None:
    async def tool(told: Told, stream: ByteStream) -> bytes:
        await stream.send(OPEN.format("").encode() + chunk(f"data: {json.dumps(reply(told))}\n\n"))
        await anyio.sleep(0.01)
        return ENDED

    async with mcp_server(tool) as log, Client() as client:
        for _ in range(3):
            await client.call(call_of(log.url))
            await anyio.sleep(0.1)
        assert log.server.connections == 1


async def test_a_ping_on_the_stream_is_answered_and_other_requests_are_declined() -> None:
    answered: list[dict[str, object]] = []
    both = anyio.Event()

    async def tool(told: Told, stream: ByteStream) -> bytes:
        await stream.send(OPEN.format("").encode())
        for asking in ({"id": "p-1", "method": "ping"}, {"id": 7, "method": "sampling/createMessage"}):
            await stream.send(chunk(f"data: {json.dumps({'jsonrpc': '2.0', **asking})}\n\n"))
        with anyio.fail_after(5):
            await both.wait()
        return chunk(f"data: {json.dumps(reply(told))}\n\n") + ENDED

    async def other(told: Told, _: ByteStream) -> bytes:
        if not told.rpc:
            assert told.header("mcp-session-id") == "session-a"
            answered.append(told.message)
            if len(answered) == 2:
                both.set()
        return response(status=202)

    assert (await asked(tool, other=other)).tool.text == "found"
    by_id = {message["id"]: message for message in answered}
    assert by_id["p-1"]["result"] == {}
    assert by_id[7]["error"]["code"] == -32601


# what is no reply


@pytest.mark.parametrize("status", [400, 401, 403, 406, 429, 500, 503])
async def test_a_status_that_is_no_success_comes_back_with_its_body(status: int) -> None:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "free limit reached"}}

    async def tool(_: Told, __: ByteStream) -> bytes:
        return as_json(error, status=status, headers=(("Retry-After", "7"),))

    answer = await asked(tool)
    assert (answer.status, answer.headers["retry-after"]) == (status, "7")
    assert answer.rpc.error is not None


async def test_a_redirect_comes_back_and_is_not_followed() -> None:
    """BC-042 for tool calls."""
    async with serve(responder(lambda _: response())) as target:

        async def tool(_: Told, __: ByteStream) -> bytes:
            return response(status=307, headers=[("location", target.url)])

        async with mcp_server(tool) as log, Client() as client:
            answer = await client.call(call_of(log.url, authorization=f"Bearer {CANARY}"))
        assert (answer.status, target.connections) == (307, 0)


async def test_an_error_without_an_id_answers_the_only_request() -> None:
    async def tool(_: Told, __: ByteStream) -> bytes:
        return as_stream({"jsonrpc": "2.0", "id": None, "error": {"code": -32603, "message": "broken"}})

    answer = await asked(tool)
    assert answer.rpc.error is not None
    assert answer.rpc.error.message == "broken"


@pytest.mark.parametrize(
    ("raw", "kind", "says"),
    [
        (
            response(b"<html>login</html>", headers=[("content-type", "text/html; charset=x")]),
            "format",
            "text/html; charset=x",
        ),
        (
            response(b"<!doctype html><title>Just a moment...</title>", headers=[("content-type", "text/html")]),
            "blocked",
            "text/html",
        ),
        (response(b"<p>who are you", headers=[JSON]), "format", "application/json"),
        (response(b"", headers=[JSON]), "format", "no JSON-RPC reply"),
        (response(status=202), "format", "HTTP 202"),
        (response(b"hello", headers=[("content-type", "text/plain")]), "format", "text/plain"),
        (as_json({"jsonrpc": "2.0", "id": 12345, "result": RESULT}), "format", "no JSON-RPC reply"),
        (as_json({"result": {}}), "format", "no JSON-RPC reply"),
        (as_stream(), "network", "ended without a reply"),
        (as_stream(*NOISE), "network", "ended without a reply"),
        (response(b"data: nonsense", headers=[SSE]), "network", "ended without a reply"),
    ],
)
async def test_what_is_no_reply_is_told_at_once(raw: bytes, kind: str, says: str) -> None:
    """BC-168: never a wait for a stream that is closed; a page is named by its content type."""

    async def tool(_: Told, __: ByteStream) -> bytes:
        return raw

    with anyio.fail_after(5):
        problem = await failure(tool)
    assert (problem.kind, says in problem.message) == (kind, True), problem.message


async def test_a_dropped_stream_without_ids_is_a_network_failure() -> None:
    async def tool(_: Told, stream: ByteStream) -> None:
        await stream.send(OPEN.format("").encode() + chunk(": here\n\n"))

    assert (await failure(tool)).kind == "network"


@pytest.mark.parametrize("headers", [[JSON], [SSE], [SSE, ("content-encoding", "gzip")]])
async def test_a_reply_is_bounded(headers: list[tuple[str, str]]) -> None:
    async def tool(told: Told, _: ByteStream) -> bytes:
        body = json.dumps(reply(told, {"content": [{"type": "text", "text": "x" * 100_000}]})).encode()
        body = body if headers == [JSON] else b"data: " + body + b"\n\n"
        return response(gzip.compress(body) if len(headers) > 1 else body, headers=headers)

    problem = await failure(tool, limit=50_000)
    assert (problem.kind, "larger than 50000 bytes" in problem.message) == ("format", True)


async def test_a_key_never_shows(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")

    async def tool(_: Told, stream: ByteStream) -> None:
        await stream.send(f"HTTP/1.1 200 {CANARY}\r\nbad header {CANARY}\r\n\r\n".encode())

    async with mcp_server(tool) as log, Client() as client:
        with pytest.raises(BackendError) as caught:
            await client.call(call_of(f"{log.url}?apiKey={CANARY}", **{"x-api-key": CANARY}))
    assert CANARY not in str(caught.value) + repr(caught.value) + caplog.text
    assert caught.value.__context__ is None
    assert caught.value.__cause__ is None


async def test_a_stream_that_cannot_be_decoded_is_let_go() -> None:
    async def tool(_: Told, stream: ByteStream) -> None:
        await stream.send(OPEN.format("content-encoding: br\r\n").encode())
        await stream.receive()

    async with mcp_server(tool) as log, Client() as client:
        with pytest.raises(BackendError, match="content coding") as caught:
            await client.call(call_of(log.url))
        assert caught.value.kind == "format"
        await log.server.until_open(0)


# resuming


async def test_a_stream_broken_off_is_resumed_from_its_last_event() -> None:
    """The server says when (retry) and where (id); the reply comes on the second resumption."""
    calls: list[Told] = []
    moments: list[float] = []

    async def tool(told: Told, _: ByteStream) -> bytes:
        calls.append(told)
        moments.append(time.monotonic())
        return response(b"id: e-1\nretry: 80\ndata:\n\n", headers=[SSE])

    async def other(told: Told, stream: ByteStream) -> bytes | None:
        if told.method == "POST":
            return response(status=202)
        moments.append(time.monotonic())
        if told.header("last-event-id") == "e-1":
            await stream.send(OPEN.format("").encode() + chunk("id: e-2\ndata:\n\n"))
            return None
        return response(f"data: {json.dumps(reply(calls[0]))}\n\n".encode(), headers=[SSE])

    async with mcp_server(tool, other=other) as log, Client() as client:
        answer = await client.call(call_of(log.url))
    assert answer.tool.text == "found"
    gets = [told for told in log.told if told.method == "GET"]
    assert [told.header("last-event-id") for told in gets] == ["e-1", "e-2"]
    assert {told.header("mcp-session-id") for told in gets} == {"session-a"}
    assert {told.header("mcp-protocol-version") for told in gets} == {"2025-06-18"}
    assert {told.header("accept") for told in gets} == {"text/event-stream"}
    assert len(calls) == 1
    assert moments[1] - moments[0] >= 0.08
    assert moments[2] - moments[1] >= 0.08


async def test_a_server_that_cannot_resume_ends_the_call() -> None:
    async def tool(_: Told, __: ByteStream) -> bytes:
        return response(b"id: e-1\nretry: 1\ndata:\n\n", headers=[SSE])

    problem = await failure(tool)
    assert (problem.kind, "HTTP 405" in problem.message) == ("network", True)


async def test_a_server_that_breaks_off_for_ever_is_given_up() -> None:
    async def tool(_: Told, __: ByteStream) -> bytes:
        return response(b"id: e-1\nretry: 0\ndata:\n\n", headers=[SSE])

    async def other(told: Told, _: ByteStream) -> bytes:
        return response(status=202) if told.method == "POST" else response(b"", headers=[SSE])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fanseek.http.mcp_stream.SHORTEST_RESUME_S", 0.001)
        problem = await failure(tool, other=other)
    assert (problem.kind, problem.message) == ("network", "the stream ended without a reply")
