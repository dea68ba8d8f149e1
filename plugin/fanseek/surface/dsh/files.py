"""Files of a profile, read whole and replaced whole; their permissions stay."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from fanseek.cache.replacing import replace


def body(path: Path) -> bytes | None:
    """What it holds; None where there is no such file."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def put(path: Path, new: bytes | None) -> None:
    """Make `path` hold `new`, or be gone. A link stays one."""
    target = Path(os.path.realpath(path))
    if new is None:
        target.unlink(missing_ok=True)
        return
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o644
    replace(target, new, durable=True)
    target.chmod(mode)


@contextmanager
def all_or_nothing(*paths: Path) -> Iterator[None]:
    """Whatever fails in the block, these files are afterwards what they were before."""
    before = {path: body(path) for path in paths}
    try:
        yield
    except BaseException:
        for path, was in before.items():
            with suppress(OSError):
                if body(path) != was:
                    put(path, was)
        raise


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make `folder` hold these files and nothing else, changed from one moment to the next."""
    aside = folder.with_name(f".{folder.name}-{uuid4().hex}")
    try:
        for name, content in files.items():
            target = aside / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        exchange(aside, folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def exchange(new: Path, folder: Path) -> None:
    """Put the folder `new` in the place of `folder`; where that fails, the old one is still there."""
    old = folder.with_name(f".{folder.name}-{uuid4().hex}.old")
    if folder.is_symlink():
        folder.unlink()
    try:
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    except OSError:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    finally:
        shutil.rmtree(old, ignore_errors=True)


def remove(folder: Path) -> None:
    """Remove `folder` with all it holds; a link to a folder, not the folder."""
    if folder.is_symlink():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)


def remove_if_empty(folder: Path) -> None:
    """Remove `folder` where it holds nothing."""
    with suppress(OSError):
        folder.rmdir()
