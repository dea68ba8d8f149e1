"""Tool answers of MCP servers and their plain JSON forms: the result in them, or the failure they are."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from fanseek.contract import (
    Failure,
    FailureKind,
    Response,
    Rows,
    RpcError,
    ToolResult,
    by_status,
    decode,
    present,
    rows,
    words,
)

T = TypeVar("T")

BAD_CALL = re.compile(
    r"-32602|input validation|invalid (?:arguments|params)|tool \S+ not found|unknown tool", re.IGNORECASE
)
LIMITED = re.compile(r"rate.?limit|too many requests|quota of requests", re.IGNORECASE)
UNKNOWN_KEY = re.compile(
    r"unauthori[sz]ed|(?:invalid|missing|expired) (?:api.?key|access token|token)|authentication", re.IGNORECASE
)
SPENT = re.compile(
    r"no more credits|credits? (?:limit|exhausted)|budget exceeded|insufficient (?:credit|balance|quota)", re.IGNORECASE
)
LATE = re.compile(r"timed? ?out|timeout", re.IGNORECASE)
INVALID_REQUESTS = {-32700, -32600, -32601, -32602}


class _Envelope(msgspec.Struct):
    jsonrpc: str = ""


def result_of(response: Response) -> ToolResult:
    """The tool result in `response`; a body that is plain JSON counts as its structured content.

    Raises msgspec.DecodeError when there is neither.
    """
    if response.body[:64].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") and not response.json(_Envelope).jsonrpc:
        return ToolResult(structured=msgspec.Raw(response.body.removeprefix(b"\xef\xbb\xbf")))
    return response.tool


def answer_of(body: bytes | str | msgspec.Raw, kind: type[T]) -> T:
    """`body` as `kind`, a field of a wrong type as its default.

    Raises msgspec.DecodeError when it is no JSON object.
    """
    found = rows([msgspec.Raw(body)], kind)
    if not found:
        raise msgspec.DecodeError("not a JSON object of the expected kind")
    return found[0]


def object_in(result: ToolResult, kind: type[T]) -> T:
    """`result` as `kind`: its structured content where that is an object, else the first text block that is one.

    Raises msgspec.DecodeError when none is.
    """
    texts = [msgspec.Raw(block.text.encode(errors="replace")) for block in result.content]
    found = rows([result.structured, *texts], kind)
    if not found:
        raise msgspec.DecodeError("no JSON object of the expected kind")
    return found[0]


def listed(raw: msgspec.Raw) -> Rows | None:
    """The rows of an optional field: none for null, None where it was not sent.

    Raises msgspec.DecodeError where it is no list.
    """
    if not bytes(raw):
        return None
    return decode(raw, Rows) if present(raw) else []


def loosely(raw: msgspec.Raw) -> Rows:
    """The rows of a field that good results do not depend on: none where it is anything but a list."""
    return decode(raw, Rows) if bytes(raw).lstrip().startswith(b"[") else []


def joined(parts: list[object] | None) -> str | None:
    """The texts among `parts`, a line each; None when there is none."""
    return "\n".join(text for text in map(words, parts or ()) if text) or None


def refusal(response: Response, name: str, key_setting: str) -> Failure | None:
    """The failure told by status or by a page in an answer's place; None when the body must tell."""
    if response.status == 401:
        return Failure(kind="auth", message=f"{name} refused the key: correct or remove it ({key_setting})")
    failure = by_status(response)
    if failure is None or response.is_html:
        return failure
    if response.status == 403:
        return msgspec.structs.replace(failure, kind="auth", message=f"{name} refuses this: {quoted(response.text)}")
    if response.status == 429:
        return msgspec.structs.replace(failure, message=limited(name, key_setting))
    return failure


def limited(name: str, key_setting: str) -> str:
    """What a person can do about a rate limit of keyless use."""
    return f"the limit of {name} is reached: wait, or set a key of your own ({key_setting})"


def rpc_failure(response: Response, name: str, key_setting: str) -> Failure | None:
    """The JSON-RPC error in `response` as a failure; None where there is none."""
    if b'"jsonrpc"' not in response.body or b'"error"' not in response.body:
        return None
    error = response.rpc.error
    return of_rpc(error, name, key_setting) if error else None


def of_rpc(error: RpcError, name: str, key_setting: str) -> Failure:
    """A JSON-RPC error as a failure."""
    if LIMITED.search(error.message):
        return Failure(kind="rate-limit", message=limited(name, key_setting))
    kind: FailureKind = "bad-request" if error.code in INVALID_REQUESTS else "server"
    return Failure(kind=kind, message=f"{name} answered with error {error.code}: {quoted(error.message)}")


def of_text(text: str, name: str, key_setting: str) -> Failure:
    """A tool's own error text as a failure, by the status or the wording in it."""
    status = re.search(r"\berror \((\d{3})\)|\bHTTP (\d{3})\b|\bstatus(?: code)? (\d{3})\b", text[:400])
    message = f"{name} reports an error: {quoted(text)}"
    told = by_status(Response(status=int(status[status.lastindex or 0]))) if status else None
    if told is not None:
        kind: FailureKind = "auth" if told.message == "HTTP 403" else told.kind
        return Failure(kind=kind, message=limited(name, key_setting) if kind == "rate-limit" else message)
    if BAD_CALL.search(text):
        return Failure(kind="bad-request", message=message)
    if LIMITED.search(text):
        return Failure(kind="rate-limit", message=limited(name, key_setting))
    if SPENT.search(text):
        return Failure(kind="quota", message=message)
    if UNKNOWN_KEY.search(text):
        return Failure(kind="auth", message=message)
    return Failure(kind="timeout" if LATE.search(text) else "server", message=message)


def quoted(text: str) -> str:
    """The beginning of a server's words, marked as such."""
    words = " ".join(text[:400].split())
    return f"“{words[:160]}…”" if len(words) > 160 else f"“{words}”"
