"""Standard input and output belong to the protocol: a process of its own, and everything that could disturb it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

NOISY = """
import os, subprocess, sys
from fanseek.surface.stdio.pipes import claimed
pipes = claimed()
print("printed")
os.write(1, b"raw\\n")
sys.stdout.write("written"); sys.stdout.flush()
sys.__stdout__.write("to the old object"); sys.__stdout__.flush()
subprocess.run([sys.executable, "-c", "import sys; print('of a child', repr(sys.stdin.read()))"])
os.system("echo of a shell")
assert sys.stdin.read() == ""
os.write(pipes.sink, os.read(pipes.source, 100))
"""


def run(code: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-c", code],
        input=b"hello\n",
        capture_output=True,
        timeout=60,
        check=False,
        env=buffered,
        **options,
    )


def test_what_is_printed_anywhere_goes_to_standard_error() -> None:
    """A1, BC-159: by Python, by C, by a child and by a shell; and no child reads what is meant for us."""
    ran = run(NOISY)
    assert ran.stdout == b"hello\n", ran.stderr
    for word in (b"printed", b"written", b"to the old object", b"raw", b"of a child ''", b"of a shell"):
        assert word in ran.stderr
    assert ran.stderr.index(b"printed") < ran.stderr.index(b"raw"), "a print is seen at once"


def test_no_child_inherits_the_pipes() -> None:
    """A child that outlives us would keep the host waiting for the end of our output."""
    code = """
import os, subprocess, sys
from fanseek.surface.stdio.pipes import claimed
pipes = claimed()
assert not os.get_inheritable(pipes.source) and not os.get_inheritable(pipes.sink)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
os.write(pipes.sink, str(child.pid).encode())
"""
    ran = run(code)
    os.kill(int(ran.stdout), signal.SIGKILL)
    assert ran.returncode == 0


@pytest.mark.parametrize(("number", "name"), [(0, "standard input"), (1, "standard output")])
def test_a_closed_pipe_is_said_in_words(number: int, name: str) -> None:
    code = f"""
import os, sys
os.close({number})
from fanseek.errors import UsageError
from fanseek.surface.stdio.pipes import claimed
try:
    claimed()
except UsageError as problem:
    sys.stderr.write(str(problem))
"""
    assert f"{name} is closed" in run(code).stderr.decode()


def test_a_closed_standard_error_costs_nothing() -> None:
    """A descriptor of ours must not take its number: whatever is printed would be read as the protocol."""
    code = """
import os, sys
os.close(2)
from fanseek.surface.stdio.pipes import claimed
pipes = claimed()
assert pipes.source > 2 and pipes.sink > 2
print("noise"); os.write(1, b"noise"); os.write(2, b"noise")
os.write(pipes.sink, os.read(pipes.source, 100))
"""
    assert run(code).stdout == b"hello\n"
