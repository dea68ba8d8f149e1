"""Bodies decoded within their limit, whatever the server sends."""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

import anyio
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.http.inflate import ACCEPT_ENCODING, BodyTooLarge, CodingError, decoder_of, read_body
from loopback import request_head, responder, response, serve

MEGABYTE = 1 << 20


def deflated_bare(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


CODINGS = {
    "": bytes,
    "identity": bytes,
    "gzip": gzip.compress,
    "X-GZip": gzip.compress,
    "GZIP , identity": gzip.compress,
    "deflate": zlib.compress,
    " Deflate": deflated_bare,
}


class Pieces(httpx.AsyncByteStream):
    """A body in pieces; knows whether it was closed."""

    def __init__(self, pieces: Iterator[bytes] | list[bytes]) -> None:
        self.pieces = iter(pieces)
        self.taken = 0
        self.closed = False

    def __aiter__(self):
        return self

    async def __anext__(self) -> bytes:
        for piece in self.pieces:
            self.taken += 1
            return piece
        raise StopAsyncIteration

    async def aclose(self) -> None:
        self.closed = True


def answer(pieces, coding=""):
    headers = [("Content-Encoding", coding)] if coding else []
    return httpx.Response(200, headers=headers, stream=Pieces(pieces))


def decode(pieces, coding, limit=MEGABYTE):
    """`read_body` outside any event loop: the pieces never wait."""
    reading = read_body(answer(pieces, coding), limit)
    try:
        reading.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waited")


def cut(data: bytes, places: list[int]) -> list[bytes]:
    edges = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[start:end] for start, end in pairwise(edges)]


@given(st.sampled_from(sorted(CODINGS)), st.binary(max_size=3000), st.lists(st.integers(0, 5000), max_size=8))
def test_any_data_in_any_pieces(coding, data, places):
    assert decode(cut(CODINGS[coding](data), places), coding) == data


@given(st.sampled_from(["gzip", "deflate", " Deflate"]), st.binary(min_size=1, max_size=500), st.data())
def test_any_truncation_is_an_error(coding, data, draw):
    encoded = CODINGS[coding](data)
    kept = draw.draw(st.integers(1, len(encoded) - 1))
    with pytest.raises(CodingError):
        decode(cut(encoded[:kept], draw.draw(st.lists(st.integers(0, 600), max_size=3))), coding)


@given(
    st.sampled_from(sorted(CODINGS)),
    st.integers(0, 2000),
    st.integers(1, 2000),
    st.lists(st.integers(0, 5000), max_size=5),
)
def test_the_limit_is_exact(coding, limit, excess, places):
    fits, exceeds = CODINGS[coding](b"a" * limit), CODINGS[coding](b"a" * (limit + excess))
    assert len(decode(cut(fits, places), coding, limit)) == limit
    with pytest.raises(BodyTooLarge) as caught:
        decode(cut(exceeds, places), coding, limit)
    assert caught.value.limit == limit


@given(st.lists(st.binary(max_size=100), min_size=1, max_size=5), st.lists(st.integers(0, 800), max_size=8))
def test_gzip_members_are_joined(members, places):
    assert decode(cut(b"".join(map(gzip.compress, members)), places), "gzip") == b"".join(members)


@pytest.mark.parametrize("coding", ["gzip", "deflate", " Deflate"])
@pytest.mark.parametrize("garbage", [b"\0" * 512, b"trailing", b"\0"])
def test_bytes_behind_the_end_are_ignored(coding, garbage):
    encoded = CODINGS[coding](b"data")
    assert decode([encoded + garbage], coding) == b"data"
    assert decode([encoded, garbage, garbage], coding) == b"data"


@pytest.mark.parametrize(
    "coding", ["gzip, gzip", "br", "zstd", "deflate,gzip", "compress", "gzip;q=1", "\x01", "identity, br"]
)
def test_stacked_and_unknown_codings_are_refused(coding):
    with pytest.raises(CodingError):
        decode([gzip.compress(b"data")], coding)


def test_codings_in_two_headers_are_stacked_too():
    headers = httpx.Headers([("Content-Encoding", "gzip"), ("Content-Encoding", "gzip")])
    with pytest.raises(CodingError):
        decoder_of(headers)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "gzip, gzip"])
def test_empty_body_needs_no_coding(coding):
    assert decode([], coding) == b""


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
@pytest.mark.parametrize(
    "data", [b'{"plain": "json"}', b"<html>", b"\x1f\x8b\x08garbage!!!!!!", b"\x78\x9cgarbage", b"\xff" * 50]
)
def test_body_that_is_not_what_it_says(coding, data):
    with pytest.raises(CodingError):
        decode([data], coding)


def test_damaged_gzip_is_an_error():
    encoded = bytearray(gzip.compress(bytes(range(256)) * 50))
    encoded[-5] ^= 1
    with pytest.raises(CodingError):
        decode([bytes(encoded)], "gzip")


def test_crowd_of_empty_gzip_members_is_refused():
    with pytest.raises(CodingError, match="empty"):
        decode([gzip.compress(b"") * 5000], "gzip")


def test_encoded_bytes_are_counted_as_well():
    endless = (b"\0\0\0\xff\xff" * 10_000 for _ in range(10_000))
    stream = answer(endless, "deflate")
    with pytest.raises(BodyTooLarge):
        decode_response(stream, 1000)
    assert stream.stream.taken < 10


def decode_response(response_, limit):
    try:
        read_body(response_, limit).send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it waited")


