"""One key put into the harness's credential store, under the lock that the harness itself takes for that."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fanseek.cache.replacing import replace
from fanseek.surface.dsh.credentials import FILE
from fanseek.surface.dsh.files import body
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.scalars import bare, in_lines, quoted

WAIT_S, PAUSE_S = 10.0, 0.05


def keep(home: Path, name: str, key: str | None) -> Path:
    """Store `key` under `name`, or take it out where it is None; the file. Raises Refusal and OSError."""
    place = home / FILE
    with _locked(place):
        try:
            text = (body(place) or b"").decode("utf-8")
        except UnicodeDecodeError:
            raise Refusal("unreadable", file=place, message="no UTF-8") from None
        replace(place, _edited(text, name, key).encode("utf-8"), durable=True)
    return place


def _edited(text: str, name: str, key: str | None) -> str:
    lines = in_lines(text) or ["version: 1\n"]
    if not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    start = next((number for number, line in enumerate(lines) if re.match(r"refs\s*:", line)), None)
    if start is None:
        lines.append("refs:\n")
        start = len(lines) - 1
    elif bare(lines[start].partition(":")[2]) not in {"", "{}"}:
        raise Refusal("broken-rows", file=FILE, line=start + 1)
    end = next((number for number in range(start + 1, len(lines)) if re.match(r"[^\s#]", lines[number])), len(lines))
    entries = [line for line in lines[start + 1 : end] if not re.match(rf"\s+[\"']?{re.escape(name)}[\"']?\s*:", line)]
    indent = next((match[1] for line in entries if (match := re.match(r"( +)[^\s#]", line))), "  ")
    if key is not None:
        entries.append(f"{indent}{name}: {quoted(key)}\n")
    has_any = any(re.match(r"\s+[^\s#]", line) for line in entries)
    return "".join([*lines[:start], "refs:\n" if has_any else "refs: {}\n", *entries, *lines[end:]])


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """The file `<place>.lock`, made by whoever writes and removed after. Raises Refusal where it stays."""
    lock, until = place.with_name(f"{place.name}.lock"), time.monotonic() + WAIT_S
    while True:
        try:
            with os.fdopen(os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
                file.write(f"{os.getpid()}\n")
            break
        except FileExistsError:
            if time.monotonic() > until:
                raise Refusal("locked", file=lock) from None
            time.sleep(PAUSE_S)
    try:
        yield
    finally:
        with suppress(OSError):
            lock.unlink()
