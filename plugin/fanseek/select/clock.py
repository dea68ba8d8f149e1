"""What time it is for a search: taken once, where the user is."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from fanseek.config.zones import zone_named
from fanseek.types import Clock


def here(clock: Clock | None, zone: str) -> datetime | None:
    """The time by `clock` in `zone`, by name, or in the machine's own; None for a clock that shows none."""
    with suppress(ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(clock(), UTC).astimezone(zone_named(zone) if zone else None) if clock else None
    return None
