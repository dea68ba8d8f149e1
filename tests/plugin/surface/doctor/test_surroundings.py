"""What a search runs on."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from fanseek.config.settings import Settings
from fanseek.guard.key_file import KeyFile
from fanseek.registry import backends
from fanseek.surface.doctor import surroundings
from fanseek.surface.doctor.surroundings import homed
from fanseek.surface.doctor.ways import Ways

needs_modes = pytest.mark.skipif(sys.platform == "win32", reason="file modes are a thing of POSIX")


def codes(found: Any) -> list[str]:
    return [one.code for one in found]


def test_versions_name_every_mandatory_package_and_the_extras() -> None:
    found = {one.code: one for one in surroundings.versions()}
    assert found["versions"].fields["python"] == ".".join(map(str, sys.version_info[:3]))
    assert f"httpx {version('httpx')}" in found["packages"].message
    assert "pytest" not in found["packages"].message
    told = " ".join(one.message for one in surroundings.versions())
    assert all(extra in told for extra in ("fast", "http2", "socks"))
    assert "testing" not in told


def test_an_extra_is_the_packages_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the package whose extra it is, which is always there."""
    there = {"fanseek": "1", "httpx": "0.28.1", "h2": "4.3", "httptools": "0.6"}
    monkeypatch.setattr(surroundings, "_version", lambda name: there.get(name, ""))
    messages = [one.message for one in surroundings.versions()]
    assert "extra http2: h2 4.3" in messages
    assert "extra fast: httptools 0.6; uvloop is missing" in messages
    assert "extras that are not installed: cordis, socks" in messages


def test_files_that_are_there_and_that_are_not(tmp_path: Path) -> None:
    config, keys = tmp_path / "config.toml", KeyFile(tmp_path / "keys.json")
    assert codes(surroundings.files(config, read=False, keys=keys)) == ["config.none", "keys.none"]
    config.write_text("", encoding="utf-8")
    keys.store("BRAVE_API_KEY", ["CANARY-7f3a9c"])
    found = list(surroundings.files(config, read=True, keys=keys))
    assert codes(found) == ["config.file", "keys.file"]
    assert "CANARY" not in repr(found)


@needs_modes
def test_a_key_file_others_can_read_is_a_problem(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "keys.json")
    keys.store("BRAVE_API_KEY", ["CANARY-7f3a9c"])
    keys.path.chmod(0o644)
    (_, found) = surroundings.files(tmp_path / "config.toml", read=False, keys=keys)
    assert (found.code, found.level) == ("keys.broken", "problem")
    assert "chmod 600" in found.message
    assert "CANARY" not in found.message


@needs_modes
def test_a_config_file_others_can_change_is_a_problem(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text("", encoding="utf-8")
    config.chmod(0o666)
    assert codes(surroundings.files(config, read=True, keys=None)) == ["config.file", "config.open"]
    config.chmod(0o644)
    assert codes(surroundings.files(config, read=True, keys=None)) == ["config.file"]


def test_folders_are_tried_and_none_is_made(tmp_path: Path) -> None:
    places = {"cache": tmp_path, "state": tmp_path / "not" / "yet"}
    assert codes(surroundings.folders(places)) == ["folder.cache", "folder.state"]
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_a_folder_s_place(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        (found,) = surroundings.folders({"cache": place})
        assert (found.code, found.level) == ("folder.cache.unwritable", "problem")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that not even root can write to")
def test_a_folder_that_cannot_be_written() -> None:
    (found,) = surroundings.folders({"state": Path("/proc/self")})
    assert found.code == "folder.state.unwritable"
    assert "can't be written" in found.message


def test_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    system = {"https": "http://u:PROXYPASS@proxy.test:1", "no": ""}
    monkeypatch.setenv("HTTPS_PROXY", system["https"])
    (used,) = surroundings.proxies(Ways("auto", system=lambda: system))
    assert used.message == "proxy: http://proxy.test:1 (from HTTPS_PROXY)"
    assert codes(surroundings.proxies(Ways("direct", system=lambda: system))) == ["proxy.none", "proxy.unused"]
    (broken,) = surroundings.proxies(Ways("auto", system=lambda: {"https": "ftp://u:PROXYPASS@h.test", "no": ""}))
    assert (broken.code, broken.level) == ("proxy.broken", "problem")
    assert "PROXYPASS" not in used.message + broken.message
    assert codes(surroundings.proxies(Ways("auto", system=lambda: {"no": ""}))) == ["proxy.none"]


def test_x8_a_deadline_the_harness_would_cut() -> None:
    inside = {"DSH_HOME": "/home/x/.dsh"}
    assert codes(surroundings.deadline(Settings(deadline_ms=30_000), inside)) == ["deadline.harness"]
    assert codes(surroundings.deadline(Settings(), inside)) == []
    assert codes(surroundings.deadline(Settings(deadline_ms=60_000), {})) == []


@pytest.mark.parametrize(("now", "expected"), [(0.0, ["clock.past"]), (4e9, []), (float("nan"), ["clock.past"])])
def test_a_clock_from_before_this_program(now: float, expected: list[str]) -> None:
    assert codes(surroundings.past_clock(now, backends())) == expected


def test_the_home_is_a_tilde(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(surroundings, "user_home", lambda: tmp_path)
    assert homed(tmp_path / "x") == str(Path("~/x"))
    assert homed(tmp_path) == "~"
    assert homed(f"run: chmod 600 {tmp_path}/keys.json") == "run: chmod 600 ~/keys.json"
    assert homed(f"{tmp_path}2/x") == f"{tmp_path}2/x"
    assert "\x1b" not in homed("/tmp/\x1b[31mred")
