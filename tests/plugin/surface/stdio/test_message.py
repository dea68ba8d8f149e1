"""One line as a message."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fanseek.surface.stdio import message
from fanseek.surface.stdio.lines import TooLong
from fanseek.surface.stdio.message import Fault, Message, RpcError, answered, read, refused

MOST = 10_000


def test_a_request_and_a_notification() -> None:
    assert read(b'{"jsonrpc":"2.0","id":7,"method":"ping"}\r', MOST) == Message("ping", {}, 7)
    assert read(b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"x","params":{"a":1}}', MOST) == Message("x", {"a": 1})


@pytest.mark.parametrize(
    "line", [b"", b"  \r", b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":1,"error":{}}']
)
def test_blank_lines_and_answers_are_passed_over(line: bytes) -> None:
    assert read(line, MOST) is None


@pytest.mark.parametrize(
    ("line", "code", "id_"),
    [
        (b"not json", message.UNREADABLE, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"x"', message.UNREADABLE, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":NaN}}', message.UNREADABLE, 1),
        (b'{"jsonrpc":"2.0","id":"a","method":"x","params":{"q":"\xb1\xb1\xbe\xa9"}}', message.UNREADABLE, "a"),
        (b'{"jsonrpc":"2.0","id":3,"method":"x","params":' + b"[" * 5000, message.UNREADABLE, 3),
        (b"[]", message.INVALID, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', message.INVALID, None),
        (b'"text"', message.INVALID, None),
        (b"7", message.INVALID, None),
        (b"{}", message.INVALID, None),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', message.INVALID, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', message.INVALID, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', message.INVALID, None),
        (b'{"jsonrpc":"2.0","id":[1],"method":"ping"}', message.INVALID, None),
        (b'{"id":1,"method":"ping"}', message.INVALID, 1),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', message.INVALID, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":5}', message.INVALID, 1),
        (b'{"jsonrpc":"2.0","id":1}', message.INVALID, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}', message.WRONG_PARAMS, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"x","params":"a"}', message.WRONG_PARAMS, 1),
    ],
)
def test_what_is_no_message_is_told_under_its_id_where_that_can_be_seen(line: bytes, code: int, id_: Any) -> None:
    """BC-161; the id is never guessed from inside of the parameters."""
    found = read(line, MOST)
    assert isinstance(found, Fault)
    assert (found.code, found.id) == (code, id_)
    assert found.message


@pytest.mark.parametrize(
    ("head", "id_"),
    [
        (b'{"jsonrpc":"2.0","id":12,"method":"search","params":{"q":"xx', 12),
        (b'{"id":"a-1","jsonrpc":"2.0","method":', "a-1"),
        (b'{"method":"search","jsonrpc":"2.0","id":-3,"params":{', -3),
        (b'{"jsonrpc":"2.0","method":"search","params":{"id":5,', None),
        (b'{"params":{"id":5},"id":6', None),
        (b'{"jsonrpc":"2.0","id":12', None),
        (b"", None),
    ],
)
def test_a_line_that_is_too_long_is_refused_under_its_id(head: bytes, id_: Any) -> None:
    found = read(TooLong(head, 20_000), MOST)
    assert isinstance(found, Fault)
    assert (found.code, found.id) == (message.INVALID, id_)
    assert "20000" in found.message
    assert str(MOST) in found.message


def test_half_a_surrogate_pair_costs_a_character_and_not_the_request() -> None:
    """BC-105: a host cut a text in the middle of a character; the request would never be answered otherwise."""
    line = rb'{"jsonrpc":"2.0","id":1,"method":"x","params":{"q":"a \ud83d b \ud83d\ude00"}}'
    assert read(line, MOST) == Message("x", {"q": "a \ufffd b \U0001f600"}, 1)


def test_a_replacement_character_that_was_sent_is_no_fault() -> None:
    line = '{"jsonrpc":"2.0","id":1,"method":"x","params":{"q":"\ufffd \\ud83d"}}'.encode()
    assert read(line, MOST) == Message("x", {"q": "\ufffd \ufffd"}, 1)


def test_large_numbers_are_ids_too() -> None:
    assert read(b'{"jsonrpc":"2.0","id":100000000000000000000000,"method":"x"}', MOST) == Message("x", {}, 10**23)


def test_answers_are_one_line_of_utf8() -> None:
    line = answered(1, {"text": "两行\n第二行\u2028 \ud83d"})
    assert line.count(b"\n") == 1
    assert msgspec.json.decode(line) == {"jsonrpc": "2.0", "id": 1, "result": {"text": "两行\n第二行\u2028 \ufffd"}}


def test_an_error_has_data_only_where_there_are_some() -> None:
    assert msgspec.json.decode(refused(None, RpcError(-1, "m"))) == {
        "jsonrpc": "2.0",
        "id": None,
        "error": {"code": -1, "message": "m"},
    }
    assert msgspec.json.decode(refused(1, RpcError(-1, "m", {"a": 1})))["error"]["data"] == {"a": 1}
