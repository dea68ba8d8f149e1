"""A lock between processes and threads, on a file that is there for nothing else and is never replaced."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _release(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _release(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


PAUSE_S = 0.002
"""Between two tries, in seconds."""

BUSY = frozenset({errno.EAGAIN, errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK})
UNKNOWN = frozenset({errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL})
"""What a file system says that has no locks."""


@contextmanager
def locked(path: Path, patience_s: float) -> Iterator[bool]:
    """`path` held, waited for `patience_s` seconds at most; False where the file system has no locks.

    Raises TimeoutError when another holds it for longer, and OSError when the file can't be opened.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        held = _waited(descriptor, path, time.monotonic() + patience_s)
        try:
            yield held
        finally:
            if held:
                _release(descriptor)
    finally:
        os.close(descriptor)


def _waited(descriptor: int, path: Path, until: float) -> bool:
    while True:
        try:
            _take(descriptor)
        except OSError as problem:
            if problem.errno in UNKNOWN:
                return False
            if problem.errno not in BUSY:
                raise
        else:
            return True
        if time.monotonic() >= until:
            raise TimeoutError(errno.ETIMEDOUT, "another process holds it", str(path))
        time.sleep(PAUSE_S)
