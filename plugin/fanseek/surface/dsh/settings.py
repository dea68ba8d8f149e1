"""The plugin's settings in one profile: read, changed, and sent to the worker as the harness would send them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fanseek.config.environment import from_text
from fanseek.config.layers import Origins
from fanseek.surface.dsh import contents, credentials, files, receipt, rows, worker
from fanseek.surface.dsh.profile import PACKAGE, ROW, Profile
from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.scalars import Scalar

OWN = ("python", "timeoutMs")
"""Keys of the row that are read when the plugin starts, and no settings of a search."""


def given(profile: Profile) -> dict[str, Any]:
    """What the profile says. Raises Refusal."""
    config = rows.read(profile.patch).config(ROW) or {}
    return {name: value for name, value in config.items() if name not in OWN}


def change(profile: Profile, assignments: list[str], unset: list[str]) -> dict[str, Any]:
    """Set and unset them, all or none; a harness that runs takes notice at once. What the profile says then.

    Raises Refusal, ConfigError for a name or a value that isn't allowed, and OSError.
    """
    values: dict[str, Scalar] = {**from_text(assignments), **dict.fromkeys(_known(unset))}
    new = {**given(profile), **values}
    Origins(overrides={name: value for name, value in new.items() if value is not None}, environment={}).load()
    held, own = files.body(profile.patch), rows.read(profile.patch)
    if values:
        files.put(profile.patch, own.with_config(ROW, values, name=PACKAGE).encode("utf-8"))
        kept = receipt.read(profile)
        if kept is not None:
            receipt.write(profile, kept.updated(profile.patch, held))
    return given(profile)


def python_of(profile: Profile) -> str:
    """The Python that the harness starts. Raises Refusal where none is written down."""
    import json

    own = (rows.read(profile.patch).config(ROW) or {}).get("python")
    if isinstance(own, str) and own:
        return own
    try:
        written = json.loads((profile.bundle / contents.LAUNCH).read_text(encoding="utf-8"))
        return str(written["python"])
    except (OSError, ValueError, LookupError, TypeError):
        raise Refusal("not-installed", profile=profile.name) from None


def asked(profile: Profile, method: str, environment: Mapping[str, str], lang: str, **own: Any) -> Any:
    """What the worker answers when the profile's harness asks it. Raises Refusal."""
    config, place = given(profile), str(profile.websearch)
    common = {
        "settings": config,
        "keys": credentials.resolved(profile, config, environment),
        "place": {"state": place, "cache": place, "history": place},
        "lang": lang,
    }
    return worker.asked(python_of(profile), method, {**common, **own})


def _known(names: list[str]) -> list[str]:
    """Raises ConfigError for a name that is no setting."""
    from fanseek.config.load import unknown
    from fanseek.config.options import options
    from fanseek.errors import ConfigError

    for name in names:
        if name not in options():
            raise ConfigError(unknown(name, options()))
    return names
