"""A model on loopback: Anthropic Messages over SSE. Its first turn calls web_search, its next says what it was told."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Model:
    """What it is to ask, and what it was sent."""

    def __init__(self, turns: Sequence[Sequence[str]]) -> None:
        self.turns = list(turns)
        self.requests: list[dict[str, Any]] = []
        self.url = ""

    @property
    def results(self) -> list[dict[str, Any]]:
        """The tool results of the last request, in order: `content` as one text, `is_error`."""
        sent = [message["content"] for message in self.requests[-1]["messages"]] if self.requests else []
        blocks = [block for content in sent if isinstance(content, list) for block in content]
        return [
            {"text": _text(block["content"]), "is_error": bool(block.get("is_error"))}
            for block in blocks
            if block.get("type") == "tool_result"
        ]

    def reply(self, request: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The events of one turn. A request without tools is the harness's own, for a title."""
        if not any(tool.get("name") == "web_search" for tool in request.get("tools", [])):
            yield from _spoken("A title")
            return
        self.requests.append(request)
        done = len(self.results)
        if done < len(self.turns):
            yield from _called(f"call_{done}", {"queries": list(self.turns[done])})
        else:
            yield from _spoken("DONE")


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _spoken(text: str) -> Iterator[dict[str, Any]]:
    block = {"type": "text", "text": ""}
    yield from _turn(block, {"type": "text_delta", "text": text}, "end_turn")


def _called(call: str, arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    block = {"type": "tool_use", "id": call, "name": "web_search", "input": {}}
    yield from _turn(block, {"type": "input_json_delta", "partial_json": json.dumps(arguments)}, "tool_use")


def _turn(block: dict[str, Any], delta: dict[str, Any], reason: str) -> Iterator[dict[str, Any]]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    yield {"type": "message_start", "message": message}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}
    yield {"type": "message_stop"}


@contextmanager
def model(*turns: Sequence[str]) -> Iterator[Model]:
    """A model whose n-th turn asks `turns[n]` in one call; then it says DONE."""
    told = Model(turns)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            events = "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in told.reply(body)).encode()
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("content-length", str(len(events)))
            self.end_headers()
            self.wfile.write(events)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
