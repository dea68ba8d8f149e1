"""The harness's own command, where it can be found: what it makes of a profile, and whether its page loads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from threading import Timer

from fanseek.surface.dsh.profile import Profile
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.rows import Rows

LIMIT_S = 60.0
BOOT_S, AFTER_S = 40.0, 4.0
"""The most its start may take, and how long after it is listened to, in seconds."""

STRANGERS = ("workspace-controller",)
"""Entries of the harness whose failure leaves its page blank."""


def command(given: str | None, environment: Mapping[str, str]) -> str | None:
    """The one `given`, else the one on PATH, else one beside this Python. Raises Refusal where the given is none."""
    beside = Path(sys.executable).with_name("dsh.exe" if os.name == "nt" else "dsh")
    if given is not None:
        found = shutil.which(given, path=environment.get("PATH"))
        if found is None:
            raise Refusal("no-harness", command=given)
        return found
    return shutil.which("dsh", path=environment.get("PATH")) or (str(beside) if beside.is_file() else None)


def composed(dsh: str, profile: Profile, environment: Mapping[str, str]) -> tuple[Rows, str]:
    """The rows the harness loads, and what it complains of. Raises Refusal."""
    try:
        ran = subprocess.run(  # noqa: S603
            [dsh, "--profile", profile.name, "--dump-config"],
            capture_output=True,
            env={**environment, "DSH_HOME": str(profile.home)},
            timeout=LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        raise Refusal("harness-failed", message=type(problem).__name__) from None
    said = ran.stderr.decode("utf-8", errors="replace").strip()
    if ran.returncode:
        raise Refusal("harness-failed", message=(said.splitlines() or ["-"])[-1][:300])
    return Rows(Path("dump-config"), ran.stdout), said


def blank_page(dsh: str, environment: Mapping[str, str]) -> bool | None:
    """Whether its page fails to load, without any plugin: tried in a home of its own; None where it didn't start."""
    with tempfile.TemporaryDirectory(prefix="fanseek-", ignore_cleanup_errors=True) as home:
        own = {**environment, "DSH_HOME": home, "DSH_TELEMETRY_DISABLED": "1"}
        try:
            process = subprocess.Popen(  # noqa: S603
                [dsh, "web", "--no-open", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=own
            )
        except OSError:
            return None
        with process:
            clocks = [_killed_after(process, BOOT_S)]
            try:
                return _complains(process, clocks)
            finally:
                for clock in clocks:
                    clock.cancel()
                process.kill()


def _complains(process: subprocess.Popen[bytes], clocks: list[Timer]) -> bool | None:
    """Whether one of those entries fails; it would say so before its address or soon after."""
    started = False
    for line in process.stdout or ():
        text = line.decode("utf-8", errors="replace")
        if any(text.startswith(f"{name} (") for name in STRANGERS):
            return True
        if not started and text.startswith("dsh web: http"):
            started = True
            clocks.append(_killed_after(process, AFTER_S))
    return False if started else None


def _killed_after(process: subprocess.Popen[bytes], seconds: float) -> Timer:
    clock = Timer(seconds, process.kill)
    clock.daemon = True
    clock.start()
    return clock
