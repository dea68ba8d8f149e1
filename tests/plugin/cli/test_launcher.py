"""What a client is told to start: this installation, by the name or path that will still be there tomorrow."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fanseek.cli.launcher import launcher


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment that this seems to run from; nothing of it is on the search path."""
    python = executable(tmp_path / "venv" / "bin" / "python")
    executable(tmp_path / "venv" / "bin" / "fanseek")
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    return python.parent


def by_path(own: Path) -> list[str]:
    return [str(own / "python"), "-m", "fanseek"]


def test_what_is_not_on_the_search_path_is_started_by_its_python(own: Path) -> None:
    assert launcher() == by_path(own)


def test_an_activated_environment_is_not_the_clients_search_path(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(own))
    assert launcher() == by_path(own)


def test_a_link_on_the_search_path_is_as_good_as_the_name(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pipx and uv tool install."""
    (tmp_path / "local").mkdir()
    (tmp_path / "local" / "fanseek").symlink_to(own / "fanseek")
    monkeypatch.setenv("PATH", str(tmp_path / "local"))
    assert launcher() == ["fanseek"]


def test_an_installation_of_the_whole_system_has_its_name(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    monkeypatch.setenv("PATH", str(own))
    assert launcher() == ["fanseek"]


def test_another_installation_of_that_name_is_not_this_one(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executable(tmp_path / "other" / "fanseek")
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    assert launcher() == by_path(own)


def test_uvx_starts_what_uvx_has_started(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "cache" / "uv" / "archive-v0" / "x1"))
    assert launcher() == by_path(own)
    uvx = executable(tmp_path / "tools" / "uvx")
    monkeypatch.setenv("PATH", str(uvx.parent))
    assert launcher() == [str(uvx), "fanseek"]
