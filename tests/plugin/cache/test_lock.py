"""The lock between processes: exclusive, waited for within bounds, gone with its holder."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from fanseek.cache import lock
from fanseek.cache.lock import locked

HOLD = """
import sys, time
from pathlib import Path
from fanseek.cache.lock import locked
with locked(Path(sys.argv[1]), 5):
    print("held", flush=True)
    time.sleep(600)
"""

ADD = """
import sys
from pathlib import Path
from fanseek.cache.lock import locked
count = Path(sys.argv[2])
for _ in range(100):
    with locked(Path(sys.argv[1]), 30) as held:
        assert held
        count.write_text(str(int(count.read_text(encoding="ascii")) + 1), encoding="ascii")
"""


def test_processes_that_read_and_write_lose_nothing(tmp_path: Path) -> None:
    count = tmp_path / "count"
    count.write_text("0", encoding="ascii")
    running = [subprocess.Popen([sys.executable, "-c", ADD, tmp_path / "a.lock", count]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    assert count.read_text(encoding="ascii") == "400"


def test_threads_of_one_process_exclude_each_other_too(tmp_path: Path) -> None:
    inside, most = 0, 0
    guard = threading.Lock()

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with locked(tmp_path / "a.lock", 30):
                with guard:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.0005)
                with guard:
                    inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_another_holder_is_waited_for_within_bounds_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE) as holder:
        try:
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"held\n"
            began = time.monotonic()
            with pytest.raises(TimeoutError, match="another process"), locked(path, 0.2):
                raise AssertionError
            assert time.monotonic() - began < 10
        finally:
            holder.kill()
        holder.wait()
    with locked(path, 5) as held:
        assert held


@pytest.mark.skipif(sys.platform == "win32", reason="flock is a thing of POSIX")
@pytest.mark.parametrize("code", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_told_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    """BC-070: NFS without its lock service."""

    def refused(_descriptor: int, _how: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(lock.fcntl, "flock", refused)
    with locked(tmp_path / "a.lock", 5) as held:
        assert not held


@pytest.mark.skipif(sys.platform == "win32", reason="flock is a thing of POSIX")
def test_another_refusal_is_raised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_descriptor: int, _how: int) -> None:
        raise OSError(errno.EIO, "broken disk")

    monkeypatch.setattr(lock.fcntl, "flock", refused)
    with pytest.raises(OSError, match="broken disk"), locked(tmp_path / "a.lock", 5):
        raise AssertionError


def test_an_error_inside_lets_go(tmp_path: Path) -> None:
    with pytest.raises(KeyError), locked(tmp_path / "a.lock", 5):
        raise KeyError
    with locked(tmp_path / "a.lock", 0) as held:
        assert held
