"""How far this machine's clock is from those of the services, by the Date of their answers."""

from __future__ import annotations

from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from statistics import median

from fanseek.contract import Response
from fanseek.surface.doctor.report import Finding, finding
from fanseek.types import Clock

TOLERANCE_S = 120.0
"""From here on certificates, signatures and dates begin to suffer."""


class Skew:
    """Hears responses and compares."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: list[float] = []

    def hear(self, response: Response) -> None:
        """Take note of when `response` was made by its sender's clock."""
        try:
            made = parsedate_to_datetime(response.headers["date"]).timestamp()
        except (KeyError, ValueError, TypeError, OverflowError, OSError):
            return
        self._seen.append(self._clock() - made)

    def findings(self) -> Iterator[Finding]:
        """A clock that is off. The median counts: one sender's clock may be off, too."""
        off = median(self._seen) if self._seen else 0.0
        if abs(off) >= TOLERANCE_S:
            yield finding("clock.ahead" if off > 0 else "clock.behind", "problem", minutes=round(abs(off) / 60))
