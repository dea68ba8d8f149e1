"""The MCP side, as the specification has it and as the official client expects it."""

from __future__ import annotations

import gc
import json

import pytest
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

from fanseek.contract.rpc import events, reply_of
from stand_ins import ACCEPT, call, rpc, settled

UNTIDY = pytest.mark.filterwarnings("ignore:Async generator 'http:ResourceWarning")
"""The official client leaves generators of its HTTP library to the garbage collector, which trio warns of."""

INITIALIZE = rpc(
    "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
)


async def opened(client, path="/told/mcp"):
    reply = await client.post(path, json=INITIALIZE, headers=ACCEPT)
    assert reply.json()["result"]["protocolVersion"] == "2025-06-18"
    return {**ACCEPT, "mcp-session-id": reply.headers["mcp-session-id"], "mcp-protocol-version": "2025-06-18"}


@UNTIDY
@pytest.mark.parametrize("name", ["told", "streamed"])
async def test_the_official_client_completes_a_tool_call(box, name):
    async with (
        streamable_http_client(f"{box.url}/{name}/mcp") as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        ready = await session.initialize()
        assert ready.server_info.name == f"{name}-sandbox"
        tools = await session.list_tools()
        assert [tool.name for tool in tools.tools] == ["web_search"]
        assert set(tools.tools[0].input_schema["properties"]) == {"query", "count"}
        result = await session.call_tool("web_search", {"query": "tidal turbines", "count": 4})
        assert result.content[0].text.split("\n") == [row.url for row in box.corpus.rows(name, "tidal turbines", 4)]
        await session.send_ping()
    gc.collect()
    assert box.sessions(name) == 0, "the client's DELETE ended it"


@UNTIDY
async def test_the_official_client_hears_progress_before_the_reply(box):
    heard = []

    async def note(progress, total, message):
        heard.append((progress, total))

    box.faults.set("told", "progress", frames=4)
    async with (
        streamable_http_client(f"{box.url}/told/mcp") as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        result = await session.call_tool("web_search", {"query": "x"}, progress_callback=note)
        assert result.content[0].text.startswith("http")
    gc.collect()
    assert heard == [(1.0, 4.0), (3.0, 4.0)]


async def test_a_call_needs_no_session(client):
    """a.md 1a and 2a: single-POST clients are served."""
    reply = await client.post("/told/mcp", json=call("x"), headers=ACCEPT)
    assert reply.json()["result"]["content"][0]["type"] == "text"
    assert "mcp-session-id" not in reply.headers


async def test_replies_are_json_or_events_as_the_mimic_has_it(client):
    plain = await client.post("/told/mcp", json=call("x"), headers=ACCEPT)
    assert plain.headers["content-type"] == "application/json"
    stream = await client.post("/streamed/mcp", json=call("x"), headers=ACCEPT)
    assert stream.headers["content-type"] == "text/event-stream"
    assert stream.text.startswith("event: message\ndata: {")
    assert reply_of(stream.content, "text/event-stream").tool.text.startswith("http")


async def test_the_reply_to_a_repeated_call_carries_its_own_id(client):
    for path in ("/told/mcp", "/streamed/mcp"):
        for identity in (7, "seven", 0, 8, 123456):
            reply = await client.post(path, json={**call("x"), "id": identity}, headers=ACCEPT)
            message = reply_of(reply.content)
            assert message.id == identity
            assert message.tool.text.startswith("http")


async def test_notifications_and_replies_are_accepted_without_a_body(client):
    headers = await opened(client)
    for message in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3, "reason": "late"}},
        {"jsonrpc": "2.0", "id": 4, "result": {}},
    ):
        reply = await client.post("/told/mcp", json=message, headers=headers)
        assert (reply.status_code, reply.content) == (202, b"")


