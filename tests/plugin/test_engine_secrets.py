"""A service that says back all it was sent: whatever it does, no key of any backend is seen again."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

import loopback
from fanseek import open_engine, registry
from fanseek.config.options import options
from fanseek.errors import AllFailed

CANARY = "tvly-CANARY-9f3a71c2e"


def echoed(request: loopback.Request, shape: str) -> bytes:
    """What came in, as the body of an answer."""
    seen = (request.head + b"\r\n" + request.body).decode("latin-1")
    if shape == "text":
        return seen.encode()
    if shape == "page":
        return f"<html><title>Error</title><pre>{seen}</pre>".encode()
    told: Any = {"message": seen, "type": seen, "code": seen, "detail": seen, "status": seen}
    if shape == "list":
        return json.dumps({"detail": [{"msg": seen, "loc": [seen]}], "errors": [told]}).encode()
    return json.dumps({"error": told, **told, "response": {"status": f"ERROR: {seen}"}}).encode()


@pytest.mark.parametrize("shape", ["text", "page", "json", "list"])
@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 404, 422, 429, 432, 500, 503])
async def test_bc_040_no_key_is_seen_again(
    status: int, shape: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """N11, C8: results, errors, events, the log at every level, and every file, over all backends at once."""
    caplog.set_level(logging.DEBUG)
    keys = {option.default: CANARY for option in options().values() if option.is_reference and option.default}
    events: list[str] = []

    def answer(request: loopback.Request) -> bytes:
        headers = [
            ("location", request.target.decode()),
            ("x-echo", request.headers.get(b"authorization", b"").decode()),
        ]
        return loopback.response(echoed(request, shape), status=status, headers=headers)

    async with loopback.serve(loopback.responder(answer)) as server:
        settings = {option.key: server.url for option in options().values() if option.is_base_url}
        async with open_engine(
            {**settings, "proxy": "direct"},
            environment=keys,
            on_event=lambda event: events.append(repr(event)),
            state_dir=tmp_path / "state",
            cache_dir=tmp_path / "cache",
        ) as engine:
            with pytest.raises(AllFailed) as caught:
                await engine.search("tidal turbines", backends=list(registry.backends()))
        sent = b"".join(request.head for request in server.requests)
    assert sent.count(CANARY.encode()) >= len(keys)
    result = caught.value.result
    assert len(result.outcomes) == len(registry.backends())
    shown = f"{caught.value} {caught.value!r} {result} {json.dumps(result.to_dict())} {result.to_text()} {events}"
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    for said in (shown, caplog.text, files.decode("latin-1")):
        assert "CANARY" not in said
