"""The harness's credential store: what is in it, and which of it the plugin is given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fanseek.surface.dsh import fields, manifest
from fanseek.surface.dsh.files import body
from fanseek.surface.dsh.profile import Profile
from fanseek.surface.dsh.row import KEY
from fanseek.surface.dsh.scalars import read

FILE = ".credentials.yaml"
BLIND = "@deepseek-ai/dsh-headless"
"""The bundle of the harness whose profiles run without the credentials service."""


def stored(home: Path) -> dict[str, str]:
    """What the store holds; nothing where it can't be read."""
    try:
        raw = body(home / FILE)
    except OSError:
        return {}
    found: dict[str, str] = {}
    inside = False
    for line in (raw or b"").decode("utf-8", errors="replace").splitlines():
        key = KEY.match(line)
        if key is None:
            continue
        if not key[1]:
            inside = key[2] == "refs"
        elif inside:
            found |= _entry(key[2], key[3] or "")
    return found


def sees(profile: Profile) -> bool:
    """Whether a plugin in that profile is given what the store holds. Raises Refusal."""
    return BLIND not in manifest.read(profile.manifest).bundles


def names(settings: Mapping[str, object]) -> set[str]:
    """The names that keys are looked for under."""
    known = fields.fields().items()
    given = (settings.get(name, field["default"]) for name, field in known if field.get("reference"))
    return {name for name in given if isinstance(name, str) and name}


def resolved(profile: Profile, settings: Mapping[str, object], environment: Mapping[str, str]) -> dict[str, str]:
    """The keys as the plugin finds them: in the store where the profile has it, else in the environment."""
    kept = stored(profile.home) if sees(profile) else {}
    found = {name: kept.get(name) or environment.get(name, "") for name in names(settings)}
    return {name: value for name, value in found.items() if value}


def _entry(name: str, text: str) -> dict[str, str]:
    try:
        value = read(text)
    except ValueError:
        return {}
    return {name.strip("\"'"): str(value)} if value is not None else {}
