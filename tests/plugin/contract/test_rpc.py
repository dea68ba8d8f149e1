"""JSON-RPC replies and the stream of server-sent events they may come in."""

from __future__ import annotations

import contextlib
import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract.rpc import EventStream, events, reply_of

STREAM = (
    'data: {"x":\r\ndata: "天气"}\r\n\r\n: ping\r\n\r\nid: 7\r\ndata:{"y":1}\r\n\r\n'  # as in BC-167
    'event: message\ndata: {"z":2}\n\nretry: 10\rdata: last\r\r'
).encode()
EXPECTED = ['{"x":\n"天气"}', '{"y":1}', '{"z":2}', "last"]


def fed(chunks: list[bytes]) -> list[str]:
    stream = EventStream()
    return [data for chunk in chunks for data in stream.feed(chunk)] + list(stream.end())


def test_one_byte_at_a_time_reads_like_the_whole() -> None:
    """BC-167: CRLF framing, several data lines, no space after the colon, comments, cuts inside characters."""
    assert list(events(STREAM)) == EXPECTED
    assert fed([STREAM[at : at + 1] for at in range(len(STREAM))]) == EXPECTED


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_where_the_stream_is_cut_does_not_matter(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    assert fed([STREAM[a:b] for a, b in itertools.pairwise(edges)]) == EXPECTED


def test_an_event_comes_out_as_soon_as_it_is_complete() -> None:
    stream = EventStream()
    assert list(stream.feed(b"data: a\n")) == []
    assert list(stream.feed(b"\n")) == ["a"]


def test_the_end_completes_an_event_without_its_blank_line() -> None:
    """BC-168, first reply."""
    assert list(events(b"data: half")) == ["half"]
    assert list(events(b"data: a\r")) == ["a"]


def test_a_byte_order_mark_and_fields_that_are_not_data_are_skipped() -> None:
    assert list(events(b"\xef\xbb\xbfdata: a\nevent: x\nfoo: y\ndata\n\n")) == ["a\n"]
    assert list(events(b"\n\n: only a comment\n\nevent: x\n\n")) == []


@given(st.binary(max_size=300), st.sampled_from(["text/event-stream", "application/json", "text/html", ""]))
def test_any_bytes_are_a_reply_or_a_decode_error(body: bytes, media: str) -> None:
    with contextlib.suppress(msgspec.DecodeError):
        assert reply_of(body, media).is_reply


@pytest.mark.parametrize(
    ("media", "body"),
    [
        ("text/event-stream", b'data: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}'),
        ("application/json", b'{"jsonrpc":"2.0","id":1,"result":{"content":[]}}'),
        ("", b'\xef\xbb\xbf {"jsonrpc":"2.0","id":"a","result":{"content":[]}}'),
        (
            "text/event-stream",
            (
                b'data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n'
                b'data: {"jsonrpc":"2.0","id":"s1","method":"ping"}\n\n'
                b'data: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n\n'
            ),
        ),
    ],
)
def test_the_reply_is_found_whatever_it_came_in(media: str, body: bytes) -> None:
    """BC-168: plain JSON, a stream without its last blank line, other frames before the reply."""
    assert reply_of(body, media).tool.content == []


@pytest.mark.parametrize(
    "body", [b"<html>login</html>", b"", b"[]", b'{"jsonrpc":"2.0","method":"ping","id":1}', b"{}"]
)
def test_what_is_no_reply_is_a_decode_error(body: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        reply_of(body, "application/json")


def test_an_error_reply_has_no_tool_result() -> None:
    message = reply_of(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no"}}')
    assert message.error is not None
    assert message.error.code == -32000
    with pytest.raises(msgspec.DecodeError):
        _ = message.tool


def test_a_tool_result_reads_text_blocks_only() -> None:
    body = (
        b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"image","data":"AAAA"},{"type":"text","text":"a"},'
        b'{"type":"text","text":"b"}],"isError":true,"_meta":{"k":1},"structuredContent":{"r":[]}}}'
    )
    tool = reply_of(body).tool
    assert (tool.text, tool.is_error, tool.meta, bytes(tool.structured)) == ("a\n\nb", True, {"k": 1}, b'{"r":[]}')


def test_ids_and_the_wait_are_kept_for_whoever_resumes() -> None:
    stream = EventStream()
    assert list(stream.feed(b"id: a\nretry: 250\ndata:\n\nid: b\n")) == []
    assert (stream.last_id, stream.retry_ms) == ("a", 250)
    assert list(stream.feed(b"data: x\n\n")) == ["x"]
    assert list(stream.feed(b"id: c\0\nretry: soon\ndata: y\n\n")) == ["y"]
    assert (stream.last_id, stream.retry_ms) == ("b", 250)


@pytest.mark.parametrize("noise", ["", "[]", "not json", '{"id":[],"result":{}}', '["x"]'])
def test_frames_that_say_nothing_are_skipped(noise: str) -> None:
    assert reply_of(f'id: 1\ndata: {noise}\n\ndata: {{"id":1,"result":{{}}}}\n\n'.encode(), "text/event-stream").id == 1


def test_a_batch_holds_the_reply() -> None:
    """Revision 2025-03-26 lets servers send several messages as one array."""
    body = b'[{"method":"notifications/message"},{"id":4,"result":{"content":[]}}]'
    assert reply_of(body, "application/json").id == 4


def test_a_long_line_in_small_pieces_costs_linear_time() -> None:
    stream = EventStream()
    for _ in range(200_000):
        assert not list(stream.feed(b"data"))
    assert len(stream._line_parts) == 200_000
