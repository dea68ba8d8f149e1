"""A profile of the harness: a folder under its home with a manifest and a list of patches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from fanseek.config.dirs import user_home
from fanseek.surface.dsh.refusal import Refusal

PACKAGE = "fanseek-dsh"
ROW = "unified-search"
WEB = "web"
PROVIDER = "unified"
BUILT_IN = "deepseek-official"
"""The search provider that the harness itself selects."""


class Profile(msgspec.Struct, frozen=True):
    """Where its files are."""

    home: Path
    name: str

    @property
    def folder(self) -> Path:
        """The profile's own folder."""
        return self.home / "profiles" / self.name

    @property
    def manifest(self) -> Path:
        """Its list of bundles."""
        return self.folder / "package.json"

    @property
    def patch(self) -> Path:
        """The person's own rows, which come last; the harness writes settings there."""
        return self.folder / "cordis.patch.yml"

    @property
    def modules(self) -> Path:
        """Where packages are."""
        return self.folder / "node_modules"

    @property
    def bundle(self) -> Path:
        """Where ours is, when it is installed."""
        return self.modules / PACKAGE

    @property
    def own(self) -> Path:
        """What `fanseek dsh` keeps for itself about this profile."""
        return self.home / "fanseek" / self.name

    @property
    def websearch(self) -> Path:
        """Cache, history and log of the plugin, for every profile."""
        return self.home / "cache" / "websearch"


def home_of(environment: Mapping[str, str], given: str | None = None) -> Path:
    """The harness's home: the one `given`, else DSH_HOME, else .dsh in the user's home."""
    named = given or environment.get("DSH_HOME", "").strip()
    return Path(named).expanduser().absolute() if named else user_home() / ".dsh"


def profile(name: str, home: Path) -> Profile:
    """The profile `name` under `home`. Raises Refusal where there is none."""
    if name in {"", ".", "..", "node_modules"} or "/" in name or "\\" in name:
        raise Refusal("bad-name", name=name)
    found = Profile(home, name)
    if not found.manifest.is_file():
        known = ", ".join(names(home)) or "-"
        raise Refusal("no-profile", profile=name, home=home, known=known)
    return found


def names(home: Path) -> list[str]:
    """The profiles there are."""
    try:
        return sorted(one.parent.name for one in (home / "profiles").glob("*/package.json"))
    except OSError:
        return []
