"""Putting Fanseek into a profile from the command line: first the Python that will be started, then the files."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from fanseek.surface.dsh import installation, interpreter, receipt, worker
from fanseek.surface.dsh.profile import Profile
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.removal import PYTHON


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """What was done."""

    version: str
    python: str
    copied: bool
    """Whether the Python is a copy made to last."""


def placed(profile: Profile, environment: Mapping[str, str], *, python: str | None, upgrade: bool) -> Placed:
    """Put it in, or bring it up to date. The Python is tried before anything is touched. Raises Refusal and OSError."""
    import sys

    before = receipt.read(profile)
    if upgrade and before is None:
        raise Refusal("not-installed", profile=profile.name)
    copied = False
    if python is not None:
        chosen = interpreter.named(python)
    elif interpreter.disposable(environment):
        chosen, copied = interpreter.copy(profile.home / "fanseek" / PYTHON), True
    else:
        chosen = sys.executable
    worker.greeted(chosen)
    done = installation.install(profile, chosen)
    return Placed(version=done.version, python=done.python, copied=copied)
