"""How a reply travels under a fault: slowly, in pieces, swollen, cut off, or never."""

from __future__ import annotations

import math
import zlib
from functools import lru_cache, singledispatch

import anyio
from anyio.lowlevel import checkpoint

from fanseek.contract import Reply
from fanseek.sandbox import faults as f
from fanseek.sandbox.head import reply_head
from fanseek.sandbox.peer import Peer
from fanseek.sandbox.upstream import EVENTS, chunk, headers_of, last_chunks, payload_of, wire

MEGABYTE = 1024 * 1024


@singledispatch
async def travel(fault: f.Fault | None, peer: Peer, reply: Reply) -> None:  # noqa: ARG001 - chosen by its type
    """Send `reply` as `fault` has it. Raises Gone when the client leaves."""
    await peer.send(wire(reply))


@travel.register
async def _(fault: f.Hang, peer: Peer, reply: Reply) -> None:  # noqa: ARG001
    await peer.pause(math.inf)


@travel.register
async def _(fault: f.Drop, peer: Peer, reply: Reply) -> None:
    await peer.send(beginning(reply, fault.at))
    peer.keep_alive = False


@travel.register
async def _(fault: f.Reset, peer: Peer, reply: Reply) -> None:
    await peer.send(beginning(reply, fault.at))
    if fault.at != "before":
        await peer.pause(0.02)
    peer.reset()


@travel.register
async def _(fault: f.Drip, peer: Peer, reply: Reply) -> None:
    await peer.send(reply_head(reply.status, headers_of(reply)))
    await trickled(peer, payload_of(reply), fault.bytes, fault.interval_ms / 1000)


@travel.register
async def _(fault: f.SlowHeaders, peer: Peer, reply: Reply) -> None:
    await trickled(peer, reply_head(reply.status, headers_of(reply)), fault.bytes, fault.interval_ms / 1000)
    await peer.send(payload_of(reply))


@travel.register
async def _(fault: f.Oversized, peer: Peer, reply: Reply) -> None:
    start, pad, end = padded(reply.content_type, reply.body)
    in_chunks = fault.chunked or not fault.mb
    length = len(start) + fault.mb * len(pad) + len(end)
    await peer.send(reply_head(reply.status, framed(reply, None if in_chunks else length)))
    piece, sent = start + pad, 0
    while not fault.mb or sent < fault.mb:
        await peer.send(chunk(piece) if in_chunks else piece)
        await (peer.pause(fault.interval_ms / 1000) if fault.interval_ms else checkpoint())
        piece, sent = pad, sent + 1
    await peer.send(last_chunks(end) if in_chunks else end)


@travel.register
async def _(fault: f.Lying, peer: Peer, reply: Reply) -> None:
    await peer.send(reply_head(reply.status, framed(reply, max(0, len(reply.body) + fault.by))) + reply.body)
    peer.keep_alive = False


@travel.register
async def _(fault: f.Bomb, peer: Peer, reply: Reply) -> None:
    packed = await anyio.to_thread.run_sync(bomb, reply.content_type, reply.body, fault.mb, fault.layers)
    await coded(peer, reply, packed, ["gzip"] * fault.layers)


@travel.register
async def _(fault: f.Compressed, peer: Peer, reply: Reply) -> None:
    await coded(peer, reply, zlib.compress(reply.body, wbits=31 if fault.coding == "gzip" else 15), [fault.coding])


@travel.register
async def _(fault: f.Chunked, peer: Peer, reply: Reply) -> None:
    pieces = [chunk(reply.body[start : start + fault.bytes]) for start in range(0, len(reply.body), fault.bytes)]
    await peer.send(reply_head(reply.status, framed(reply, None)) + b"".join(pieces) + chunk(b""))


@travel.register
async def _(fault: f.Interim, peer: Peer, reply: Reply) -> None:
    hints = {"link": "</style.css>; rel=preload"} if fault.status == 103 else {}
    await peer.send(reply_head(fault.status, hints) + wire(reply))


@travel.register
async def _(fault: f.Impatient, peer: Peer, reply: Reply) -> None:  # noqa: ARG001
    await peer.send(wire(reply))
    peer.keep_alive = False


def beginning(reply: Reply, at: f.Place) -> bytes:
    """What is sent of a reply before the connection breaks."""
    head, payload = reply_head(reply.status, headers_of(reply)), payload_of(reply)
    return {"before": b"", "headers": head[: len(head) // 2], "body": head + payload[: len(payload) // 2]}[at]


async def trickled(peer: Peer, data: bytes, size: int, interval_s: float) -> None:
    """`data` in pieces."""
    for start in range(0, len(data), size):
        if start:
            await peer.pause(interval_s)
        await peer.send(data[start : start + size])


async def streamed(peer: Peer, before: list[bytes], reply: Reply, interval_s: float) -> None:
    """A stream of events that ends with the reply."""
    last = reply.body if reply.content_type.startswith(EVENTS) else b"event: message\ndata: %b\n\n" % reply.body
    await peer.send(reply_head(reply.status, {**framed(reply, None), "content-type": EVENTS}))
    for piece in before:
        await peer.send(chunk(piece))
        await peer.pause(interval_s)
    await peer.send(last_chunks(last))


async def coded(peer: Peer, reply: Reply, body: bytes, codings: list[str]) -> None:
    """A reply whose body is already under content codings."""
    headers = {**framed(reply, len(body)), "content-encoding": ", ".join(codings)}
    await peer.send(reply_head(reply.status, headers) + body)


def framed(reply: Reply, length: int | None) -> dict[str, str]:
    """The reply's headers for a body of `length` bytes, or in chunks where that is None."""
    kept = {name: value for name, value in headers_of(reply).items() if name != "content-length"}
    kept.pop("transfer-encoding", None)
    return {**kept, **({"transfer-encoding": "chunked"} if length is None else {"content-length": str(length)})}


def padded(content_type: str, body: bytes) -> tuple[bytes, bytes, bytes]:
    """Start, a megabyte of padding to repeat, and end: a body that stays well-formed however long it gets."""
    if content_type.startswith(EVENTS):
        return b"", b": " + b"x" * (MEGABYTE - 4) + b"\n\n", body
    return body, b" " * MEGABYTE, b""


@lru_cache(maxsize=8)
def bomb(content_type: str, body: bytes, megabytes: int, layers: int) -> bytes:
    """The padded body under `layers` of gzip."""
    start, pad, end = padded(content_type, body)
    squeeze = zlib.compressobj(9, wbits=31)
    parts = [squeeze.compress(start), *[squeeze.compress(pad) for _ in range(megabytes)], squeeze.compress(end)]
    packed = b"".join([*parts, squeeze.flush()])
    for _ in range(layers - 1):
        packed = zlib.compress(packed, 9, wbits=31)
    return packed
