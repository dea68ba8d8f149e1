"""The real harness: its executable, its Python SDK, and its /api, each in a home of the test's own."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

VENV = Path(os.environ["FANSEEK_DSH_VENV"])
DSH = str(VENV / "bin" / "dsh")
PYTHON = str(VENV / "bin" / "python")
FANSEEK = [sys.executable, "-m", "fanseek"]
LIMIT_S = 180
"""Liveness only: a machine that does other things is slow."""

INHERITED = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR")


def environment(home: Path, own: Mapping[str, str] | None = None) -> dict[str, str]:
    kept = {name: os.environ[name] for name in INHERITED if name in os.environ}
    quiet = {"DSH_TELEMETRY_DISABLED": "1", "DEEPSEEK_API_KEY": "sk-of-the-model", "DSH_HOME": str(home)}
    return {**kept, **quiet, **(own or {})}


def run(
    *command: str, home: Path, own: Mapping[str, str] | None = None, typed: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment(home, own),
        cwd=home,
        timeout=LIMIT_S,
        check=False,
    )


def fanseek(home: Path, *arguments: str, ok: bool = True, **rest: Any) -> subprocess.CompletedProcess[str]:
    """`fanseek dsh …` against that home."""
    ran = run(*FANSEEK, "dsh", *arguments, home=home, **rest)
    assert not ok or ran.returncode == 0, ran.stdout + ran.stderr
    return ran


def headless(home: Path, model: str, own: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return run(DSH, "headless", "look it up", home=home, own={"DEEPSEEK_BASE_URL": model, **(own or {})})


TURNS = """
import json, sys
from deepseek_harness import DeepSeekHarness
home, model, turns = sys.argv[1], sys.argv[2], int(sys.argv[3])
with DeepSeekHarness(profile="sdk", dsh_home=home, cwd=home, base_url=model, api_key="sk-of-the-model") as harness:
    session = harness.start_session()
    for turn in range(turns):
        print(json.dumps(session.run(f"turn {turn}").final_response), flush=True)
"""


def sdk(home: Path, model: str, turns: int = 1, own: Mapping[str, str] | None = None) -> list[str]:
    """The last words of each turn of one SDK process."""
    ran = run(PYTHON, "-c", TURNS, str(home), model, str(turns), home=home, own=own)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


class Web:
    """`dsh web` and what a browser would send to it."""

    def __init__(self, base: str, cookie: str) -> None:
        self.base = base
        self.cookie = cookie

    def send(
        self, method: str, path: str, body: Any = None, headers: Mapping[str, str] | None = None, *, cookie: bool = True
    ) -> tuple[int, Any]:
        """Status and body, which is decoded where it is JSON."""
        own = {"Content-Type": "application/json"} if body is not None else {}
        own |= {"Cookie": self.cookie} if cookie else {}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {**own, **(headers or {})}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=LIMIT_S) as reply:
                return reply.status, _decoded(reply.read())
        except urllib.error.HTTPError as problem:
            return problem.code, _decoded(problem.read())

    def call(self, method: str, **arguments: Any) -> dict[str, Any]:
        """The result of one of the harness's own remote methods."""
        message = {"type": "client-request", "rpcId": "1", "method": method, "payload": {"args": arguments}}
        status, reply = self.send("POST", f"/api/{method}", message)
        assert status == 200, reply
        return reply["result"]

    def settings(self, ns: str = "unified-search") -> dict[str, Any]:
        views = self.call("settings/describe")["value"]["namespaces"]
        return next(view for view in views if view["ns"] == ns)

    def change(self, *ops: dict[str, Any], ns: str = "unified-search", revision: int | None = None) -> dict[str, Any]:
        expected = {} if revision is None else {"expectedRevision": revision}
        return self.call("settings/mutate", ns=ns, ops=list(ops), **expected)

    def prompt(self, folder: Path, text: str) -> str:
        """Begin a session and say `text` in it; its id."""
        session = self.call("session/create", request={"cwd": str(folder)})["value"]["sessionId"]
        content = [{"type": "text", "text": text}]
        asked = {"requestId": secrets.token_hex(8), "sessionId": session, "mode": "queue", "content": content}
        told = self.call("session/prompt", request=asked)
        assert told["ok"], told
        return session


def _decoded(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", errors="replace")


@contextmanager
def web(home: Path, own: Mapping[str, str] | None = None) -> Iterator[Web]:
    log = home.parent / f"web-{secrets.token_hex(4)}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [DSH, "web", "--no-open", "--port", "0"],
            stdout=out,
            stderr=subprocess.STDOUT,
            env=environment(home, own),
            cwd=home,
        )
    try:
        printed = until(lambda: re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", log.read_text(encoding="utf-8")))
        opener = urllib.request.build_opener(_Stay)
        with opener.open(printed[0], timeout=LIMIT_S) as reply:
            cookie = reply.headers["set-cookie"].partition(";")[0]
        yield Web(printed[0].partition("/?")[0], cookie)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT_S)


class _Stay(urllib.request.HTTPRedirectHandler):
    """Takes a redirect as the answer."""

    def http_error_303(self, _request: Any, reply: Any, *_: Any) -> Any:
        return reply


def until(look: Callable[[], Any], limit_s: float = LIMIT_S) -> Any:
    """What `look` finds, as soon as it finds something."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.05)
    raise AssertionError(f"nothing came of it in {limit_s} s")
