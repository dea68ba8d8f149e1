"""The benchmark rig tells the truth about results: whole runs count, lossy and saturated ones are void. No timing."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import msgspec
import pytest

from bench.__main__ import FLOOR, OURS, peer
from bench.run import Effort, Load, Subject, judged, measure
from bench.upstream import Upstream, started
from fanseek.sandbox import running

FEW = Effort(searches=6, seconds=60, warm_up=1, starts=1)


@pytest.fixture(scope="module")
def upstream() -> Iterator[Upstream]:
    with started(0) as running:
        yield running


@pytest.mark.parametrize("subject", [FLOOR, OURS], ids=lambda subject: subject.name)
@pytest.mark.parametrize("at_once", [1, 3])
def test_a_run_counts_every_result(upstream: Upstream, subject: Subject, at_once: int) -> None:
    seen = measure(subject, Load(0, at_once), upstream, FEW, series=0, uvloop=False)
    assert (seen.searches, "lost" in seen.void) == (6, False), seen.void
    assert seen.cpu_ms > 0


def test_a_cold_start_counts_the_results_of_the_command(upstream: Upstream) -> None:
    seen = measure(OURS, Load(0, 0), upstream, FEW, series=2, uvloop=False)
    assert not seen.void
    assert seen.peak_mib > 1


def test_lost_results_void_a_run(upstream: Upstream) -> None:
    """A subject that should bring one result more than it does."""
    greedy = msgspec.structs.replace(OURS, fewest=lambda upstream, query: upstream.pages(query) + 1)
    seen = measure(greedy, Load(0, 2), upstream, FEW, series=4, uvloop=False)
    assert seen.void == "6 of 6 searches lost results"


def test_a_peer_on_the_command_line_is_measured_and_checked(upstream: Upstream) -> None:
    code = 'import sys\nfor line in sys.stdin: print(\'{"results": 1, "ms": 0.5}\', flush=True)'
    one = peer("one=" + shlex.join([sys.executable, "-c", code]))
    seen = measure(one, Load(0, 2), upstream, FEW, series=6, uvloop=False)
    assert seen.void == "6 of 6 searches lost results"


@pytest.mark.parametrize(("sandbox_s", "void"), [(0.85, ""), (0.95, "sandbox at 95% of a core")])
def test_a_saturated_sandbox_voids_a_run(upstream: Upstream, sandbox_s: float, void: str) -> None:
    counts = {"0": len(upstream.told["recorded"])}
    raw = {"wall_s": 1.0, "cpu_s": 0.1, "sandbox_s": sandbox_s, "ms": [1.0], "counts": counts}
    assert judged(FLOOR, upstream, 0, raw).void == void


def test_a_subject_that_dies_voids_its_run(upstream: Upstream) -> None:
    broken = Subject(name="broken", command=f'{sys.executable} -c "raise SystemExit(3)"', fewest=Upstream.pages)
    assert "broken" in measure(broken, Load(0, 1), upstream, FEW, series=8, uvloop=False).void


def test_the_pipe_is_measured_on_answers_that_agree(tmp_path: Path) -> None:
    """Library and worker bring as many sources, call by call; what they cost is left to a run by hand."""
    from bench.pipe import compared

    with running() as box:
        seen = anyio.run(compared, box, tmp_path, ["one", "one", "two"])
    assert (seen.calls, seen.sources) == (3, 8)
    assert seen.library_ms > 0
    assert seen.worker_ms > 0
