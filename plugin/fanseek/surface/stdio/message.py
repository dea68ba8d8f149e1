"""One line as a JSON-RPC 2.0 message, and messages as lines. https://www.jsonrpc.org/specification; no batches."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, TypeGuard

import msgspec

from fanseek.surface.stdio.lines import Line, TooLong

Id = int | str

UNREADABLE, INVALID, UNKNOWN_METHOD, WRONG_PARAMS, INTERNAL = -32700, -32600, -32601, -32602, -32603

Params = dict[str, Any]

_BOM = b"\xef\xbb\xbf"
_ID_AT_HEAD = re.compile(
    rb'\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*){0,2}"id"\s*:\s*(-?[0-9]{1,18}|"[^"\\]{0,200}")\s*[,}]'
)
"""The id of a message that can't be read whole, where it stands before anything nested."""


class RpcError(Exception):
    """An error as it is answered; `data` is for programs."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Message(msgspec.Struct, frozen=True):
    """A request, or without an id a notification."""

    method: str
    params: Params
    id: Id | None = None


class Fault(msgspec.Struct, frozen=True):
    """What can't be taken as a message, and how that is answered."""

    code: int
    message: str
    id: Id | None = None


def read(line: Line, longest: int) -> Message | Fault | None:
    """What `line` is; None where it is blank, or an answer, which nobody here waits for."""
    if isinstance(line, TooLong):
        return Fault(INVALID, f"a line of {line.size} bytes; the most is {longest}", _id_at_head(line.head))
    line = line.removeprefix(_BOM).strip()
    if not line:
        return None
    try:
        whole = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeError):
        return _read_again(line)
    except RecursionError:
        return Fault(UNREADABLE, "JSON that is nested too deep", _id_at_head(line))
    return _message(whole)


def _read_again(line: bytes) -> Message | Fault | None:
    """What is JSON all the same: hosts cut texts in the middle of a character, which leaves half a surrogate pair."""
    text = line.decode("utf-8", errors="replace")
    try:
        whole = json.loads(text, parse_constant=_no_number)
        mended = json.loads(_whole_characters(json.dumps(whole, ensure_ascii=False)))
    except (ValueError, RecursionError):
        return Fault(UNREADABLE, "not JSON", _id_at_head(line))
    if "\ufffd" in text and "\ufffd".encode() not in line:
        found = mended.get("id") if isinstance(mended, dict) else None
        return Fault(UNREADABLE, "not UTF-8", found if is_id(found) else None)
    return _message(mended)


def _message(whole: Any) -> Message | Fault | None:
    if not isinstance(whole, dict):
        return Fault(INVALID, "a message is one JSON object; batches are not taken")
    if "method" not in whole and ("result" in whole or "error" in whole):
        return None
    found = whole.get("id")
    if "id" in whole and not is_id(found):
        return Fault(INVALID, "an id is a whole number or a string")
    method, params = whole.get("method"), whole.get("params")
    if whole.get("jsonrpc") != "2.0" or not isinstance(method, str):
        return Fault(INVALID, 'a message has "jsonrpc": "2.0" and a method', found)
    if params is not None and not isinstance(params, dict):
        return Fault(WRONG_PARAMS, "params are an object", found)
    return Message(method, params or {}, found)


def is_id(found: Any) -> TypeGuard[Id]:
    """Whether `found` can be the id of a request."""
    return isinstance(found, int | str) and not isinstance(found, bool)


def _id_at_head(head: bytes) -> Id | None:
    found = _ID_AT_HEAD.match(head)
    if found is None:
        return None
    try:
        value: Id = json.loads(found[1])
    except ValueError:
        return None
    return value


def answered(id_: Id | None, result: Any) -> bytes:
    """The line that answers a request."""
    return _line({"jsonrpc": "2.0", "id": id_, "result": result})


def refused(id_: Id | None, error: RpcError | Fault) -> bytes:
    """The line that answers a request with an error."""
    data = getattr(error, "data", None)
    whole = {"code": error.code, "message": error.message, **({} if data is None else {"data": data})}
    return _line({"jsonrpc": "2.0", "id": id_, "error": whole})


def told(method: str, params: Any) -> bytes:
    """The line of a notification."""
    return _line({"jsonrpc": "2.0", "method": method, "params": params})


def _line(whole: Any) -> bytes:
    try:
        return msgspec.json.encode(whole) + b"\n"
    except UnicodeEncodeError:
        text = json.dumps(msgspec.to_builtins(whole), ensure_ascii=False, separators=(",", ":"))
        return _whole_characters(text).encode() + b"\n"


def _whole_characters(text: str) -> str:
    """`text` with halves of surrogate pairs replaced."""
    return text.encode("utf-16", errors="surrogatepass").decode("utf-16", errors="replace")


def _no_number(_name: str) -> NoReturn:
    raise ValueError("no JSON number")
