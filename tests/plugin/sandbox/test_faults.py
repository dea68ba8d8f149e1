"""Each fault as a client meets it on a real socket."""

from __future__ import annotations

import gzip
import json
import time
import zlib

import anyio
import httpx
import pytest

from stand_ins import ACCEPT, call, raw, read_all, settled

GET = b"GET /plain/?q=x HTTP/1.1\r\nhost: a\r\n\r\n"
PLAIN = "/plain/?q=x"


async def heard(box, data=GET):
    """Everything the server sends until it closes."""
    return await anyio.to_thread.run_sync(lambda: read_all(raw(box, data)))


async def test_hang_takes_the_request_and_answers_nothing(box, client):
    box.faults.set("plain", "hang")
    with pytest.raises(httpx.ReadTimeout):
        await client.get(PLAIN, timeout=0.2)
    assert box.log["plain"].count == 1
    await settled(box)


async def test_a_client_that_leaves_is_noticed_during_a_delay(box, client):
    box.faults.set("plain", "latency", ms=60_000)
    with pytest.raises(httpx.ReadTimeout):
        await client.get(PLAIN, timeout=0.2)
    await settled(box)


async def test_latency_comes_before_the_reply(box, client):
    box.faults.set("plain", "latency", ms=200)
    began = time.monotonic()
    assert (await client.get(PLAIN)).status_code == 200
    assert time.monotonic() - began >= 0.19
    assert (await client.get("/paged/?q=x")).status_code == 200


@pytest.mark.parametrize("status", [400, 403, 429, 500, 503, 529, 999])
async def test_any_status_with_any_body(box, client, status):
    box.faults.set("plain", "http", status=status, body="so it is", retry_after="7")
    reply = await client.get(PLAIN)
    assert (reply.status_code, reply.text, reply.headers["retry-after"]) == (status, "so it is", "7")


async def test_rate_limit_says_when_to_come_back(box, client):
    box.faults.set("plain", "rate-limit", retry_after="12")
    reply = await client.get(PLAIN)
    assert (reply.status_code, reply.headers["retry-after"]) == (429, "12")


async def test_captcha_is_the_backends_own_or_a_generic_one(box, client):
    box.faults.set("*", "captcha")
    own = await client.get("/paged/?q=x")
    assert (own.status_code, "challenge" in own.text) == (202, True)
    generic = await client.get(PLAIN)
    assert (generic.status_code, generic.headers["cf-mitigated"]) == (403, "challenge")


async def test_a_backends_own_fault_by_its_own_name(box, client):
    box.faults.set("paged", "maintenance")
    assert (await client.get("/paged/?q=x")).status_code == 202


async def test_empty_is_a_good_answer_without_results(box, client):
    box.faults.set("*", "empty")
    assert (await client.get(PLAIN)).json() == {"found": []}
    assert (await client.get("/paged/?q=x")).text == "<html><body>none</body></html>"


async def test_malformed_keeps_status_and_type(box, client):
    good = (await client.get(PLAIN)).content
    for shape in ("truncated", "garbage"):
        box.faults.set("plain", "malformed", shape=shape)
        reply = await client.get(PLAIN)
        assert (reply.status_code, reply.headers["content-type"]) == (200, "application/json")
        with pytest.raises(ValueError, match=r".+"):
            json.loads(reply.content)
        assert good.startswith(reply.content) == (shape == "truncated")


async def test_malformed_spares_an_mcp_handshake(box, client):
    box.faults.set("told", "malformed")
    ready = await client.post("/told/", json={"jsonrpc": "2.0", "id": 1, "method": "initialize"}, headers=ACCEPT)
    assert "serverInfo" in ready.json()["result"]
    with pytest.raises(ValueError, match=r".+"):
        json.loads((await client.post("/told/", json=call("x"), headers=ACCEPT)).content)


async def test_wrong_type_keeps_the_body(box, client):
    good = await client.get(PLAIN)
    box.faults.set("plain", "wrong-type", content_type="image/png")
    reply = await client.get(PLAIN)
    assert reply.headers["content-type"] == "image/png"
    assert reply.content == good.content


async def test_drip_sends_the_body_in_small_pieces(box, client):
    good = (await client.get(PLAIN)).content
    box.faults.set("plain", "drip", bytes=200, interval_ms=5)
    async with client.stream("GET", PLAIN) as reply:
        pieces = [piece async for piece in reply.aiter_raw()]
    assert b"".join(pieces) == good
    assert len(pieces) > 3
    box.faults.set("plain", "drip", interval_ms=10_000)
    with pytest.raises(httpx.ReadTimeout):
        await client.get(PLAIN, timeout=0.3)
    await settled(box)


async def test_slow_headers_are_whole_in_the_end(box, client):
    box.faults.set("plain", "slow-headers", bytes=20, interval_ms=5)
    assert (await client.get(PLAIN)).status_code == 200
    box.faults.set("plain", "slow-headers", interval_ms=10_000)
    with pytest.raises(httpx.ReadTimeout):
        await client.get(PLAIN, timeout=0.3)


@pytest.mark.parametrize("chunked", [True, False])
async def test_oversized_is_well_formed_and_as_large_as_told(box, client, chunked):
    box.faults.set("plain", "oversized", mb=3, chunked=chunked)
    reply = await client.get(PLAIN)
    assert len(reply.content) > 3 * 1024 * 1024
    assert ("content-length" in reply.headers) is not chunked
    assert len(reply.json()["found"]) == 10


