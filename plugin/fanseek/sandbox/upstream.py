"""One backend's server, faultless: a request in, its reply out, by way of the backend's mimic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from fanseek.contract import AnyBackend, Asked, Mimic, Reply, Row
from fanseek.sandbox.corpus import Corpus
from fanseek.sandbox.head import reply_head

EVENTS = "text/event-stream"
KEPT_REPLIES = 4096

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError)
"""What a mimic may raise on a request that its backend would never send."""


class Upstream:
    """A backend that speaks plain HTTP."""

    def __init__(self, name: str, mimic: Mimic, corpus: Corpus) -> None:
        self.name = name
        self.mimic = mimic
        self._corpus = corpus
        self._kept: dict[tuple[str, bytes], tuple[Mapping[str, str], bytes]] = {}

    def is_call(self, asked: Asked) -> bool:  # noqa: ARG002 - of an MCP server only some are
        """Whether this is a search, and not the protocol's own talk."""
        return True

    def whole(self, asked: Asked) -> bytes:
        """The good reply as it goes over the wire; repeated requests are answered from memory."""
        key = (asked.target, asked.body)
        headers, kept = self._kept.get(key, (None, b""))
        if headers is not asked.headers and headers != asked.headers:
            if len(self._kept) >= KEPT_REPLIES:
                self._kept.clear()
            kept = wire(self.reply(asked))
            self._kept[key] = asked.headers, kept
        return kept

    def reply(self, asked: Asked) -> Reply:
        """The good reply."""
        return self.searched(asked)

    def empty(self, asked: Asked) -> Reply:
        """The good reply to a search that found nothing."""
        return self.searched(asked, found=False)

    def own(self, asked: Asked, what: str) -> Reply | None:  # noqa: ARG002 - an MCP server frames it
        """The backend's own body for a fault, where it has one."""
        return self.mimic.faults.get(what)

    def searched(self, asked: Asked, *, found: bool = True) -> Reply:
        """What the mimic replies; 400 to a request it cannot read."""
        try:
            query, wanted = self.mimic.asked(asked)
            rows: Sequence[Row] = self._corpus.rows(self.name, query, wanted) if found and query.strip() else ()
            return self.mimic.reply(asked, rows)
        except UNREADABLE as problem:
            said = f"The sandbox can't read this as a request to {self.name}: {type(problem).__name__}: {problem}\n"
            return Reply(status=400, body=said.encode(), content_type="text/plain; charset=utf-8")


def wire(reply: Reply) -> bytes:
    """`reply` as bytes: a stream of events in chunks, all else under a Content-Length."""
    return reply_head(reply.status, headers_of(reply)) + payload_of(reply)


def payload_of(reply: Reply) -> bytes:
    """The body as it goes over the wire."""
    return last_chunks(reply.body) if reply.content_type.startswith(EVENTS) else reply.body


def headers_of(reply: Reply) -> Mapping[str, str]:
    """The headers a faultless server sends with `reply`."""
    framing = (
        {"transfer-encoding": "chunked"}
        if reply.content_type.startswith(EVENTS)
        else {"content-length": str(len(reply.body))}
    )
    named = {"content-type": reply.content_type} if reply.content_type and reply.body else {}
    return {**named, **{name.lower(): value for name, value in reply.headers.items()}, **framing}


def chunk(data: bytes) -> bytes:
    """`data` as one chunk of a chunked body; the last one is empty."""
    return b"%x\r\n%b\r\n" % (len(data), data)


def last_chunks(data: bytes) -> bytes:
    """`data` as the end of a chunked body."""
    return (chunk(data) if data else b"") + chunk(b"")


def upstreams(backends: Mapping[str, AnyBackend], corpus: Corpus) -> dict[str, Upstream]:
    """A server for each backend that has a mimic: over MCP where its requests are MCP calls."""
    from fanseek.sandbox.mcp import McpUpstream, tools_of

    found: dict[str, Upstream] = {}
    for name, backend in backends.items():
        if backend.mimic:
            tools = tools_of(backend)
            found[name] = (
                McpUpstream(name, backend.mimic, corpus, tools) if tools else Upstream(name, backend.mimic, corpus)
            )
    return found
