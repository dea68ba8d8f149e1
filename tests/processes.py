"""The command `fanseek` in a process of its own, watched from a test."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

CANARY = "CANARY-7f3a9c"
"""Stands in every variable that looks like a key; must never be seen again."""

PATIENCE_S = 60


class Ran(msgspec.Struct, frozen=True):
    """How a process ended."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode("utf-8")

    @property
    def said(self) -> str:
        return self.err.decode("utf-8")

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.out)


Command = Callable[..., Ran]


class Screen:
    """The command on a pseudo-terminal; both of its outputs are that terminal unless told otherwise."""

    def __init__(
        self, args: tuple[str, ...], environment: Mapping[str, str], *, piped: tuple[str, ...] = (), columns: int = 0
    ) -> None:
        import pty
        import termios

        self._leader, follower = pty.openpty()
        if columns:
            termios.tcsetwinsize(follower, (50, columns))
        streams = {name: subprocess.PIPE if name in piped else follower for name in ("stdout", "stderr")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fanseek", *args], env=environment, stdin=follower, **streams, start_new_session=True
        )
        os.close(follower)
        self.seen = b""

    def read(self) -> Screen:
        """Everything up to the command's end."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and self._more(0.2):
            pass
        return self

    def read_until(self, sign: bytes) -> Screen:
        until = time.monotonic() + PATIENCE_S
        while sign not in self.seen and time.monotonic() < until and self._more(0.2):
            pass
        assert sign in self.seen, self.seen
        return self

    def _more(self, patience_s: float) -> bool:
        ready, _, _ = select.select([self._leader], [], [], patience_s)
        if not ready:
            return self.process.poll() is None
        try:
            chunk = os.read(self._leader, 65_536)
        except OSError:
            return False
        self.seen += chunk
        return bool(chunk)

    def close(self) -> None:
        with suppress(OSError):
            os.close(self._leader)
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        for stream in (self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        self.process.wait()
