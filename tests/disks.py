"""Disks that refuse: full ones and read-only ones, as real as the user who runs the tests may make them."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec


class Disk(msgspec.Struct, frozen=True):
    """A folder, and what a process must do first for it to refuse."""

    folder: Path
    first: Callable[[], None] | None = None


@contextmanager
def full(place: Path) -> Iterator[Disk]:
    """A disk without a free byte: a small one that is filled up; where none may be mounted, no file may grow."""
    with _mounted(place, "size=64k") as mounted:
        if mounted:
            _fill(place / "filler")
            yield Disk(place)
        else:
            yield Disk(place, no_file_may_grow)


@contextmanager
def limited(place: Path) -> Iterator[Disk]:
    """A disk on which files can be made and nothing be written to them."""
    place.mkdir()
    yield Disk(place, no_file_may_grow)


@contextmanager
def read_only(place: Path) -> Iterator[Disk]:
    """A disk that may not be changed: mounted so; where that is not allowed, a folder whose mode says so."""
    with _mounted(place, "ro,size=64k") as mounted:
        if mounted:
            yield Disk(place)
        elif os.geteuid() == 0:
            yield Disk(Path("/proc"))
        else:
            place.chmod(0o500)
            yield Disk(place)
            place.chmod(0o700)


def no_file_may_grow() -> None:
    """For a child process: writing to a file fails (EFBIG)."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


@contextmanager
def _mounted(place: Path, options: str) -> Iterator[bool]:
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    try:
        yield mounted
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(place)], check=True)


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        for size in (4096, 1):
            with suppress(OSError):
                while file.write(b"x" * size):
                    pass
        try:
            file.write(b"x")
        except OSError as problem:
            assert problem.errno == errno.ENOSPC  # noqa: PT017 - what the disk must say
