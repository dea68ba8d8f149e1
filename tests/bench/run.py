"""One measurement: one subject, one load, one fresh process, and whether it may be believed."""

from __future__ import annotations

import json
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from bench.driver import query_text
from bench.lines import Lines
from bench.upstream import Upstream

HERE = Path(__file__).parent
SATURATED = 0.9
"""Share of one core above which the sandbox, and not the subject, sets the pace."""


class Load(msgspec.Struct, frozen=True):
    """What is asked of a subject: so many searches at once, upstreams that answer after so long. 0 at once: a cold start."""

    latency_ms: int
    at_once: int

    @property
    def is_cold(self) -> bool:
        """Process start to exit, one search."""
        return self.at_once == 0

    @property
    def title(self) -> str:
        """The load in words."""
        return "cold start" if self.is_cold else f"{self.at_once} at once, upstreams {self.latency_ms} ms"


class Effort(msgspec.Struct, frozen=True, kw_only=True):
    """How much is measured: searches a run, cut after so many seconds; warm-up searches before; cold starts."""

    searches: int = 400
    seconds: float = 4.0
    warm_up: int = 40
    starts: int = 5


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Something that searches: a module of this package, or a command that speaks the two-line protocol."""

    name: str
    module: str = ""
    command: str = ""
    fewest: Callable[[Upstream, str], int]
    """How many results a search must bring to have lost none."""
    most: Callable[[Upstream, str], int] | None = None
    """How many it can bring; None is as many as fewest."""

    def lost(self, upstream: Upstream, query: str, count: int) -> bool:
        """Whether `count` results can't be all of them, and only them."""
        fewest = self.fewest(upstream, query)
        return not fewest <= count <= (self.most(upstream, query) if self.most else fewest)


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of one run; `void` says why they mean nothing."""

    p50_ms: float = 0.0
    p99_ms: float = 0.0
    cpu_ms: float = 0.0
    """CPU of the subject's process alone, per search."""
    rate: float = 0.0
    """Searches per second."""
    peak_mib: float = 0.0
    """Of a cold start."""
    load: float = 0.0
    """The sandbox's CPU over wall time."""
    searches: int = 0
    void: str = ""


def measure(subject: Subject, load: Load, upstream: Upstream, effort: Effort, *, series: int, uvloop: bool) -> Measured:
    """`subject` under `load`, in processes of its own.

    Every run is made twice and the second counts: the first one fills the sandbox's memory of its replies, so that it
    costs the sandbox less than the subject. The subject's process is new both times, it has never seen the queries.
    """
    if load.is_cold:
        return _cold(subject, upstream, series, effort.starts)
    _raw(subject, load, upstream, effort, series, uvloop=uvloop)
    return judged(subject, upstream, series, _raw(subject, load, upstream, effort, series, uvloop=uvloop))


def _raw(
    subject: Subject, load: Load, upstream: Upstream, effort: Effort, series: int, *, uvloop: bool
) -> dict[str, Any]:
    if subject.command:
        lines = Lines(subject.name, command_of(subject, upstream), upstream.env)
        return lines.run(load.at_once, effort, series, upstream.cpu_s)
    return _driven(subject, load, upstream, effort, series, uvloop=uvloop)


def judged(subject: Subject, upstream: Upstream, series: int, raw: dict[str, Any]) -> Measured:
    if "failed" in raw:
        return Measured(void=raw["failed"])
    counts = {int(number): count for number, count in raw["counts"].items()}
    lost = [n for n, count in counts.items() if subject.lost(upstream, query_text(series, n), count)]
    load = raw["sandbox_s"] / raw["wall_s"]
    void = f"{len(lost)} of {len(counts)} searches lost results" if lost else ""
    if not void and load > SATURATED:
        void = f"sandbox at {load:.0%} of a core"
    times = sorted(raw["ms"])
    return Measured(
        p50_ms=statistics.median(times),
        p99_ms=times[min(len(times) - 1, round(len(times) * 0.99))],
        cpu_ms=raw["cpu_s"] * 1000 / len(times),
        rate=len(times) / raw["wall_s"],
        load=load,
        searches=len(times),
        void=void,
    )


def _driven(
    subject: Subject, load: Load, upstream: Upstream, effort: Effort, series: int, *, uvloop: bool
) -> dict[str, Any]:
    task = {
        "subject": subject.module,
        "upstream": upstream.told,
        "at_once": load.at_once,
        "series": series,
        "uvloop": uvloop,
        **msgspec.to_builtins(effort),
    }
    command = [sys.executable, str(HERE / "driver.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=upstream.env) as child:
        assert child.stdin
        assert child.stdout
        child.stdin.write(json.dumps(task) + "\n")
        child.stdin.flush()
        if child.stdout.readline().strip() != "ready":
            return {"failed": f"{subject.name} did not start"}
        before = upstream.cpu_s()
        child.stdin.write("go\n")
        child.stdin.flush()
        line = child.stdout.readline()
        after = upstream.cpu_s()
    if child.returncode or not line:
        return {"failed": f"{subject.name} ended with code {child.returncode}"}
    return {**json.loads(line), "sandbox_s": after - before}


def command_of(subject: Subject, upstream: Upstream) -> list[str]:
    """A peer's command; `{upstream}` in it stands for the file that tells the sandbox's addresses."""
    return shlex.split(subject.command.replace("{upstream}", str(upstream.file)))


def _cold(subject: Subject, upstream: Upstream, series: int, times: int) -> Measured:
    """The middle of several starts, after one that fills the bytecode and file caches."""
    starts = [_start(subject, upstream, query_text(series, number)) for number in range(times + 1)][1:]
    return Measured(
        p50_ms=statistics.median(one.p50_ms for one in starts),
        p99_ms=max(one.p50_ms for one in starts),
        cpu_ms=statistics.median(one.cpu_ms for one in starts),
        peak_mib=statistics.median(one.peak_mib for one in starts),
        searches=times,
        void=next((one.void for one in starts if one.void), ""),
    )


def _start(subject: Subject, upstream: Upstream, query: str) -> Measured:
    typed, command = _cold_command(subject, upstream, query)
    launch = [sys.executable, "-I", "-S", str(HERE / "launch.py"), typed, *command]
    with tempfile.TemporaryDirectory() as home:
        ran = subprocess.run(launch, capture_output=True, text=True, env=upstream.at_home(home), check=True)
    seen = json.loads(ran.stdout)
    count = _counted(seen["output"])
    void = ""
    if seen["code"] or count is None:
        void = f"{subject.name} ended with code {seen['code']}: {ran.stderr.strip()[-200:]}"
    elif subject.lost(upstream, query, count):
        void = f"{count} results instead of {subject.fewest(upstream, query)}"
    ms = seen["wall_s"] * 1000
    return Measured(p50_ms=ms, cpu_ms=seen["cpu_s"] * 1000, peak_mib=seen["peak_kib"] / 1024, searches=1, void=void)


def _cold_command(subject: Subject, upstream: Upstream, query: str) -> tuple[str, list[str]]:
    """What is typed into the command, and the command."""
    if subject.command:
        return query + "\n", command_of(subject, upstream)
    if subject.module == "product":
        return "", [*upstream.product_command(), query]
    return "", [sys.executable, str(HERE / f"{subject.module}.py"), str(upstream.file), query]


def _counted(output: str) -> int | None:
    """The number of results in a subject's JSON: `results` of the two-line protocol, `total` less `deduped` of `fanseek search`."""
    try:
        told = json.loads(output)
        return int(told["total"] - told["deduped"] if "total" in told else told["results"])
    except (ValueError, KeyError, TypeError):
        return None
