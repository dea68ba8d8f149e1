"""The faultless server: routes, HTTP/1.1 as clients speak it, log and control."""

from __future__ import annotations

import json
import urllib.request

import anyio
import httpx
import msgspec
import pytest

from fanseek.config.load import load
from fanseek.errors import UsageError
from fanseek.sandbox import Sandbox, running
from stand_ins import ACCEPT, call, raw, read_all, settled, stand_ins


async def test_a_backend_answers_in_its_own_format_below_its_name(box, client):
    reply = await client.get("/plain/v1/find", params={"q": "tidal turbines", "n": 4})
    assert reply.status_code == 200
    assert [one["link"] for one in reply.json()["found"]] == [
        row.url for row in box.corpus.rows("plain", "tidal turbines", 4)
    ]
    page = await client.post("/paged/html/", data={"q": "R&D a<b"})
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.text.count("<a ") == 10
    assert "R&amp;D a&lt;b" in page.text


async def test_the_mimic_sees_the_target_without_the_backends_name(box, client):
    await client.get("/plain/v1/find?q=a%26b")
    await client.get("/plain?q=x")
    assert [asked.target for asked in box.log["plain"]] == ["/v1/find?q=a%26b", "/?q=x"]


async def test_same_request_same_bytes_and_another_header_is_another_request(client):
    bodies = {(await client.get("/plain/?q=x")).content for _ in range(3)}
    assert len(bodies) == 1
    assert (await client.get("/plain/?q=x", headers={"x-more": "1"})).content in bodies
    assert (await client.get("/plain/?q=y")).content not in bodies


async def test_an_unreadable_request_is_400_and_says_why(client):
    reply = await client.get("/plain/?nothing=1")
    assert reply.status_code == 400
    assert "plain" in reply.text
    assert "KeyError" in reply.text


async def test_unknown_backend_is_404(client):
    assert (await client.get("/nobody/?q=x")).status_code == 404


async def test_head_has_no_body_and_the_connection_lives_on(box):
    sock = raw(
        box,
        b"HEAD /plain/?q=x HTTP/1.1\r\nhost: a\r\n\r\nGET /nobody/ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n",
    )
    heard = await anyio.to_thread.run_sync(read_all, sock)
    first, second = heard.split(b"\r\n\r\n", 1)
    assert b"200 OK" in first
    assert second.startswith(b"HTTP/1.1 404")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"NONSENSE\r\n\r\n", b"400"),
        (b"GET / HTTP/3\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nbroken header\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\nname : x\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n", b"400"),
        (b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n", b"400"),
        (b"POST / HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n", b"413"),
        (b"GET / HTTP/1.1\r\nx: " + b"y" * 70_000, b"431"),
    ],
)
async def test_what_is_no_http_is_refused_and_the_connection_ended(box, sent, status):
    heard = await anyio.to_thread.run_sync(read_all, raw(box, sent))
    assert heard.split(b" ")[1] == status
    await settled(box)


async def test_chunked_bodies_and_expect_continue_are_read(box, client):
    async def pieces():
        yield b"q=tid"
        yield b"al"

    headers = {"content-type": "application/x-www-form-urlencoded", "expect": "100-continue"}
    reply = await client.post("/paged/", content=pieces(), headers=headers)
    assert reply.status_code == 200
    (asked,) = box.log["paged"]
    assert asked.body == b"q=tidal"


async def test_a_client_that_waits_for_continue_gets_it(box):
    def waits() -> bytes:
        form = b"content-type: application/x-www-form-urlencoded\r\nconnection: close\r\n"
        sock = raw(box, b"POST /paged/ HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 3\r\n" + form + b"\r\n")
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(b"q=x")
        return read_all(sock)

    assert b"200 OK" in await anyio.to_thread.run_sync(waits)


async def test_a_body_cut_between_packets_is_joined(box):
    def slowly() -> bytes:
        sock = raw(box, b"\r\nPOST /paged/ HT")
        for piece in (
            b"TP/1.1\r\nconnection: close\r\ncontent-type: application/x-www-form-urlencoded\r\nconte",
            b"nt-length: 7\r\n\r",
            b"\nq=t",
            b"ida",
            b"l",
        ):
            sock.sendall(piece)
        return read_all(sock)

    assert b"200 OK" in await anyio.to_thread.run_sync(slowly)
    assert next(iter(box.log["paged"])).body == b"q=tidal"


async def test_connections_are_kept_alive_and_counted(box, client):
    assert box.connections == 0
    for _ in range(5):
        await client.get("/plain/?q=x")
    assert box.connections == 1
    await client.aclose()
    await settled(box)


async def test_many_at_once_lose_nothing(box):
    limits = httpx.Limits(max_connections=40, max_keepalive_connections=40)
    async with httpx.AsyncClient(base_url=box.url, limits=limits, timeout=30, trust_env=False) as many:
        seen = {}

        async def one(number: int) -> None:
            seen[number] = (await many.get("/plain/", params={"q": f"query {number}"})).json()

        async with anyio.create_task_group() as tasks:
            for number in range(120):
                tasks.start_soon(one, number)
    assert len(seen) == 120
    assert all(
        [one["link"] for one in told["found"]] == [row.url for row in box.corpus.rows("plain", f"query {number}")]
        for number, told in seen.items()
    )
    assert box.log["plain"].count == 120


