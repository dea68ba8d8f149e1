"""Unix time as a date and time, in UTC."""

from __future__ import annotations

from datetime import UTC, datetime


def instant(unix_s: float) -> datetime | None:
    """The moment, to the second; None for a number that is no time of this calendar."""
    try:
        return datetime.fromtimestamp(unix_s, UTC).replace(microsecond=0)
    except (ValueError, OverflowError, OSError):
        return None


def iso(unix_s: float) -> str:
    """The moment as ISO 8601, `2026-11-30T12:00:00Z`; `an unknown time` for a number that is none."""
    found = instant(unix_s)
    return f"{found:%Y-%m-%dT%H:%M:%SZ}" if found else "an unknown time"
