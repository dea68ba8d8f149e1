"""A protocol served on a pair of pipes, until the other side is gone."""

from __future__ import annotations

import anyio

from fanseek.surface.stdio.peer import Dialect, Peer
from fanseek.surface.stdio.pipes import Pipes
from fanseek.surface.stdio.transport import Reader, Writer

LONGEST = 8 * 1024 * 1024
"""Bytes of a line, in both directions."""

WAITING = 8
"""How many of the longest lines may wait for the other side to read them."""

FLUSH_S = 1.0
"""How long the last answers may take to be written, in seconds."""


async def serve(pipes: Pipes, dialect: Dialect, *, longest: int = LONGEST) -> None:
    """Answer what is asked until standard input ends or nobody reads the answers. Cancellation ends it at once."""
    writer = Writer(pipes.sink, WAITING * longest)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_until_gone, writer, group.cancel_scope)
            async with anyio.create_task_group() as requests:
                peer = Peer(dialect, requests, writer.put, longest)
                async for line in Reader(pipes.source, longest):
                    peer.take(line)
                with anyio.move_on_after(dialect.grace_s):
                    await peer.idle()
                requests.cancel_scope.cancel()
            group.cancel_scope.cancel()
    finally:
        await writer.finish(FLUSH_S)


async def _until_gone(writer: Writer, scope: anyio.CancelScope) -> None:
    await writer.ended.wait()
    scope.cancel()
