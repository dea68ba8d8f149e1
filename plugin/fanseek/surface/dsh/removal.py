"""Fanseek taken out of a profile: files nobody else has touched since become again what they were, byte for byte."""

from __future__ import annotations

import shutil
from pathlib import Path

from fanseek.surface.dsh import files, manifest, pnpm, receipt, rows
from fanseek.surface.dsh.profile import BUILT_IN, PROVIDER, ROW, WEB, Profile
from fanseek.surface.dsh.receipt import Receipt
from fanseek.surface.dsh.refusal import Refusal

PYTHON = ".python"
"""Under the harness's home in `fanseek`: the Python of our own, if one was made. No profile can be named so."""


def uninstall(profile: Profile, *, purge: bool = False) -> tuple[str, ...]:
    """Take it out; the files that somebody else has changed since, from which only what is ours was taken.

    `purge` removes cache, history and log too, which all profiles share. Raises Refusal and OSError.
    """
    before = receipt.read(profile)
    held = manifest.read(profile.manifest)
    if before is None and not held.listed and held.dependency is None and not profile.bundle.exists():
        raise Refusal("not-installed", profile=profile.name)
    touched = (profile.manifest, profile.patch, profile.folder / pnpm.LOCK)
    after = {path: restored(profile, path, before) for path in touched}
    changed = tuple(path.name for path in touched if _changed(path, before) and files.body(path) is not None)
    with files.all_or_nothing(*touched):
        if before is not None and before.way == "pnpm" and profile.bundle.exists() and pnpm.path():
            after = _after_pnpm(profile, before, after)
        for path, content in after.items():
            if files.body(path) != content:
                files.put(path, content)
    _clear(profile, before)
    if purge:
        shutil.rmtree(profile.websearch, ignore_errors=True)
    return changed


def restored(profile: Profile, path: Path, before: Receipt | None) -> bytes | None:
    """What the file is without us: its bytes before us where nobody has changed it since, else all but ours of now."""
    if before is not None:
        try:
            return before.was(path)
        except KeyError:
            pass
    now = files.body(path)
    if now is None or path.name == pnpm.LOCK:
        return now
    if path == profile.manifest:
        return manifest.Manifest(path, now).without_package()
    return _without_rows(path, now, before)


def _without_rows(path: Path, now: bytes, before: Receipt | None) -> bytes:
    """The list of patches without our row, and with another search provider where it names ours."""
    text = rows.Rows(path, now).without(ROW)
    own = rows.Rows(path, text.encode())
    if (own.config(WEB) or {}).get("searchProvider") == PROVIDER:
        text = own.with_config(WEB, {"searchProvider": former(path, before)})
    return text.encode("utf-8")


def former(path: Path, before: Receipt | None) -> str:
    """The search provider that the file named before us, else the harness's own."""
    kept = before.files.get(path.name) if before else None
    if kept is not None and kept.before:
        found = (rows.Rows(path, kept.before).config(WEB) or {}).get("searchProvider")
        if isinstance(found, str) and found != PROVIDER:
            return found
    return BUILT_IN


def _changed(path: Path, before: Receipt | None) -> bool:
    kept = before.files.get(path.name) if before else None
    return kept is None or receipt.digest(files.body(path)) != kept.after


def _after_pnpm(profile: Profile, before: Receipt, after: dict[Path, bytes | None]) -> dict[Path, bytes | None]:
    """Taken out by pnpm, also from a lock file that others have changed since; one they have not is put back whole."""
    lock = profile.folder / pnpm.LOCK
    touched = _changed(lock, before)
    pnpm.remove(profile)
    return {path: content for path, content in after.items() if not (touched and path == lock)}


def _clear(profile: Profile, before: Receipt | None) -> None:
    files.remove(profile.bundle)
    if before is not None and before.made_modules:
        _without_pnpm(profile.modules)
        files.remove_if_empty(profile.modules)
    files.remove(profile.own)
    top = profile.home / "fanseek"
    if top.is_dir() and {one.name for one in top.iterdir()} <= {PYTHON}:
        files.remove(top)


def _without_pnpm(modules: Path) -> None:
    """Where pnpm has left nothing but its own notes, these go too."""
    if modules.is_dir() and all(one.name.startswith(".") for one in modules.iterdir()):
        shutil.rmtree(modules)
