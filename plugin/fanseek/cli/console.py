"""Writing to standard output and error: UTF-8 when piped, what the terminal can show otherwise, never an exception."""

from __future__ import annotations

import os
import sys
from typing import TextIO

from fanseek.cli import exits

NARROW = 80
"""Columns of a terminal that doesn't say."""


def write(text: str) -> int:
    """`text` to standard output at once and whole; the exit code, FAILURE where it could not be written.

    A reader that went away is not a failure.
    """
    stream = sys.stdout
    if stream is None:
        return exits.OK
    try:
        _put(stream, text)
    except BrokenPipeError:
        _discard(stream)
    except OSError as problem:
        _discard(stream)
        complain(f"the output could not be written: {problem.strerror or type(problem).__name__}")
        return exits.FAILURE
    return exits.OK


def complain(text: str) -> None:
    """One message on standard error, as safe to show as results are."""
    from fanseek.text.clean import plain

    whisper(f"fanseek: {plain(text)}\n")


def whisper(text: str) -> None:
    """`text` on standard error, where there is one."""
    if sys.stderr is None:
        return
    try:
        _put(sys.stderr, text)
    except OSError:
        _discard(sys.stderr)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at `stream`."""
    try:
        return stream is not None and stream.isatty()
    except (ValueError, OSError):
        return False


def columns(stream: TextIO | None) -> int:
    """How wide the terminal behind `stream` is."""
    try:
        return os.get_terminal_size(stream.fileno()).columns or NARROW if stream else NARROW
    except (OSError, ValueError, AttributeError):
        return NARROW


def _put(stream: TextIO, text: str) -> None:
    from fanseek.surface.encoding import encodable

    stream.flush()
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
    elif is_terminal(stream):
        encoding = stream.encoding or "ascii"
        buffer.write(encodable(text, encoding).encode(encoding, errors="replace"))
    else:
        buffer.write(text.encode("utf-8", errors="replace"))
    stream.flush()


def _discard(stream: TextIO) -> None:
    """Let what is left in the buffer go nowhere, so that the interpreter's last flush is quiet."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return
