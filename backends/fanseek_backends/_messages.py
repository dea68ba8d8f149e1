"""Answers of the Messages API with the web search server tool, whole or as a stream.

https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from fanseek.contract import (
    Failure,
    FailureKind,
    Hit,
    Parsed,
    Response,
    Rows,
    Stamp,
    decode,
    events,
    present,
    rows,
    stamp,
    words,
)
from fanseek_backends._answers import answer_of, joined, loosely
from fanseek_backends._refusals import Service
from fanseek_backends._vendor_errors import of_type, refused, trouble_of

KINDS: dict[str, FailureKind] = {
    "too_many_requests": "rate-limit",
    "invalid_tool_input": "bad-request",
    "invalid_input": "bad-request",
    "query_too_long": "bad-request",
    "request_too_large": "bad-request",
    "max_uses_exceeded": "bad-request",
    "unavailable": "server",
}
"""Errors of the tool, sent under a status of success."""

CUT = ("max_tokens", "model_context_window_exceeded")
"""Reasons to stop in the middle of an answer."""

SPENT = "max_uses_exceeded"
"""Ends the searching; what was found before is whole."""


class Page(msgspec.Struct):
    """One result, or one place in a result that the answer cites."""

    url: str
    title: str | None = None
    age: Stamp = msgspec.field(default=None, name="page_age")
    cited: str | None = msgspec.field(default=None, name="cited_text")


class Ended(msgspec.Struct):
    """How a search of the tool failed."""

    error_code: str = ""


class Block(msgspec.Struct):
    """One block of the answer."""

    type: str = ""
    name: str = ""
    text: str = ""
    citations: msgspec.Raw = msgspec.Raw()
    content: msgspec.Raw = msgspec.Raw()


class Message(msgspec.Struct):
    """The whole answer, or the error in its place."""

    content: Rows = []
    stop_reason: str | None = None
    error: msgspec.Raw = msgspec.Raw()


class Event(msgspec.Struct):
    """One event of a stream: a block begun, something added to it, or the end."""

    type: str = ""
    index: int = -1
    block: msgspec.Raw = msgspec.field(default=msgspec.Raw(), name="content_block")
    delta: msgspec.Raw = msgspec.Raw()
    error: msgspec.Raw = msgspec.Raw()


class Delta(msgspec.Struct):
    """What an event adds."""

    type: str = ""
    text: str = ""
    citation: msgspec.Raw = msgspec.Raw()
    stop_reason: str | None = None


def message_of(response: Response) -> Message:
    """The answer, whatever the server said to keep the connection alive left out.

    Raises msgspec.DecodeError when there is none.
    """
    text = bare(response.body)
    return answer_of(text, Message) if text.startswith(b"{") else _streamed(text)


def bare(body: bytes) -> bytes:
    """`body` without what a busy server sends before it: blank lines and comments."""
    text = body.removeprefix(b"\xef\xbb\xbf").lstrip()
    while text.startswith(b":"):
        text = text.partition(b"\n")[2].lstrip()
    return text


def _streamed(text: bytes) -> Message:
    begun: dict[int, dict[str, Any]] = {}
    stop: str | None = None
    for event in rows([msgspec.Raw(data.encode()) for data in events(text)], Event):
        if event.type == "error":
            return Message(error=event.error)
        block = decode(event.block, object) if event.type == "content_block_start" else None
        if isinstance(block, dict):
            begun[event.index] = block
        for delta in rows([event.delta] * present(event.delta), Delta):
            stop = delta.stop_reason or stop
            if (open_block := begun.get(event.index)) is not None:
                _added(open_block, delta)
    if not begun and stop is None:
        raise msgspec.DecodeError("no message in the stream")
    return Message(content=[msgspec.Raw(msgspec.json.encode(block)) for block in begun.values()], stop_reason=stop)


def _added(block: dict[str, Any], delta: Delta) -> None:
    if delta.type == "text_delta":
        block["text"] = str(block.get("text") or "") + delta.text
    elif delta.type == "citations_delta" and present(delta.citation):
        block["citations"] = [*(block.get("citations") or []), delta.citation]


def blocks_of(message: Message) -> list[Block]:
    """The blocks of the answer."""
    return rows(message.content, Block)


def classify(response: Response, service: Service) -> Failure | None:
    """Failures told by the status, by an error in an answer's place, or by every search of the tool having failed."""
    if (failure := refused(response, service)) or response.is_html:
        return failure
    message = message_of(response)
    if present(message.error) and not message.content:
        return of_type(trouble_of(b'{"error":%b}' % bytes(message.error)), service)
    blocks = blocks_of(message)
    if hits_of(blocks):
        return None
    codes = [code for block in blocks if (code := error_of(block))]
    found_nothing = any(_is_result(block) and not error_of(block) for block in blocks)
    if codes and not found_nothing:
        return service.failure(KINDS.get(codes[0], "server"), f"web search: {codes[0][:80]}")
    if message.stop_reason == "refusal":
        return Failure(
            kind="blocked", message=f"the model of {service.name} refused this query: reword it", retry_after=1.0
        )
    return None


def _is_result(block: Block) -> bool:
    return block.type == "web_search_tool_result"


def error_of(block: Block) -> str:
    """The code of a search that failed; empty for any other block."""
    if not _is_result(block) or not bytes(block.content).lstrip().startswith(b"{"):
        return ""
    return next((ended.error_code for ended in rows([block.content], Ended)), "") or "unknown error"


def hits_of(blocks: list[Block]) -> tuple[Hit, ...]:
    """Every page found, in order, each once, with what the answer cites of it; pages only cited come last."""
    found = [page for block in blocks if _is_result(block) for page in rows(loosely(block.content), Page)]
    pages: dict[str, Page] = {}
    said: dict[str, dict[object, None]] = {}
    for page in (*found, *_cited(blocks)):
        pages.setdefault(page.url, page)
        said.setdefault(page.url, {})[page.cited] = None
    return tuple(
        Hit(
            url=page.url,
            title=words(page.title),
            snippet=joined(list(said[page.url])),
            published=stamp(page.age),
        )
        for page in pages.values()
    )


def _cited(blocks: list[Block]) -> Iterator[Page]:
    for block in blocks:
        if block.type == "text":
            yield from rows(loosely(block.citations), Page)


def parse(response: Response) -> Parsed:
    """Pages found and cited, and the text after the last search as the answer they support."""
    message = message_of(response)
    blocks = blocks_of(message)
    hits = hits_of(blocks)
    codes = [code for block in blocks if (code := error_of(block)) and code != SPENT]
    paused, cut = message.stop_reason == "pause_turn", message.stop_reason in CUT
    last = max((at for at, block in enumerate(blocks) if "tool" in block.type), default=-1)
    answer = words("".join(block.text for block in blocks[last + 1 :] if block.type == "text"))
    warnings = [f"a search of the model's failed: {code[:80]}" for code in codes]
    warnings += ["the answer was cut: it reached the most tokens it may have"] * cut
    return Parsed(
        hits=hits,
        answer=answer if hits else None,
        citations=tuple(page.url for page in _cited(blocks)) if hits else (),
        warnings=tuple(warnings),
        unfinished="the model was paused before it had finished" if paused else "",
        failed=len(codes) if hits else 0,
        empty=any(_is_result(block) and _is_empty(block) for block in blocks),
    )


def _is_empty(block: Block) -> bool:
    """Whether a search found nothing, and says so."""
    content = bytes(block.content).strip()
    return content.startswith(b"[") and not loosely(block.content)
