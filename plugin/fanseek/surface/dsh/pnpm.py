"""pnpm, where a profile's packages are its own: it takes out what it doesn't know of, so it has to know of ours."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from fanseek.surface.dsh.profile import PACKAGE, Profile
from fanseek.surface.dsh.refusal import Refusal

TRACES = ("pnpm-lock.yaml", "node_modules/.modules.yaml")
LOCK = "pnpm-lock.yaml"
LIMIT_S = 300.0


def manages(profile: Profile) -> bool:
    """Whether it has put packages into this profile."""
    return any((profile.folder / trace).exists() for trace in TRACES)


def path() -> str | None:
    """The command; None where there is none."""
    return shutil.which("pnpm")


def add(profile: Profile, source: Path) -> None:
    """Have our package put in from that folder. Raises Refusal."""
    _run(profile, "add", f"file:{source}", "--prefer-offline")


def remove(profile: Profile) -> None:
    """Have our package taken out. Raises Refusal."""
    _run(profile, "remove", PACKAGE)


def _run(profile: Profile, *arguments: str) -> None:
    command = path()
    if command is None:
        raise Refusal("no-pnpm")
    whole = [command, "--dir", str(profile.folder), *arguments, "--reporter=append-only"]
    try:
        ran = subprocess.run(  # noqa: S603
            whole, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False, timeout=LIMIT_S
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Refusal("pnpm-failed", command=arguments[0], message=type(problem).__name__) from None
    if ran.returncode:
        said = [line.strip() for line in (ran.stderr + ran.stdout).splitlines() if line.strip()]
        why = next((line for line in said if "ERR" in line), said[-1] if said else str(ran.returncode))
        raise Refusal("pnpm-failed", command=arguments[0], message=why[:300])
