"""A talk with the command `fanseek` over its standard input and output, line by line."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from queue import Empty, SimpleQueue
from typing import Any, Self

import msgspec

from processes import CANARY, PATIENCE_S


class Conversation:
    """A process of its own. Every line it writes must be JSON-RPC, and nothing it writes may hold the canary."""

    def __init__(self, *args: str, env: Mapping[str, str] | None = None, code: str = "") -> None:
        """`code` is Python to be run in place of the command; `args` are its arguments."""
        self.process = subprocess.Popen(
            [sys.executable, *(("-c", code) if code else ("-m", "fanseek")), *args],
            env=dict(os.environ if env is None else env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self.said = b""
        self._threads = [threading.Thread(target=one, daemon=True) for one in (self._read, self._drain)]
        for thread in self._threads:
            thread.start()
        self._last = 0
        self._heard: list[dict[str, Any]] = []

    def _read(self) -> None:
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(b"")

    def _drain(self) -> None:
        for line in self.process.stderr:
            self.said += line

    def say(self, raw: bytes) -> None:
        """These very bytes."""
        self.process.stdin.write(raw)
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        """A notification."""
        self.say(msgspec.json.encode({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n")

    def ask(self, method: str, /, **params: Any) -> int:
        """A request; its id."""
        self._last += 1
        whole = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": params}
        self.say(msgspec.json.encode(whole) + b"\n")
        return self._last

    def hear(self, patience_s: float = PATIENCE_S) -> dict[str, Any] | None:
        """The next message; None at the end."""
        try:
            line = self._lines.get(timeout=patience_s)
        except Empty:
            raise AssertionError(f"nothing was said in {patience_s} s; standard error: {self.said!r}") from None
        if not line:
            return None
        assert CANARY.encode() not in line
        assert line.endswith(b"\n"), line
        whole = msgspec.json.decode(line)
        assert whole["jsonrpc"] == "2.0"
        return whole

    def reply(self, id_: int | str | None) -> dict[str, Any]:
        """The answer to `id_`; what else is said until then is in `heard`."""
        for whole in self._heard:
            if "method" not in whole and whole["id"] == id_:
                self._heard.remove(whole)
                return whole
        while (whole := self.hear()) is not None:
            if "method" not in whole and whole["id"] == id_:
                return whole
            self._heard.append(whole)
        raise AssertionError(f"no answer to {id_!r}; standard error: {self.said!r}")

    def result(self, method: str, /, **params: Any) -> Any:
        """What a request is answered with."""
        whole = self.reply(self.ask(method, **params))
        assert "result" in whole, whole
        return whole["result"]

    def error(self, method: str, /, **params: Any) -> Any:
        """The error a request is answered with."""
        whole = self.reply(self.ask(method, **params))
        assert "error" in whole, whole
        return whole["error"]

    @property
    def heard(self) -> list[dict[str, Any]]:
        """What was said while answers were waited for, and not looked at yet."""
        found, self._heard = self._heard, []
        return found

    def end(self) -> int:
        """Close standard input; the exit code. What was still said is in `heard`."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        return self.ended()

    def ended(self) -> int:
        """Wait for the end; the exit code."""
        while (whole := self.hear()) is not None:
            self._heard.append(whole)
        code = self.process.wait(PATIENCE_S)
        for thread in self._threads:
            thread.join(PATIENCE_S)
        assert CANARY.encode() not in self.said
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                continue