async def test_unknown_and_ended_sessions_are_404(box, client):
    headers = await opened(client)
    assert (await client.post("/told/mcp", json=call("x"), headers=headers)).status_code == 200
    stranger = {**headers, "mcp-session-id": "never-given"}
    assert (await client.post("/told/mcp", json=call("x"), headers=stranger)).status_code == 404
    assert (await client.delete("/told/mcp", headers=headers)).status_code == 200
    assert (await client.post("/told/mcp", json=call("x"), headers=headers)).status_code == 404
    assert (await client.delete("/told/mcp", headers=headers)).status_code == 404
    assert box.sessions("told") == 0


async def test_sessions_are_of_one_backend(client):
    headers = await opened(client)
    assert (await client.post("/streamed/mcp", json=call("x"), headers=headers)).status_code == 404


async def test_session_loss_fails_one_call_and_ends_the_session(box, client):
    box.faults.set("told", "mcp-session-loss")
    headers = await opened(client)
    assert (await client.post("/told/mcp", json=call("x"), headers=headers)).status_code == 404
    assert (await client.post("/told/mcp", json=call("x"), headers=headers)).status_code == 404
    fresh = await opened(client)
    assert fresh["mcp-session-id"] != headers["mcp-session-id"]
    assert (await client.post("/told/mcp", json=call("x"), headers=fresh)).status_code == 200


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (rpc("tools/call", {"name": "other_tool", "arguments": {}}), -32602),
        (rpc("resources/list"), -32601),
        (rpc("server/discover"), -32601),
    ],
)
async def test_what_there_is_not_is_a_json_rpc_error(client, message, code):
    reply = await client.post("/told/mcp", json=message, headers=ACCEPT)
    assert reply.status_code == 200
    assert reply.json()["error"]["code"] == code


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "*/*"])
async def test_both_media_types_must_be_accepted(client, accept):
    """a.md 1a: only one of the two is HTTP 406."""
    assert (await client.post("/told/mcp", json=call("x"), headers={"accept": accept})).status_code == 406


async def test_no_json_no_version_no_get(client):
    assert (await client.post("/told/mcp", content=b"{oops", headers=ACCEPT)).json()["error"]["code"] == -32700
    newer = {**ACCEPT, "mcp-protocol-version": "1999-01-01"}
    assert (await client.post("/told/mcp", json=call("x"), headers=newer)).status_code == 400
    assert (await client.get("/told/mcp", headers=ACCEPT)).status_code == 405


async def test_an_unknown_protocol_version_is_answered_with_a_known_one(client):
    ask = rpc("initialize", {"protocolVersion": "2099-01-01", "capabilities": {}})
    reply = await client.post("/told/mcp", json=ask, headers=ACCEPT)
    assert reply.json()["result"]["protocolVersion"] == "2025-11-25"


async def test_arguments_the_mimic_cannot_read_are_400(client):
    reply = await client.post("/told/mcp", json=rpc("tools/call", {"name": "web_search"}), headers=ACCEPT)
    assert reply.status_code == 400


async def test_a_format_true_fault_is_a_tool_result_of_calls_alone(box, client):
    box.faults.set("told", "rate-limit")
    headers = await opened(client)
    reply = await client.post("/told/mcp", json={**call("x"), "id": 9}, headers=headers)
    assert reply.status_code == 200
    assert reply.json() == {
        "jsonrpc": "2.0", "id": 9, "result": {"content": [{"type": "text", "text": "slow down"}], "_meta": {"limited": True}},
    }  # fmt: skip


async def test_an_empty_answer_is_the_mimics_own(box, client):
    box.faults.set("streamed", "empty")
    reply = await client.post("/streamed/mcp", json=call("x"), headers=ACCEPT)
    assert reply_of(reply.content).tool.text == "nothing"


async def test_progress_is_a_stream_even_where_replies_are_json(box, client):
    box.faults.set("told", "progress", frames=2)
    reply = await client.post("/told/mcp", json=call("x", _meta={"progressToken": 5}), headers=ACCEPT)
    assert reply.headers["content-type"] == "text/event-stream"
    heard = [json.loads(data) for data in events(reply.content)]
    assert [one.get("method") for one in heard] == ["notifications/progress", "notifications/message", None]
    assert heard[0]["params"]["progressToken"] == 5
    await client.aclose()
    await settled(box)