async def test_an_endless_body_ends_with_the_client(box):
    """BC-113: no Content-Length, repeated for ever."""
    box.faults.set("plain", "oversized", mb=0)

    def take() -> int:
        with raw(box, GET) as sock:
            return sum(len(sock.recv(65536)) for _ in range(200))

    assert await anyio.to_thread.run_sync(take) > 3_000_000
    await settled(box)


async def test_an_oversized_stream_pads_before_the_reply(box, client):
    box.faults.set("streamed", "oversized", mb=1)
    reply = await client.post("/streamed/", json=call("x"), headers=ACCEPT)
    assert reply.content.startswith(b": xxx")
    assert reply.content.index(b"event: message") > 1_000_000


async def test_a_lying_content_length(box):
    """BC-113."""
    for by in (100, -100):
        box.faults.set("plain", "lying", by=by)
        head, _, body = (await heard(box)).partition(b"\r\n\r\n")
        assert int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]) == len(body) + by


async def test_a_bomb_is_small_on_the_wire(box, client):
    box.faults.set("plain", "bomb", mb=20)
    async with client.stream("GET", PLAIN) as reply:
        assert reply.headers["content-encoding"] == "gzip"
        packed = b"".join([piece async for piece in reply.aiter_raw()])
    assert len(packed) < 100_000
    whole = gzip.decompress(packed)
    assert len(whole) > 20 * 1024 * 1024
    assert len(json.loads(whole)["found"]) == 10


async def test_a_bomb_of_stacked_codings(box, client):
    """BC-112: gzip, gzip."""
    box.faults.set("plain", "bomb", mb=64, layers=2)
    async with client.stream("GET", PLAIN) as reply:
        assert reply.headers["content-encoding"] == "gzip, gzip"
        packed = b"".join([piece async for piece in reply.aiter_raw()])
    assert len(packed) < 2500
    assert len(gzip.decompress(gzip.decompress(packed))) > 64 * 1024 * 1024


@pytest.mark.parametrize(("path", "sign"), [(PLAIN, b"[["), ("/paged/?q=x", b"<div><div>")])
async def test_nested_is_as_deep_as_told(box, client, path, sign):
    """BC-114."""
    box.faults.set("*", "nested", depth=5000)
    body = (await client.get(path)).content
    assert body.count(sign[: len(sign) // 2]) == 5000


async def test_a_dropped_connection_ends_at_its_place(box):
    good = await heard(box, GET.replace(b"host", b"connection: close\r\nhost"))
    head = good.index(b"\r\n\r\n")
    for at, low, high in (("before", 0, 0), ("headers", 1, head - 1), ("body", head + 5, len(good) - 1)):
        box.faults.set("plain", "drop", at=at)
        got = await heard(box)
        assert low <= len(got) <= high
        assert good.startswith(got)
    await settled(box)


@pytest.mark.parametrize("at", ["before", "headers", "body"])
async def test_a_reset_is_an_rst(box, at):
    box.faults.set("plain", "reset", at=at)
    with pytest.raises(ConnectionResetError):
        await heard(box)
    await settled(box)


async def test_a_redirect_leads_to_the_trap_where_visits_count(box, client):
    for status in (301, 302, 303, 307, 308):
        box.faults.set("plain", "redirect", status=status)
        reply = await client.get(PLAIN)
        assert reply.status_code == status
        assert reply.headers["location"] == f"{box.url}/__trap/plain"
    assert box.trapped == 0
    await client.get(PLAIN, follow_redirects=True)
    assert box.trapped == 1
    box.faults.set("plain", "redirect", to="http://elsewhere.test/")
    assert (await client.get(PLAIN)).headers["location"] == "http://elsewhere.test/"


async def test_progress_leaves_plain_backends_alone(box, client):
    box.faults.set("plain", "progress")
    assert len((await client.get(PLAIN)).json()["found"]) == 10


async def test_chunked_and_compressed_replies_are_the_good_ones(box, client):
    good = (await client.get(PLAIN)).content
    for name, options in (("chunked", {"bytes": 7}), ("compressed", {}), ("compressed", {"coding": "deflate"})):
        box.faults.set("plain", name, **options)
        assert (await client.get(PLAIN)).content == good
    async with client.stream("GET", PLAIN) as reply:
        assert zlib.decompress(b"".join([piece async for piece in reply.aiter_raw()])) == good


@pytest.mark.parametrize("status", [100, 102, 103])
async def test_an_interim_reply_comes_first(box, client, status):
    box.faults.set("plain", "interim", status=status)
    assert (await client.get(PLAIN)).status_code == 200
    closing = GET.replace(b"host", b"connection: close\r\nhost")
    assert (await heard(box, closing)).startswith(f"HTTP/1.1 {status} ".encode())


async def test_an_impatient_server_closes_after_a_whole_reply(box):
    box.faults.set("plain", "impatient")
    got = await heard(box)
    assert got.startswith(b"HTTP/1.1 200 OK")
    assert b"connection" not in got.partition(b"\r\n\r\n")[0]
    assert json.loads(got.partition(b"\r\n\r\n")[2])


async def test_faults_hit_only_their_backend_and_only_as_often_as_told(box, client):
    box.faults.set("plain", "http", status=500, after=1, times=2)
    statuses = [(await client.get(PLAIN)).status_code for _ in range(4)]
    assert statuses == [200, 500, 500, 200]
    assert (await client.get("/paged/?q=x")).status_code == 200
