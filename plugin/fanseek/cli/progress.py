"""Who has answered so far, on one line of a terminal that is redrawn and at the end wiped. Carriage returns only."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from fanseek.cli.console import is_terminal, whisper
from fanseek.surface.health import health
from fanseek.telemetry import CallEnded, Event, SearchEnded, SearchStarted
from fanseek.text.clean import plain

NARROW = 80
"""Columns of a terminal that doesn't say."""


def progress(environment: Mapping[str, str]) -> Progress | None:
    """A progress line where standard error is a terminal that can redraw one."""
    dumb = environment.get("TERM", "").lower() == "dumb"
    return Progress() if is_terminal(sys.stderr) and not dumb else None


class Progress:
    """Listens to a search and draws it. Uses no colour and no escape sequence."""

    def __init__(self) -> None:
        self._parts: dict[str, str] = {}
        self._drawn = 0

    def __call__(self, event: Event) -> None:
        """Take note of `event` and redraw."""
        if isinstance(event, SearchStarted):
            self._parts = {name: f"{plain(name)} …" for name in event.backends}
        elif isinstance(event, CallEnded):
            self._parts[event.outcome.backend] = health(event.outcome)
        elif isinstance(event, SearchEnded):
            self.clear()
            return
        else:
            return
        self._draw(" · ".join(self._parts.values()))

    def clear(self) -> None:
        """Wipe the line."""
        if self._drawn:
            whisper("\r" + " " * self._drawn + "\r")
            self._drawn = 0

    def _draw(self, text: str) -> None:
        line = f"asking {text}"[: _columns() - 1]
        whisper("\r" + line.ljust(self._drawn))
        self._drawn = max(self._drawn, len(line))


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or NARROW
    except (OSError, ValueError, AttributeError):
        return NARROW
