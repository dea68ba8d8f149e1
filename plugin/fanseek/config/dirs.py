"""Where files go on this platform. XDG base directories; Apple's and Microsoft's own folders; a harness's home."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

NAME = "fanseek"
FILE = "FANSEEK_CONFIG"
"""The variable that names a config file; no setting."""


class Folders(msgspec.Struct, frozen=True, kw_only=True):
    """Absolute paths; none is created here."""

    cache: Path
    state: Path
    config: Path


def folders(environment: Mapping[str, str], *, platform: str = sys.platform, home: Path | None = None) -> Folders:
    """The folders of this user. Inside a harness (DSH_HOME) cache and state live in its cache/websearch."""
    home = home or user_home()
    own = _by_platform(environment, platform, home)
    if harness := environment.get("DSH_HOME", "").strip():
        place = _expanded(harness, home) / "cache" / "websearch"
        return Folders(cache=place, state=place, config=own.config)
    return own


def config_file(environment: Mapping[str, str], given: str | None = None) -> Path:
    """The user's config file: the one `given`, the one FANSEEK_CONFIG names, else this platform's; absolute."""
    named = given or environment.get(FILE, "").strip()
    return _expanded(named, user_home()) if named else folders(environment).config / "config.toml"


def is_missing(path: Path) -> bool:
    """Whether nothing at all stands at `path`."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def _by_platform(environment: Mapping[str, str], platform: str, home: Path) -> Folders:
    if platform == "win32":
        local = _given(environment, "LOCALAPPDATA", home / "AppData" / "Local") / NAME
        roaming = _given(environment, "APPDATA", home / "AppData" / "Roaming") / NAME
        return Folders(cache=local / "Cache", state=local / "State", config=roaming)
    if platform == "darwin":
        support = home / "Library" / "Application Support" / NAME
        return Folders(cache=home / "Library" / "Caches" / NAME, state=support, config=support)
    return Folders(
        cache=_given(environment, "XDG_CACHE_HOME", home / ".cache") / NAME,
        state=_given(environment, "XDG_STATE_HOME", home / ".local" / "state") / NAME,
        config=_given(environment, "XDG_CONFIG_HOME", home / ".config") / NAME,
    )


def _given(environment: Mapping[str, str], variable: str, otherwise: Path) -> Path:
    """The absolute path in `variable`; a relative one is ignored, as the XDG specification asks."""
    given = Path(environment.get(variable, "").strip())
    return given if given.is_absolute() else otherwise


def _expanded(text: str, home: Path) -> Path:
    first, _, rest = text.replace("\\", "/").partition("/") if text.startswith("~") else ("", "", "")
    return home / rest if first == "~" else Path(text).absolute()


def user_home() -> Path:
    """The user's home by the operating system, HOME only where it is absolute; else a folder for temporary files."""
    for found in (_expanduser, _by_account):
        try:
            home = found()
        except (RuntimeError, KeyError, ImportError, AttributeError, OSError):
            continue
        if home.is_absolute():
            return home
    return Path(tempfile.gettempdir()).absolute()


def _expanduser() -> Path:
    return Path.home()


def _by_account() -> Path:
    import os
    import pwd

    return Path(pwd.getpwuid(os.getuid()).pw_dir)
