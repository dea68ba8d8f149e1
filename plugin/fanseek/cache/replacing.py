"""A file replaced whole: written aside under a name of its own and renamed, so that no reader ever sees half of it."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

RENAME_TRIES, RENAME_PAUSE_S = 10, 0.05
"""On Windows a reader or a virus scanner may hold the target for a moment."""

LEFT_OVER_S = 600.0
"""A file aside that is older than this belongs to a process that was killed, in seconds."""


def replace(target: Path, body: bytes, *, durable: bool = False) -> None:
    """Make `target` hold `body`; `durable` outlasts a power cut.

    Raises OSError, and then `target` is as it was and nothing is left beside it.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    aside = target.with_name(f".{target.stem}-{uuid4().hex}.part")
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(body)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        _rename(aside, target)
    finally:
        with suppress(OSError):
            aside.unlink()


def sweep(folder: Path, stem: str = "", *, older_than_s: float = LEFT_OVER_S) -> None:
    """Remove what killed processes have left aside of targets named `stem`, of all where that is empty."""
    first, latest = f".{stem}-" if stem else ".", time.time() - older_than_s
    with suppress(OSError), os.scandir(folder) as found:
        left = [file for file in found if file.name.startswith(first) and file.name.endswith(".part")]
        for file in left:
            with suppress(OSError):
                if file.stat().st_mtime <= latest:
                    Path(file).unlink()


def _rename(aside: Path, target: Path, platform: str = sys.platform) -> None:
    """Put `aside` in the place of `target`; where a moment's hold can prevent that, try for a moment."""
    tries = RENAME_TRIES if platform == "win32" else 1
    for left in range(tries - 1, -1, -1):
        try:
            aside.replace(target)
        except PermissionError:
            if not left:
                raise
            time.sleep(RENAME_PAUSE_S)
        else:
            return
