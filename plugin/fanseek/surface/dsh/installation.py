"""Fanseek put into a profile, selected, and brought up to date. All of it happens, or nothing."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Literal

from fanseek.surface.dsh import files, manifest, pnpm, receipt, rows
from fanseek.surface.dsh.contents import contents
from fanseek.surface.dsh.profile import PACKAGE, PROVIDER, WEB, Profile
from fanseek.surface.dsh.receipt import Kept, Receipt
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.removal import restored

Way = Literal["copy", "pnpm"]
USUAL_FETCH = "http"


def install(profile: Profile, python: str, way: Way | None = None) -> Receipt:
    """Put it in, or put it in anew. Raises Refusal, and OSError from writing; nothing is changed then."""
    from fanseek import __version__

    before = receipt.read(profile)
    way = way or _way(profile, before)
    held = manifest.read(profile.manifest)
    fetch = fetch_provider(profile, held)
    selecting = _selecting(profile)
    originals = {path.name: restored(profile, path, before) for path in _touched(profile)}
    made_modules = before.made_modules if before else not profile.modules.exists()
    new = contents(python=python, fetch_provider=fetch)
    source = profile.own / PACKAGE
    with files.all_or_nothing(*_touched(profile)), _kept_or_restored(profile):
        files.fill(source, new)
        if way == "pnpm":
            _by_pnpm(profile, source, new)
        else:
            profile.modules.mkdir(exist_ok=True)
            files.fill(profile.bundle, new)
        files.put(profile.manifest, manifest.read(profile.manifest).with_bundle(_dependency(profile, source, way)))
        if selecting is not None:
            files.put(profile.patch, selecting)
        kept = {
            path.name: Kept(before=originals[path.name], after=receipt.digest(files.body(path)))
            for path in _touched(profile)
        }
        whole = Receipt(
            version=__version__,
            way=way,
            python=python,
            fetch_provider=fetch,
            made_modules=made_modules,
            files=kept,
        )
        receipt.write(profile, whole)
    return whole


def fetch_provider(profile: Profile, held: manifest.Manifest) -> str:
    """The fetch provider the profile has: its own row's, else that of its last bundle with one, else the harness's."""
    own = rows.read(profile.patch).config(WEB) or {}
    if isinstance(own.get("fetchProvider"), str):
        return str(own["fetchProvider"])
    found = USUAL_FETCH
    for bundle in held.bundles:
        if bundle != PACKAGE:
            found = _fetch_of(profile.modules / bundle) or found
    return found


def _way(profile: Profile, before: Receipt | None) -> Way:
    if pnpm.manages(profile):
        if pnpm.path() is None:
            raise Refusal("no-pnpm")
        return "pnpm"
    return before.way if before else "copy"


def _touched(profile: Profile) -> tuple[Path, ...]:
    return (profile.manifest, profile.patch, profile.folder / pnpm.LOCK)


def _selecting(profile: Profile) -> bytes | None:
    """The person's own rows where they say which search provider is used, with ours in it; else None."""
    own = rows.read(profile.patch)
    if own.config(WEB) is None:
        return None
    return own.with_config(WEB, {"searchProvider": PROVIDER}).encode("utf-8")


def _fetch_of(package: Path) -> str | None:
    """The fetch provider a bundle of others selects."""
    try:
        declared = json.loads((package / "package.json").read_text(encoding="utf-8"))["dsh"]["bundle"]["patch"]
        found = None
        for name in [declared] if isinstance(declared, str) else declared:
            given = (rows.read(package / name).config(WEB) or {}).get("fetchProvider")
            found = given if isinstance(given, str) else found
    except (OSError, ValueError, LookupError, TypeError, Refusal):
        return None
    return found


def _dependency(profile: Profile, source: Path, way: Way) -> str:
    """Where our package is said to come from, so that a later pnpm puts it in again instead of sweeping it out."""
    if way == "pnpm" and (said := manifest.read(profile.manifest).dependency):
        return said
    return f"file:{Path(os.path.relpath(source, profile.folder)).as_posix()}"


def _by_pnpm(profile: Profile, source: Path, new: dict[str, bytes]) -> None:
    """Put in by pnpm, which is told to forget its copy first: it would not look at the folder again."""
    if profile.bundle.exists():
        pnpm.remove(profile)
    pnpm.add(profile, source)
    if any(files.body(profile.bundle / name) != content for name, content in new.items()):
        files.fill(profile.bundle, new)


class _kept_or_restored:  # noqa: N801 - reads as a statement
    """Whatever fails in the block: the folders that hold our package are afterwards what they were."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._folders = (profile.bundle, profile.own)
        self._aside = profile.home / "fanseek" / f".{profile.name}.before"
        self._had_modules = profile.modules.exists()

    def __enter__(self) -> None:
        shutil.rmtree(self._aside, ignore_errors=True)
        for number, folder in enumerate(self._folders):
            if folder.is_dir():
                shutil.copytree(folder, self._aside / str(number), symlinks=True)

    def __exit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        if kind is not None:
            for number, folder in enumerate(self._folders):
                files.remove(folder)
                if (copy := self._aside / str(number)).is_dir():
                    copy.rename(folder)
            if not self._had_modules:
                files.remove_if_empty(self._profile.modules)
        shutil.rmtree(self._aside, ignore_errors=True)
        files.remove_if_empty(self._profile.home / "fanseek")
