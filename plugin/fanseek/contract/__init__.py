"""What a backend speaks: the only module a backend imports. msgspec and the standard library only."""

from fanseek.contract.backend import (
    API,
    MODEL,
    SCRAPED,
    AnyBackend,
    AnyOperation,
    Backend,
    BackendSettings,
    Docs,
    Filters,
    Hit,
    KeyedSettings,
    Operation,
    Pace,
    Parsed,
    Support,
)
from fanseek.contract.exchange import Failure, McpCall, Request, Response, form, with_query
from fanseek.contract.fitting import QueryLimit, Wording, fitted, worded
from fanseek.contract.locale import SCRIPTS, Locale, locale
from fanseek.contract.markup import Field, Markup, Page
from fanseek.contract.mimic import Asked, Mimic, Reply, Row
from fanseek.contract.query import Piece, folded, pieces, together
from fanseek.contract.rpc import RpcError, ToolResult, events
from fanseek.contract.status import by_status
from fanseek.contract.wire import Rows, Stamp, decode, first_text, present, rows, stamp, words
from fanseek.errors import FailureKind
from fanseek.types import SearchRequest

__all__ = [
    "API",
    "MODEL",
    "SCRAPED",
    "SCRIPTS",
    "AnyBackend",
    "AnyOperation",
    "Asked",
    "Backend",
    "BackendSettings",
    "Docs",
    "Failure",
    "FailureKind",
    "Field",
    "Filters",
    "Hit",
    "KeyedSettings",
    "Locale",
    "Markup",
    "McpCall",
    "Mimic",
    "Operation",
    "Pace",
    "Page",
    "Parsed",
    "Piece",
    "QueryLimit",
    "Reply",
    "Request",
    "Response",
    "Row",
    "Rows",
    "RpcError",
    "SearchRequest",
    "Stamp",
    "Support",
    "ToolResult",
    "Wording",
    "by_status",
    "decode",
    "events",
    "first_text",
    "fitted",
    "folded",
    "form",
    "locale",
    "pieces",
    "present",
    "rows",
    "stamp",
    "together",
    "with_query",
    "worded",
    "words",
]
