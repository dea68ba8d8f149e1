"""The worker as a command speaks to it: one request, and the process is over."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from threading import Timer
from typing import IO, Any

from fanseek.surface.dsh.refusal import Refusal

PROTOCOL = 1
HELLO = {"protocol": PROTOCOL, "client": {"name": "fanseek dsh", "version": "1"}}
START_S = 60.0
"""The most a first start may take, in seconds; a virus scanner may read every file of it."""

KEPT = frozenset(
    {
        *("PATH", "HOME", "TMP", "TEMP", "TMPDIR", "SYSTEMROOT", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PATHEXT"),
        *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "SSL_CERT_FILE", "SSL_CERT_DIR"),
    }
)


def environment(whole: Mapping[str, str]) -> dict[str, str]:
    """What the harness's half gives a worker of it (bundles/dsh/shim/environment.js)."""
    kept = {name: value for name, value in whole.items() if name.upper() in KEPT or name.upper().endswith("_PROXY")}
    return {**kept, "PYTHONUTF8": "1", "PYTHONSAFEPATH": "1"}


def asked(python: str, method: str, params: Mapping[str, Any], *, timeout_s: float = START_S) -> Any:
    """The result of one request. Raises Refusal, which says what the worker said."""
    reply = _spoken(python, [("initialize", HELLO), (method, params)], timeout_s)[1]
    if reply.get("error") is not None:
        raise Refusal("worker-error", message=_message(reply["error"]))
    return reply.get("result")


def greeted(python: str) -> dict[str, Any]:
    """What the worker of that Python says of itself. Raises Refusal where it is none of ours."""
    found = _spoken(python, [("initialize", HELLO)], START_S)[0]
    result = found.get("result")
    if not isinstance(result, dict):
        raise Refusal("worker-error", message=_message(found.get("error")))
    if result.get("protocol") != PROTOCOL:
        raise Refusal("worker-protocol", python=python, theirs=result.get("protocol"), ours=PROTOCOL)
    return result


def _spoken(python: str, requests: list[tuple[str, Mapping[str, Any]]], timeout_s: float) -> list[dict[str, Any]]:
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        for number, (method, params) in enumerate(requests)
    ]
    with tempfile.TemporaryFile() as words, _started(python, words) as process:
        try:
            return _exchanged(process, lines, timeout_s)
        except EOFError:
            process.wait()
            words.seek(0)
            raise Refusal("worker-ended", python=python, message=_last(words.read())) from None
        finally:
            process.kill()
            with suppress(OSError):
                if process.stdin:
                    process.stdin.close()


def _started(python: str, words: IO[bytes]) -> subprocess.Popen[bytes]:
    command, pipe = [python, "-m", "fanseek", "worker"], subprocess.PIPE
    try:
        return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=words, env=environment(os.environ))  # noqa: S603
    except (OSError, ValueError) as problem:
        why = getattr(problem, "strerror", None) or type(problem).__name__
        raise Refusal("no-python", python=python, message=why) from None


def _exchanged(process: subprocess.Popen[bytes], lines: list[str], timeout_s: float) -> list[dict[str, Any]]:
    """The reply to each line; raises EOFError where one is missing. Its input stays open: its end would be its own."""
    replies: dict[int, dict[str, Any]] = {}
    clock = Timer(timeout_s, process.kill)
    clock.start()
    with suppress(OSError):
        if process.stdin and process.stdout:
            process.stdin.write("".join(f"{line}\n" for line in lines).encode("utf-8"))
            process.stdin.flush()
            while len(replies) < len(lines) and (line := process.stdout.readline()):
                reply = _read(line)
                if isinstance(reply.get("id"), int):
                    replies[reply["id"]] = reply
    clock.cancel()
    if len(replies) < len(lines):
        process.kill()
        raise EOFError
    return [replies[number] for number in range(len(lines))]


def _read(line: bytes) -> dict[str, Any]:
    try:
        reply = json.loads(line)
    except ValueError:
        return {}
    return reply if isinstance(reply, dict) else {}


def _last(words: bytes) -> str:
    """The last line of what it had to say."""
    return (words.decode("utf-8", errors="replace").strip().splitlines() or ["-"])[-1][:300]


def _message(error: Any) -> str:
    return str(error.get("message", "-")) if isinstance(error, dict) else "-"