async def test_the_standard_librarys_client_is_served(box):
    ask = urllib.request.Request(f"{box.url}/paged/", data=b"q=tidal")
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def read() -> bytes:
        with direct.open(ask, timeout=20) as reply:
            return reply.read()

    assert (await anyio.to_thread.run_sync(read)).count(b"<a ") == 10


async def test_settings_turn_every_backend_on_and_point_it_here(box):
    wire = box.settings()
    assert wire == {
        "enablePlain": "on", "plainBaseURL": f"{box.url}/plain/v1", "plainRatePerMinute": 0,
        "enablePaged": "on", "pagedBaseURLs": [f"{box.url}/paged"], "pagedRatePerMinute": 0,
        "enableTold": "on", "toldBaseURL": f"{box.url}/told/v1", "toldRatePerMinute": 0,
        "enableStreamed": "on", "streamedBaseURL": f"{box.url}/streamed/v1", "streamedRatePerMinute": 0,
    }  # fmt: skip
    assert load(wire, stand_ins()).backends["plain"].base_url == f"{box.url}/plain/v1"


async def test_a_backend_that_cannot_be_stood_in_for_is_off():
    """Otherwise a sandbox search would ask the real service."""
    backends = dict(stand_ins())
    backends["plain"] = msgspec.structs.replace(backends["plain"], mimic=None)
    async with Sandbox(backends=backends) as box:
        wire = box.settings()
    assert wire["enablePlain"] == "off"
    assert not {key for key in wire if key.startswith("plain")}
    assert wire["enablePaged"] == "on"


async def test_the_real_backends_take_the_settings():
    async with Sandbox() as box:
        assert load(box.settings()).backends.keys() >= box.urls.keys()


async def test_log_keeps_what_was_asked_and_masks_secrets_for_others(box, client):
    await client.post("/told/mcp", json=call("tidal"), headers={**ACCEPT, "x-api-key": "canary-4711"})
    (asked,) = box.log["told"]
    assert asked.headers["x-api-key"] == "canary-4711"
    assert json.loads(asked.body)["params"]["arguments"] == {"query": "tidal"}
    told = await client.get("/__log")
    assert told.json()["backends"]["told"]["count"] == 1
    assert "canary-4711" not in told.text
    await client.delete("/__log")
    assert box.log["told"].count == 0


async def test_control_changes_faults_at_run_time(box, client):
    order = {"backend": "plain", "faults": ["captcha", {"fault": "latency", "ms": 1}]}
    assert (await client.post("/__control", json=order)).status_code == 200
    assert (await client.get("/plain/?q=x")).status_code == 403
    assert (await client.get("/__control")).json()["plain"][1]["ms"] == 1
    await client.delete("/__control")
    assert (await client.get("/plain/?q=x")).status_code == 200


@pytest.mark.parametrize(
    "order", [b"{", b'{"backend":"nobody"}', b'{"faults":["nothing"]}', b'{"faults":[{"fault":"x"}]}']
)
async def test_a_wrong_order_changes_nothing_and_is_400(box, client, order):
    reply = await client.post("/__control", content=order)
    assert reply.status_code == 400
    assert reply.text.strip()
    assert box.faults.armed() == {}


@pytest.mark.parametrize("headers", [{"host": "evil.test"}, {"origin": "http://evil.test"}])
@pytest.mark.parametrize("room", ["/__log", "/__control", "/"])
async def test_web_pages_have_no_access_to_control_and_log(client, headers, room):
    assert (await client.get(room, headers=headers)).status_code == 403


async def test_index_names_the_backends(client):
    assert "/paged/" in (await client.get("/")).text


async def test_leaving_the_sandbox_ends_open_connections_and_hangs(box):
    async with Sandbox(backends=stand_ins(), faults=[("*", "hang")]) as inner:
        sock = raw(inner, b"GET /plain/?q=x HTTP/1.1\r\nhost: a\r\n\r\n")
        await settled(inner, 1)
    with sock:
        assert await anyio.to_thread.run_sync(sock.recv, 10) == b""
    with pytest.raises(ConnectionRefusedError):
        raw(inner, b"")


async def test_a_taken_port_is_said_at_once(box):
    with pytest.raises(OSError, match="in use"):
        async with Sandbox(port=box.port, backends=stand_ins()):
            raise AssertionError("started on a taken port")


def test_in_a_thread_for_code_that_is_not_async():
    with running(backends=stand_ins(), results=3, faults=[("paged", "captcha")]) as box:
        assert len(httpx.get(f"{box.url}/plain/?q=x", trust_env=False).json()["found"]) == 3
        assert httpx.get(f"{box.url}/paged/?q=x", trust_env=False).status_code == 202
        box.faults.set("paged")
        assert httpx.get(f"{box.url}/paged/?q=x", trust_env=False).status_code == 200


def test_a_fault_of_an_unknown_backend_is_refused():
    with pytest.raises(UsageError, match="nobody"):
        Sandbox(backends=stand_ins(), faults=[("nobody", "hang")])


async def test_the_told_log_hides_a_key_in_an_address():
    """C8: an API that takes its key in the query is logged without it."""
    async with Sandbox() as box, httpx.AsyncClient() as client:
        name = next(iter(box.urls))
        await client.get(f"{box.urls[name]}/search?q=cats&api_key=canary9f3a1")
        told = (await client.get(f"{box.url}/__log")).text
        assert "q=cats" in told
        assert "canary9f3a1" not in told
