"""Time zones by their IANA names, as far as this machine knows them."""

from __future__ import annotations

from datetime import tzinfo


def zone_named(name: str) -> tzinfo | None:
    """The zone called `name`; None for one this machine does not know."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return None


def fault_of_zone(name: str) -> str:
    """What is wrong with the name of a zone; empty when nothing is, or when there is none."""
    if not name or zone_named(name) is not None:
        return ""
    return "must be a time zone such as Asia/Shanghai that this machine knows, or empty for the machine's own"
