"""Who has answered so far, on one line of a terminal that is redrawn and at the end wiped. Carriage returns only."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fanseek.catalogue import said
from fanseek.cli.console import columns, is_terminal, whisper
from fanseek.cli.tongue import before_settings
from fanseek.surface.health import health
from fanseek.telemetry import CallEnded, Event, SearchEnded, SearchStarted
from fanseek.text.clean import plain
from fanseek.text.columns import fitted, padded, width
from fanseek.types import Outcome

if TYPE_CHECKING:
    from fanseek.catalogue import Lang
    from fanseek.catalogue.language import Choice


def progress(environment: Mapping[str, str], asked: Choice | None = None) -> Progress | None:
    """A progress line where standard error is a terminal that can redraw one; `asked` is the language asked for."""
    dumb = environment.get("TERM", "").lower() == "dumb"
    if dumb or not is_terminal(sys.stderr):
        return None
    return Progress(before_settings(asked, environment, sys.stderr))


class Progress:
    """Listens to a search and draws it. Uses no colour and no escape sequence."""

    def __init__(self, lang: Lang) -> None:
        self._lang = lang
        self._parts: dict[str, str] = {}
        self._drawn = 0

    def __call__(self, event: Event) -> None:
        """Take note of `event` and redraw."""
        if isinstance(event, SearchStarted):
            self.begin(event.backends)
        elif isinstance(event, CallEnded):
            self.note(event.outcome)
        elif isinstance(event, SearchEnded):
            self.clear()

    def begin(self, backends: Sequence[str]) -> None:
        """These are asked now."""
        self._parts = {name: f"{plain(name)} …" for name in backends}
        self._draw()

    def note(self, outcome: Outcome) -> None:
        """A backend has answered or failed."""
        self._parts[outcome.backend] = health(outcome, self._lang)
        self._draw()

    def clear(self) -> None:
        """Wipe the line."""
        if self._drawn:
            whisper("\r" + " " * self._drawn + "\r")
            self._drawn = 0

    def _draw(self) -> None:
        line = said(self._lang, "health.asking", backends=" · ".join(self._parts.values()))
        line = fitted(line, columns(sys.stderr) - 1)
        whisper("\r" + padded(line, self._drawn))
        self._drawn = max(self._drawn, width(line))
