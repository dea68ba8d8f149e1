"""What a search runs on: versions, files, folders, proxies, the clock."""

from __future__ import annotations

import os
import platform
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from fanseek.config.dirs import user_home
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend
from fanseek.errors import ConfigError
from fanseek.guard.key_file import KeyFile
from fanseek.surface.doctor.report import Finding, finding
from fanseek.surface.doctor.ways import Ways
from fanseek.text.clean import plain

PACKAGE = "fanseek"
EXTRA = re.compile(r"extra\s*==\s*['\"](\w+)['\"]")
NEED = re.compile(r"([A-Za-z0-9._-]+)(?:\[([^\]]*)\])?")
FOR_TESTS = frozenset({"testing"})

HARNESS = "DSH_HOME"
HARNESS_S = 30
"""The harness gives a whole search so many seconds."""


def versions() -> Iterator[Finding]:
    """Ours, Python's, and those of the packages in use."""
    system = f"{platform.system()} {platform.machine()}".strip()
    yield finding("versions", "fine", fanseek=version(PACKAGE), python=platform.python_version(), system=system)
    yield finding("packages", "fine", packages=", ".join(map(_versioned, _needed(PACKAGE, ""))))
    absent = []
    for extra in sorted({found[1] for line in requires(PACKAGE) or () if (found := EXTRA.search(line))} - FOR_TESTS):
        names = list(_needed(PACKAGE, extra))
        there = [name for name in names if _version(name)]
        if not there:
            absent.append(extra)
        elif len(there) == len(names):
            yield finding("extra", "fine", extra=extra, packages=", ".join(map(_versioned, there)))
        else:
            missing = ", ".join(name for name in names if name not in there)
            yield finding("extra.part", extra=extra, packages=", ".join(map(_versioned, there)), missing=missing)
    if absent:
        yield finding("extras.absent", extras=", ".join(absent))


def _needed(package: str, extra: str) -> Iterator[str]:
    """The packages that `package` needs for `extra`; those of an extra of another package in its place."""
    try:
        lines = requires(package) or ()
    except PackageNotFoundError:
        return
    for line in lines:
        found, need = EXTRA.search(line), NEED.match(line)
        if need and (found[1] if found else "") == extra:
            others = [name for one in (need[2] or "").split(",") if one for name in _needed(need[1], one.strip())]
            yield from others or [need[1]]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _versioned(name: str) -> str:
    return f"{name} {_version(name)}".strip()


def files(config: Path, *, read: bool, keys: KeyFile | None) -> Iterator[Finding]:
    """The config file, which was `read` or is not there, and the key file."""
    yield finding("config.file" if read else "config.none", "fine", path=homed(config))
    if read and os.name == "posix" and _mode(config) & 0o022:
        yield finding("config.open", "problem", path=homed(config))
    if keys is None:
        return
    try:
        held = keys.read()
    except ConfigError as problem:
        yield finding("keys.broken", "problem", message=homed(str(problem)))
        return
    code = "keys.file" if held or keys.path.exists() else "keys.none"
    yield finding(code, "fine", path=homed(keys.path), number=len(held))


def folders(places: Mapping[str, Path]) -> Iterator[Finding]:
    """Each folder by what it is for, and whether it can be written."""
    for what, path in places.items():
        why = unwritable(path)
        if why:
            yield finding(f"folder.{what}.unwritable", "problem", path=homed(path), message=why)
        else:
            yield finding(f"folder.{what}", "fine", path=homed(path))


def unwritable(folder: Path) -> str:
    """Why nothing can be kept in `folder`; empty when it can. A folder that is not there is not made."""
    try:
        place = next(place for place in (folder, *folder.parents) if place.exists())
        if not place.is_dir():
            return f"{homed(place)} is not a folder"
        if place != folder:
            return "" if os.access(place, os.W_OK | os.X_OK) else f"{homed(place)} can't be written"
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"\0" * 4096)
    except OSError as problem:
        return problem.strerror or type(problem).__name__
    return ""


def proxies(ways: Ways) -> Iterator[Finding]:
    """The proxies in effect, and those that are passed by."""
    for proxy in ways.proxies:
        if proxy.problem:
            yield finding("proxy.broken", "problem", message=proxy.problem)
        else:
            yield finding("proxy.used", "fine", proxy=proxy.shown, source=proxy.source)
    if not ways.proxies:
        yield finding("proxy.none", "fine")
    for proxy in ways.unused:
        yield finding("proxy.unused", proxy=proxy.shown, source=proxy.source)


def deadline(settings: Settings, environment: Mapping[str, str]) -> Iterator[Finding]:
    """A deadline that a harness would cut."""
    if environment.get(HARNESS, "").strip() and settings.deadline_ms >= HARNESS_S * 1000:
        yield finding("deadline.harness", "problem", seconds=HARNESS_S, ms=settings.deadline_ms)


def past_clock(now: float, backends: Mapping[str, AnyBackend]) -> Iterator[Finding]:
    """A clock from before this program was made."""
    made = max((backend.docs.checked for backend in backends.values()), default="")
    try:
        today = datetime.fromtimestamp(now, UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        today = ""
    if today < made:
        yield finding("clock.past", "problem", today=today or "-")


def homed(path: Path | str) -> str:
    """A path, or a sentence with paths in it, safe to show; the user's home is written ~."""
    text, home = plain(str(path)), str(user_home())
    return re.sub(rf"{re.escape(home)}(?=[/\\\s]|$)", "~", text) if len(home) > 1 else text


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except OSError:
        return 0
