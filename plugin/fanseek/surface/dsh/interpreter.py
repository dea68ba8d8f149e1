"""Which Python the harness is to start: this one, or a copy of it where this one won't last."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from fanseek.config.dirs import user_home
from fanseek.registry import GROUP
from fanseek.surface.dsh.refusal import Refusal

DISTRIBUTION = "fanseek"


def named(python: str) -> str:
    """The interpreter a person names, absolute; a link stays one, for it says which environment. Raises Refusal."""
    found = Path(python).expanduser()
    if found.parent == Path() and not found.exists() and (on_path := shutil.which(python)):
        found = Path(on_path)
    found = found.absolute()
    if not found.is_file():
        raise Refusal("no-python", python=found, message="no such file")
    if not os.access(found, os.X_OK):
        raise Refusal("no-python", python=found, message="not executable")
    return str(found)


def disposable(environment: Mapping[str, str], prefix: Path | None = None) -> bool:
    """Whether the environment this runs in is a tool's own copy, which may be swept away any day.

    uvx, pipx run and the like keep theirs under a cache or a temporary folder; an editable install is somebody's
    checkout, wherever it is.
    """
    place = Path(os.path.realpath(prefix or Path(sys.prefix)))
    return any(place.is_relative_to(one) for one in _caches(environment)) and not _editable()


def copy(target: Path) -> str:
    """Make an environment of this interpreter at `target` with Fanseek, what it needs, and its backends; its Python.

    It is copied, not downloaded: the same bytes, also without a network. Raises OSError.
    """
    import venv

    base = Path(getattr(sys, "_base_executable", sys.executable))
    aside = target.with_name(f"{target.name}.part")
    shutil.rmtree(aside, ignore_errors=True)
    try:
        builder = venv.EnvBuilder(with_pip=False, symlinks=os.name == "posix")
        builder.create(aside)
        site = Path(_site(aside))
        for distribution in _needed():
            _copied(distribution, site)
        shutil.rmtree(target, ignore_errors=True)
        aside.rename(target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    _said_of(target, base)
    return str(_python(target))


def _said_of(target: Path, base: Path) -> None:
    """Write down where the copy is from, for whoever finds it."""
    (target / "README").write_text(f"Python for Fanseek in DeepSeek Harness, a copy of {base}\n", encoding="utf-8")


def _python(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _site(environment: Path) -> str:
    import sysconfig

    scheme = "venv" if "venv" in sysconfig.get_scheme_names() else sysconfig.get_default_scheme()
    return sysconfig.get_path("purelib", scheme, vars={"base": str(environment), "platbase": str(environment)})


def _caches(environment: Mapping[str, str]) -> Iterator[Path]:
    """Folders whose contents may go at any time."""
    home = user_home()
    usual = [home / ".cache", home / "Library" / "Caches", Path(tempfile.gettempdir())]
    names = ("XDG_CACHE_HOME", "UV_CACHE_DIR", "TMPDIR", "TEMP", "TMP")
    if os.name == "nt" and environment.get("LOCALAPPDATA"):
        usual += [
            Path(environment["LOCALAPPDATA"]) / "uv" / "cache",
            Path(environment["LOCALAPPDATA"]) / "pipx" / "Cache",
        ]
    given = [Path(environment[name]) for name in names if environment.get(name, "").strip()]
    for one in [*usual, *given]:
        yield Path(os.path.realpath(one))


def _editable() -> bool:
    try:
        said = metadata.distribution(DISTRIBUTION).read_text("direct_url.json")
        return bool(said and json.loads(said).get("dir_info", {}).get("editable"))
    except (metadata.PackageNotFoundError, ValueError, AttributeError):
        return False


def _needed() -> Iterator[metadata.Distribution]:
    """Fanseek, the packages backends come from, and all they require that is installed."""
    names = [DISTRIBUTION]
    names += [one.dist.name for one in metadata.entry_points(group=GROUP) if one.dist]
    seen: set[str] = set()
    while names:
        name = names.pop()
        if name.lower() in seen:
            continue
        seen.add(name.lower())
        try:
            found = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # an extra that is not installed, or for another platform
        yield found
        names += [_required(one) for one in found.requires or []]


def _required(requirement: str) -> str:
    import re

    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    return found[0] if found else requirement


def _copied(distribution: metadata.Distribution, site: Path) -> None:
    for file in distribution.files or []:
        source = Path(str(distribution.locate_file(file)))
        if ".." in file.parts or file.suffix == ".pyc" or not source.is_file():
            continue  # scripts, which name the interpreter that goes
        target = site / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
