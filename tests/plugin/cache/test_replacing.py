"""Files replaced whole: by several at once, by one that is stopped on its way, and on Windows."""

from __future__ import annotations

import multiprocessing
import os
import stat
import time
from pathlib import Path

import pytest

from fanseek.cache import replacing
from fanseek.cache.replacing import LEFT_OVER_S, replace, sweep


def inside(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_made_with_its_folder_and_is_its_owners_alone(tmp_path: Path) -> None:
    target = tmp_path / "new" / "file.json"
    replace(target, b"one")
    replace(target, b"two")
    assert target.read_bytes() == b"two"
    assert inside(target.parent) == ["file.json"]
    if os.name == "posix":
        assert stat.S_IMODE(target.parent.stat().st_mode) == 0o700
        assert stat.S_IMODE(target.stat().st_mode) == 0o600


def write_often(target: Path, body: bytes) -> None:
    for _ in range(20):
        replace(target, body)


def test_bc_065_many_processes_write_one_file_and_it_is_always_one_whole(tmp_path: Path) -> None:
    """A fixed name aside would be one that several write at once."""
    target = tmp_path / "file.json"
    bodies = [bytes([65 + number]) * 50_000 for number in range(20)]
    replace(target, bodies[0])
    context = multiprocessing.get_context("spawn" if os.name == "nt" else "fork")
    running = [context.Process(target=write_often, args=(target, body)) for body in bodies]
    for process in running:
        process.start()
    while any(process.is_alive() for process in running):
        assert target.read_bytes() in bodies
    for process in running:
        process.join()
    assert {process.exitcode for process in running} == {0}
    assert target.read_bytes() in bodies
    assert inside(tmp_path) == ["file.json"]


def test_a_write_that_fails_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """BC-073, where the target is held for good; on POSIX nothing is tried twice."""
    tries: list[Path] = []

    def held(self: Path, target: Path) -> Path:
        tries.append(target)
        raise PermissionError

    target = tmp_path / "file.json"
    replace(target, b"before")
    monkeypatch.setattr(Path, "replace", held)
    with pytest.raises(PermissionError):
        replace(target, b"after")
    assert target.read_bytes() == b"before"
    assert inside(tmp_path) == ["file.json"]
    assert len(tries) == (replacing.RENAME_TRIES if os.name == "nt" else 1)


def test_a_target_that_is_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file.json").mkdir()
    with pytest.raises(OSError, match=r"file\.json"):
        replace(tmp_path / "file.json", b"x")
    assert inside(tmp_path) == ["file.json"]


@pytest.mark.parametrize(("holds", "stored"), [(3, True), (99, False)])
def test_on_windows_a_moments_hold_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holds: int, stored: bool
) -> None:
    """BC-073: a virus scanner holds the target for a moment, or for good."""
    real, tries = Path.replace, []

    def held(self: Path, target: Path) -> Path:
        tries.append(target)
        if len(tries) <= holds:
            raise PermissionError
        return real(self, target)

    monkeypatch.setattr(Path, "replace", held)
    monkeypatch.setattr(replacing, "RENAME_PAUSE_S", 0)
    aside = tmp_path / "aside"
    aside.write_bytes(b"x")
    if stored:
        replacing._rename(aside, tmp_path / "target", "win32")
        assert (tmp_path / "target").read_bytes() == b"x"
    else:
        with pytest.raises(PermissionError):
            replacing._rename(aside, tmp_path / "target", "win32")
        assert len(tries) == replacing.RENAME_TRIES


def test_what_a_killed_process_left_is_swept_when_it_is_old(tmp_path: Path) -> None:
    old, young, other = (
        tmp_path / name for name in (".file-0123abcd.part", ".file-4567cdef.part", ".other-0123abcd.part")
    )
    for path in (old, young, other, tmp_path / "file.json"):
        path.write_bytes(b"half")
    long_ago = time.time() - LEFT_OVER_S - 1
    for path in (old, other, tmp_path / "file.json"):
        os.utime(path, (long_ago, long_ago))
    sweep(tmp_path, "file")
    assert inside(tmp_path) == [".file-4567cdef.part", ".other-0123abcd.part", "file.json"]
    sweep(tmp_path)
    assert inside(tmp_path) == [".file-4567cdef.part", "file.json"]


def test_the_sweep_knows_the_names_that_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name aside that the sweep does not find would stay for ever."""
    monkeypatch.setattr(Path, "replace", lambda self, _target: os.link(self, self.with_name(self.name[:-5] + "2.part")))
    replace(tmp_path / "history.json", b"x")
    assert [name.startswith(".history-") for name in inside(tmp_path)] == [True]
    sweep(tmp_path, "history", older_than_s=0)
    assert inside(tmp_path) == []
