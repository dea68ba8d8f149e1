"""Exit codes, and which error ends in which."""

from __future__ import annotations

from fanseek.errors import Aborted, AllFailed, BackendError, FanseekError, NothingUsable, UsageError

OK = 0
"""Results, or an honest nothing."""

FAILURE = 1
"""Something of ours broke: the output could not be written, say."""

USAGE = 2
NOTHING_USABLE = 3
ALL_FAILED = 4
PARTIAL = 5
"""Some backend failed, and `--strict` was given."""

INTERRUPTED = 130
"""Ended by SIGINT; by any other signal it is 128 plus the signal's number."""

CODES: dict[type[FanseekError], int] = {
    FanseekError: FAILURE,
    UsageError: USAGE,
    NothingUsable: NOTHING_USABLE,
    AllFailed: ALL_FAILED,
    BackendError: ALL_FAILED,
    Aborted: INTERRUPTED,
}


def code_of(error: FanseekError) -> int:
    """The exit code of the nearest class of `error` that has one."""
    return next(CODES[kind] for kind in type(error).__mro__ if kind in CODES)
