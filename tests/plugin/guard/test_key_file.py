"""Keys in a file that its owner alone can read."""

from __future__ import annotations

import json
import os
import stat

import pytest

from fanseek.errors import ConfigError
from fanseek.guard.key_file import KeyFile

POSIX = pytest.mark.skipif(os.name != "posix", reason="file modes are a thing of POSIX")


@pytest.fixture
def file(tmp_path):
    return KeyFile(tmp_path / "config" / "keys.json")


def written(file, text, mode=0o600):
    file.path.parent.mkdir(mode=0o700, exist_ok=True)
    file.path.write_text(text, encoding="utf-8")
    file.path.chmod(mode)


def test_what_is_stored_is_found_and_what_is_removed_is_gone(file):
    assert dict(file.held()) == {}
    assert file.store("A_KEY", ["k1", "k2"]) is False
    assert file.store("B_KEY", ["k3"]) is False
    assert file.store("A_KEY", ["k4"]) is True
    assert dict(file.held()) == {"A_KEY": "k4", "B_KEY": "k3"}
    assert file.remove("A_KEY") is True
    assert file.remove("A_KEY") is False
    assert dict(file.held()) == {"B_KEY": "k3"}


@POSIX
def test_n11_file_and_folder_are_the_owner_s_alone(file):
    before = os.umask(0)
    try:
        file.store("A_KEY", ["k1"])
    finally:
        os.umask(before)
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.path.parent.stat().st_mode) == 0o700
    assert [path.name for path in file.path.parent.iterdir()] == ["keys.json"]


@POSIX
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o620, 0o666, 0o777])
def test_n11_a_file_that_others_can_read_or_change_is_not_used(file, mode, caplog):
    written(file, '{"A_KEY": "CANARY-7f3a9c"}', mode)
    for _ in range(3):
        assert dict(file.held()) == {}
    assert f"chmod 600 {file.path}" in file.problem
    assert len(caplog.records) == 1
    assert "CANARY" not in file.problem + caplog.text
    file.path.chmod(0o600)
    assert dict(file.held()) == {"A_KEY": "CANARY-7f3a9c"}
    assert file.problem == ""


@POSIX
@pytest.mark.parametrize("command", ["store", "remove"])
def test_a_file_that_others_can_read_is_not_written_either(file, command):
    written(file, '{"A_KEY": "k1"}', 0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        file.store("B_KEY", ["k2"]) if command == "store" else file.remove("A_KEY")
    assert file.path.read_text(encoding="utf-8") == '{"A_KEY": "k1"}'


@POSIX
def test_a_folder_that_others_can_change_is_refused(file):
    file.path.parent.mkdir()
    file.path.parent.chmod(0o777)
    with pytest.raises(ConfigError, match=f"chmod 700 {file.path.parent}"):
        file.store("A_KEY", ["k1"])
    assert list(file.path.parent.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", "[]", '"k"', '{"A_KEY": 5}', '{"A_KEY": ["k", 5]}', '{"A_KEY": "CANARY', "[" * 100_000, "\ufffe"],
)
def test_a_broken_file_is_said_once_and_quotes_nothing(file, text, caplog):
    written(file, text)
    for _ in range(2):
        assert dict(file.held()) == {}
    assert "not JSON of the form" in file.problem
    assert "CANARY" not in file.problem + caplog.text
    assert len(caplog.records) == 1
    with pytest.raises(ConfigError, match="not JSON"):
        file.store("A_KEY", ["k1"])
    assert file.path.read_text(encoding="utf-8") == text


def test_a_list_of_keys_is_read(file):
    written(file, json.dumps({"A_KEY": ["k1", "k2"], "B_KEY": "k3,k4"}))
    assert dict(file.held()) == {"A_KEY": "k1\nk2", "B_KEY": "k3,k4"}


def test_a_folder_in_its_place_is_said(file):
    file.path.mkdir(parents=True)
    assert dict(file.held()) == {}
    assert "is not a file" in file.problem


@POSIX
def test_a_fifo_in_its_place_holds_nobody_up(file):
    file.path.parent.mkdir()
    os.mkfifo(file.path, 0o600)
    assert dict(file.held()) == {}
    assert "is not a file" in file.problem


def test_a_change_is_seen_at_once(file):
    """B4: keys are looked up at each call, also by an engine that is open."""
    other = KeyFile(file.path)
    for number in range(5):
        file.store("A_KEY", [f"k{number}"])
        assert other.held()["A_KEY"] == f"k{number}"
    file.path.unlink()
    assert dict(other.held()) == {}


def test_an_unchanged_file_is_not_read_again(file, monkeypatch):
    file.store("A_KEY", ["k1"])
    file.held()
    monkeypatch.setattr(KeyFile, "read", lambda _self: pytest.fail("read again"))
    assert file.held()["A_KEY"] == "k1"


@POSIX
def test_a_link_keeps_its_target(file, tmp_path):
    target = tmp_path / "elsewhere" / "keys.json"
    file.path.parent.mkdir(mode=0o700)
    file.path.symlink_to(target)
    file.store("A_KEY", ["k1"])
    assert file.path.is_symlink()
    assert dict(KeyFile(target).held()) == {"A_KEY": "k1"}


def test_a_disk_that_fails_keeps_what_was_there(file, monkeypatch):
    file.store("A_KEY", ["k1"])
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space left"):
        file.store("A_KEY", ["k2"])
    monkeypatch.undo()
    assert dict(file.held()) == {"A_KEY": "k1"}
    assert [path.name for path in file.path.parent.iterdir()] == ["keys.json"]
