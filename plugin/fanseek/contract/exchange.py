"""A described HTTP exchange: what to send, and what came back. Data only; `fanseek.http` does the I/O."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec

from fanseek.contract.markup import Page
from fanseek.contract.rpc import Message, ToolResult, reply_of
from fanseek.contract.wire import decode
from fanseek.errors import FailureKind

T = TypeVar("T")


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One HTTP request. `url` is absolute and complete, its query included."""

    url: str
    method: str = "GET"
    headers: dict[str, str] = {}
    body: bytes = b""
    credentialed: bool = False
    """A key travels with it: redirects are refused, the key is redacted from every message."""
    alternatives: tuple[Request, ...] = ()
    """Tried in turn when this one fails, within the same time cap."""


class McpCall(msgspec.Struct, frozen=True, kw_only=True):
    """One `tools/call` on a streamable-HTTP MCP server. `fanseek.http` owns the session."""

    url: str
    tool: str
    arguments: dict[str, Any]
    headers: dict[str, str] = {}
    credentialed: bool = False


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A response that is not an answer. `retry_after` is in seconds."""

    kind: FailureKind
    message: str
    retry_after: float | None = None


class Response(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """What came back, bounded and inflated. Header names are lower-case."""

    status: int
    headers: Mapping[str, str] = {}
    body: bytes = b""
    url: str = ""
    page: Page | None = None
    """The operation's selectors applied to the body, where the body is HTML."""

    @property
    def content_type(self) -> str:
        """The media type without parameters, lower-case; empty when the server sent none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def is_html(self) -> bool:
        """Whether the body is a page: by its first character where it tells, else by its media type."""
        head = self.body[:256].lstrip(b"\xef\xbb\xbf \t\r\n")
        if head[:1] in (b"{", b"["):
            return False
        return head[:1] == b"<" or "html" in self.content_type

    @cached_property
    def text(self) -> str:
        """The body as UTF-8, undecodable bytes replaced. Pages are decoded by `fanseek.text` instead."""
        return self.body.decode("utf-8-sig", errors="replace")

    def json(self, kind: type[T]) -> T:
        """The body decoded as `kind`. Raises msgspec.DecodeError when it is not that."""
        return decode(self.body, kind)

    @cached_property
    def rpc(self) -> Message:
        """The JSON-RPC reply in the body, plain JSON or one event of a stream.

        Raises msgspec.DecodeError when the body holds none.
        """
        return reply_of(self.body, self.content_type)

    @property
    def tool(self) -> ToolResult:
        """The reply's tool result. Raises msgspec.DecodeError when the reply is an error or another shape."""
        return self.rpc.tool


def with_query(url: str, parameters: Mapping[str, str | int | None]) -> str:
    """`url` with `parameters` as its query; None and empty values are left out."""
    kept = {name: str(value) for name, value in parameters.items() if value not in (None, "")}
    return f"{url}{'&' if '?' in url else '?'}{urlencode(kept)}" if kept else url


def form(fields: Mapping[str, str]) -> bytes:
    """`fields` as an application/x-www-form-urlencoded body, empty values kept."""
    return urlencode(fields).encode("ascii")
