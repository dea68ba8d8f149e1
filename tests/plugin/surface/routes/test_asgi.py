"""The ASGI app under a real server, uvicorn, over real sockets, and driven by itself under both event loops."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx

from fanseek import open_engine
from fanseek.sandbox import Sandbox
from fanseek.sandbox import running as sandbox
from fanseek.surface.routes.asgi import Standalone, application

HISTORY = "/api/websearch/history"
CLEAR = "/api/websearch/history/clear"
OWN = {"origin": "http://localhost:8000", "content-type": "application/json"}


async def call(app: Any, method: str, path: str, **headers: str) -> tuple[int, dict[str, str], Any]:
    """One request without a server between."""
    named = {"host": "localhost:8000", **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(name.encode(), value.encode("utf-8")) for name, value in named.items()],
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    head = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    assert int(head["content-length"]) == len(sent[1]["body"])
    return sent[0]["status"], head, json.loads(sent[1]["body"])


async def test_o4_o5_read_and_cleared(tmp_path: Path):
    async with (
        Sandbox() as box,
        open_engine(box.settings(), environment=box.environment, history_dir=tmp_path) as engine,
    ):
        app = application(engine)
        await engine.search("tidal turbines")
        status, head, body = await call(app, "GET", HISTORY)
        assert (status, [entry["query"] for entry in body["entries"]]) == (200, ["tidal turbines"])
        assert head["cache-control"] == "no-store"
        assert not any(name.startswith("access-control") for name in head)
        assert (await call(app, "POST", CLEAR, **OWN))[::2] == (200, {"ok": True, "cleared": True})
        assert (await call(app, "GET", HISTORY))[2]["entries"] == []


async def test_o6_the_fence_stands_before_every_route_and_nothing_is_cleared(tmp_path: Path):
    async with (
        Sandbox() as box,
        open_engine(box.settings(), environment=box.environment, history_dir=tmp_path) as engine,
    ):
        app = application(engine)
        await engine.search("tidal turbines")
        for method, path in (("GET", HISTORY), ("POST", CLEAR), ("GET", "/"), ("GET", "/api/websearch/else")):
            assert (await call(app, method, path, **{**OWN, "host": "evil.com"}))[0] == 403
            assert (await call(app, method, path, **OWN, sec_fetch_site="cross-site"))[0] == 403
            assert (await call(app, method, path, **{**OWN, "origin": "null"}))[0] == 403
        assert (await call(app, "POST", CLEAR, content_type="text/plain", sec_fetch_site="cross-site"))[0] == 403
        assert (await call(app, "POST", CLEAR, content_type="text/plain", sec_fetch_site="same-origin"))[0] == 415
        assert len((await call(app, "GET", HISTORY))[2]["entries"]) == 1


async def test_o6_no_second_host_or_origin_hides_behind_the_first():
    async with open_engine({"enableExa": "off"}) as engine:
        app = application(engine)
        for name, first, second in (
            ("host", "localhost", "evil.com"),
            ("origin", "http://localhost", "http://evil.com"),
        ):
            pairs = [(b"host", b"localhost")] if name == "origin" else []
            pairs += [(name.encode(), first.encode()), (name.encode(), second.encode())]
            sent: list[dict[str, Any]] = []

            async def send(message: dict[str, Any], sent: list[dict[str, Any]] = sent) -> None:
                sent.append(message)

            await app({"type": "http", "method": "GET", "path": HISTORY, "headers": pairs}, None, send)
            assert sent[0]["status"] == 403


async def test_other_paths_and_methods_say_what_is_there(tmp_path: Path):
    async with open_engine({"enableExa": "off"}) as engine:
        app = application(engine)
        assert (await call(app, "GET", "/api/websearch/other"))[0] == 404
        status, head, _ = await call(app, "POST", HISTORY, **OWN)
        assert (status, head["allow"]) == (405, "GET")
        status, head, _ = await call(app, "GET", CLEAR)
        assert (status, head["allow"]) == (405, "POST")
    assert (await call(app, "GET", HISTORY))[0] == 503


async def test_a_start_that_fails_is_told_to_the_server(tmp_path: Path, monkeypatch):
    config = tmp_path / "config.toml"
    config.write_text("numResults = 'many'\n")
    monkeypatch.setenv("FANSEEK_CONFIG", str(config))
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "lifespan.startup"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await Standalone()({"type": "lifespan"}, receive, send)
    assert [message["type"] for message in sent] == ["lifespan.startup.failed"]
    assert "numResults" in sent[0]["message"]


@contextmanager
def served(environment: dict[str, str], place: Path):
    """The standalone app as a user starts it; what it says goes to `place`."""
    with socket.create_server(("127.0.0.1", 0)) as ears:
        fd, port = ears.fileno(), ears.getsockname()[1]
        command = [sys.executable, "-m", "uvicorn", "fanseek.surface.routes.asgi:standalone", "--fd", str(fd)]
        with place.open("w") as said:
            process = subprocess.Popen(command, env=environment, pass_fds=[fd], stdout=said, stderr=said)
            try:
                yield f"http://127.0.0.1:{port}"
            finally:
                process.terminate()
                process.wait(30)


async def test_the_standalone_app_shows_what_the_command_line_has_searched(tmp_path: Path):
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    environment |= {"XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    with sandbox() as box:
        settings = {f"FANSEEK_{name}": value for name, value in _as_variables(box.settings()).items()}
        command = [sys.executable, "-m", "fanseek", "search", "tidal turbines"]
        await anyio.run_process(command, env={**environment, **settings, **box.environment})
    with served(environment, tmp_path / "said") as url:
        async with httpx.AsyncClient(base_url=url, trust_env=False) as client:
            body = (await client.get(HISTORY)).json()
            assert [entry["query"] for entry in body["entries"]] == ["tidal turbines"]
            assert (await client.get(HISTORY, headers={"host": "evil.com"})).status_code == 403
            assert (await client.post(CLEAR, json={})).status_code == 403
            cleared = await client.post(CLEAR, json={}, headers={"origin": url})
            assert cleared.json() == {"ok": True, "cleared": True}
            assert (await client.get(HISTORY)).json()["entries"] == []
    said = (tmp_path / "said").read_text(encoding="utf-8")
    assert "Application shutdown complete" in said
    assert "Traceback" not in said


def _as_variables(settings: dict[str, Any]) -> dict[str, str]:
    from fanseek.config.options import options

    table = options()
    return {
        table[key].variable.removeprefix("FANSEEK_"): ",".join(value) if isinstance(value, list) else str(value)
        for key, value in settings.items()
    }