@pytest.mark.parametrize("coding", ["gzip", "deflate", " Deflate"])
@pytest.mark.parametrize("whole", [True, False])
def test_bombs_cost_no_more_than_the_limit(coding, whole):
    """BC-112's kind: 64 MB out of 64 kB, the limit 1 MB, at once or in drops."""
    bomb = CODINGS[coding](bytes(64 * MEGABYTE))
    pieces = [bomb] if whole else [bomb[start : start + 100] for start in range(0, len(bomb), 100)]
    tracemalloc.start()
    try:
        with pytest.raises(BodyTooLarge):
            decode(pieces, coding)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * MEGABYTE


BOMB_272 = (
    "H4sIAFvRDWsC/+3cr0qDYRTA4Xf6DYaim8FkcJdgXBn+CeYFTQuyLEazAzGt7CbMgiBYbVaTrtk3DUNMw8/tu4z3PE86+cTD4bc/aqT+29blWjl7"
    "qdVSSsPx38N3YyMBAAAAmRtObtdXx4DULt9Pe+cAAABA7gbN7aI6Ciwu9o6tAwAAALJ31+20qg+B+c1VYR0AAACQvd3fz6PqFvBaPu2c2QcAAABk"
    "70MwAAAAAEIRDAAAAIBYBAMAAAAgFsEAAAAACEYwAAAAAGIRDAAAAIBYBAMAAAAgFsEAAAAACEYwAAAAAGIRDAAAAIBY7rud9uoxoPVTXh+e1BMA"
    "AACRPG9+HUwfl0PxDw+Rt7zi/gAA"
)

PROBE = """
import json, resource, sys
import anyio, httpx
from fanseek.http.inflate import BodyError, read_body
from fanseek.http.transport import Transport

async def main():
    async with Transport(trust_env=False) as transport:
        outcomes = []
        for path in sys.argv[2:]:
            answer = await transport.handle_async_request(httpx.Request("GET", sys.argv[1] + path))
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            try:
                outcomes.append(len(await read_body(answer, 2097152)))
            except BodyError as problem:
                outcomes.append(type(problem).__name__)
            outcomes.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        print(json.dumps(outcomes))

anyio.run(main)
"""


async def test_bombs_leave_the_process_small():
    """BC-112: the 272-byte bomb and its like, read by a process of their own, whose peak memory tells."""
    bombs = {
        b"/stacked": ("gzip, gzip", base64.b64decode(BOMB_272)),
        b"/opened-once": ("gzip", gzip.decompress(base64.b64decode(BOMB_272))),
        b"/deflate": ("deflate", zlib.compress(bytes(128 * MEGABYTE))),
    }

    def bomb(request):
        coding, body = bombs[request.target]
        return response(body, headers=[("Content-Encoding", coding)])

    async with serve(responder(bomb)) as server:
        command = [sys.executable, "-c", PROBE, server.url, *(target.decode() for target in bombs)]
        run = await anyio.run_process(command, stderr=subprocess.STDOUT)
    stacked, grown_1, once, grown_2, deflate, grown_3 = json.loads(run.stdout)
    assert (stacked, once, deflate) == ("CodingError", "BodyTooLarge", "BodyTooLarge")
    assert max(grown_1, grown_2, grown_3) < 32 * 1024


async def test_endless_chunked_body_stops_at_the_limit(transport):
    """D13, BC-113: no Content-Length, no end; an error as soon as the limit is passed."""

    async def handler(stream):
        await request_head(stream)
        await stream.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            await stream.send(b"10000\r\n" + b"x" * 65_536 + b"\r\n")

    async with serve(handler) as server:
        got = await transport.handle_async_request(httpx.Request("GET", server.url))
        with anyio.fail_after(20), pytest.raises(BodyTooLarge):
            await read_body(got, MEGABYTE)
        await server.until_open(0)
    assert got.is_closed


@pytest.mark.parametrize("declared", [2, 10**9, 10**15])
async def test_content_length_is_not_believed(transport, declared):
    """BC-113: it may say less than comes, or more; what comes is counted."""

    async def handler(stream):
        await request_head(stream)
        await stream.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % declared)
        while True:
            await stream.send(b"x" * 65_536)

    async with serve(handler) as server:
        got = await transport.handle_async_request(httpx.Request("GET", server.url))
        if declared == 2:
            assert await read_body(got, MEGABYTE) == b"xx"
        else:
            with pytest.raises(BodyTooLarge):
                await read_body(got, MEGABYTE)
        await server.until_open(0)


async def test_body_of_tiny_chunks(transport):
    body = gzip.compress(bytes(range(256)) * 20)
    async with serve(responder(lambda _: response(body, headers=[("Content-Encoding", "gzip")], chunk=1))) as server:
        got = await transport.handle_async_request(httpx.Request("GET", server.url))
        assert await read_body(got, MEGABYTE) == bytes(range(256)) * 20


def test_response_is_closed_whatever_happens():
    for pieces, coding, limit in (([b"data"], "", 4), ([b"data"], "", 3), ([b"data"], "gzip", 4), ([], "br", 4)):
        got = answer(pieces, coding)
        with suppress(BodyTooLarge, CodingError):
            decode_response(got, limit)
        assert got.stream.closed


def test_what_is_advertised_is_what_is_read():
    for coding in ACCEPT_ENCODING.split(", "):
        assert decode([CODINGS[coding](b"data")], coding) == b"data"
