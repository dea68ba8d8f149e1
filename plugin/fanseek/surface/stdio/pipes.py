"""Standard input and output, kept for the protocol alone: nothing else in this process can reach them any more."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

import msgspec

from fanseek.errors import UsageError

_NAMES = ("standard input", "standard output", "standard error")


class Pipes(msgspec.Struct, frozen=True):
    """File descriptors: what the other side says, and what it is told."""

    source: int
    sink: int


def claimed() -> Pipes:
    """The pipes this process was started with, moved to where nobody looks for them.

    What anything prints from now on, a child process included, goes to standard error, and whoever reads standard
    input finds it empty. Raises UsageError where one of the two is closed.
    """
    for number in (0, 1):
        if not _is_open(number):
            raise UsageError(f"{_NAMES[number]} is closed: a host talks to this command through it")
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    nowhere = os.open(os.devnull, os.O_RDWR)
    if nowhere == 2:  # it has taken the place of a closed standard error
        os.set_inheritable(2, True)
    pipes = Pipes(os.dup(0), os.dup(1))
    os.dup2(nowhere, 0)
    os.dup2(2, 1)
    if nowhere > 2:
        os.close(nowhere)
    if sys.stderr is not None:
        sys.stdout = sys.stderr
    return pipes


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
