"""Where files go."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

import pytest

from fanseek.config import dirs, folders

HOME = Path("/home/someone")


def test_linux_follows_xdg() -> None:
    found = folders({}, platform="linux", home=HOME)
    assert (found.cache, found.state, found.config) == (
        HOME / ".cache/fanseek",
        HOME / ".local/state/fanseek",
        HOME / ".config/fanseek",
    )
    given = {"XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "relative"}
    found = folders(given, platform="linux", home=HOME)
    assert (found.cache, found.state) == (Path("/c/fanseek"), Path("/s/fanseek"))
    assert found.config == HOME / ".config/fanseek"


def test_macos_and_windows_use_their_own_folders() -> None:
    mac = folders({"XDG_CACHE_HOME": "/c"}, platform="darwin", home=HOME)
    assert (mac.cache, mac.state) == (HOME / "Library/Caches/fanseek", HOME / "Library/Application Support/fanseek")
    windows = folders({"LOCALAPPDATA": "/local"}, platform="win32", home=HOME)
    assert (windows.cache, windows.state) == (Path("/local/fanseek/Cache"), Path("/local/fanseek/State"))
    assert windows.config == HOME / "AppData/Roaming/fanseek"


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_inside_a_harness_cache_and_state_are_in_its_home(platform: str) -> None:
    found = folders({"DSH_HOME": "/harness", "XDG_CACHE_HOME": "/c"}, platform=platform, home=HOME)
    assert found.cache == found.state == Path("/harness/cache/websearch")
    assert folders({"DSH_HOME": "~/.dsh"}, platform=platform, home=HOME).cache == HOME / ".dsh/cache/websearch"


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(
    "environment",
    [{}, {"DSH_HOME": "rel"}, {"DSH_HOME": "~nobody/x"}, {"XDG_STATE_HOME": ".", "LOCALAPPDATA": "x", "APPDATA": "y"}],
)
def test_a_folder_is_never_relative(platform: str, environment: dict[str, str]) -> None:
    found = folders(environment, platform=platform)
    assert all(path.is_absolute() for path in (found.cache, found.state, found.config))


def test_l9_where_nobody_knows_a_home_it_is_the_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> Path:
        raise KeyError("no such account")

    account = Path(tempfile.gettempdir()) / "account"
    monkeypatch.setattr(dirs, "_expanduser", lambda: Path("relative"))
    monkeypatch.setattr(dirs, "_by_account", lambda: account)
    assert dirs.user_home() == account
    for way in ("_expanduser", "_by_account"):
        monkeypatch.setattr(dirs, way, unknown)
    assert dirs.user_home().is_absolute()
    assert dirs.user_home() == Path(tempfile.gettempdir())


@pytest.mark.parametrize("home", [None, "", "relative/home"])
def test_home_is_the_systems_where_the_variable_is_no_use(home: str | None) -> None:
    """L9: HOME unset, empty or relative."""
    environment = {name: value for name, value in os.environ.items() if name not in ("HOME", "USERPROFILE")}
    environment |= {} if home is None else {"HOME": home}
    code = "import json; from fanseek.config import folders; print(folders({}).state)"
    ran = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert PurePosixPath(ran.stdout.strip()).is_absolute() or Path(ran.stdout.strip()).is_absolute()
