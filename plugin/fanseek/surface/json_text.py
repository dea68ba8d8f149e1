"""A search result as JSON text that is safe to print: every character a terminal could act on is escaped."""

from __future__ import annotations

import json
import re
from typing import Any

_OTHERS = re.compile(r"[^\x00-\x7e]+")


def as_json(value: Any) -> str:
    """`value` as indented JSON; printable characters as they are, all others as escapes of the same meaning."""
    return _OTHERS.sub(_escaped, json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)) + "\n"


def _escaped(found: re.Match[str]) -> str:
    run = found[0]
    return run if run.isprintable() else "".join(one if one.isprintable() else _escape(one) for one in run)


def _escape(character: str) -> str:
    return json.dumps(character)[1:-1] if character != "\x7f" else "\\u007f"
