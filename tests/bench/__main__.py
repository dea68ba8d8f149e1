"""Benchmarks of Fanseek beside a floor, a naive aggregator and any peer, on the sandbox. One command:

    .venv/bin/python tests/bench                        all rows, a Markdown table on standard output
    .venv/bin/python tests/bench --write docs/bench.md  the same, written into a file as well
    .venv/bin/python tests/bench --quick                one short round, to see that everything runs
    .venv/bin/python tests/bench --peer NAME='COMMAND'  one more subject: a command that reads a query a line and
                                                        writes {"results": n, "ms": …} a line ("query" too, where
                                                        answers overtake); {upstream} in it is a JSON file with the
                                                        sandbox's addresses under "urls"; may be repeated

It needs `pip install -r tests/bench/requirements.txt`. Each subject runs in fresh processes, the sandbox in its own.
Query texts are new to the process, caches and pacing are off. Subjects take turns within a round, ratios are taken
within a round, the table shows medians. A figure is VOID when results were lost, or when the sandbox used more than
0.9 of a core: then the sandbox was measured and not the subject. Absolute times are this machine's alone.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from contextlib import ExitStack
from pathlib import Path

import msgspec

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from bench import table
from bench.run import Effort, Load, Measured, Subject, measure
from bench.upstream import WANTED, Upstream, started

PRODUCT = "fanseek"
GROWTH = 1.5
"""CPU a search at 32 at once may be this many times that at one."""

QUICK = Effort(searches=64, seconds=1, warm_up=8, starts=1)

FLOOR = Subject(name="floor", module="floor", fewest=lambda upstream, _: len(upstream.told["recorded"]))
NAIVE = Subject(name="naive", module="naive", fewest=Upstream.addresses)
OURS = Subject(name=PRODUCT, module="product", fewest=Upstream.pages)


def peer(argument: str) -> Subject:
    """`NAME=COMMAND`. A peer may fold mirrors into one or keep every spelling of an address, but lose nothing."""
    name, equals, command = argument.partition("=")
    if not (name and equals and command):
        raise argparse.ArgumentTypeError("must be NAME='COMMAND'")
    return Subject(name=name, command=command, fewest=Upstream.documents, most=Upstream.addresses)


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench", description="Benchmarks on the sandbox.")
    parser.add_argument("--peer", type=peer, action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="only these subjects")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--latency", type=int, action="append", default=[], metavar="MS", help="default 0 and 50")
    parser.add_argument("--at-once", type=int, action="append", default=[], metavar="N", help="default 1 and 32")
    parser.add_argument("--searches", type=int, default=400, help="searches a run")
    parser.add_argument("--seconds", type=float, default=4.0, help="the most a run may take")
    parser.add_argument("--uvloop", action="store_true", help="for every subject of this package")
    parser.add_argument("--quick", action="store_true", help="one short round")
    parser.add_argument("--write", type=Path, metavar="FILE")
    return parser.parse_args(argv)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be measured."""

    latencies: list[int]
    crowds: list[int]
    rounds: int
    effort: Effort
    uvloop: bool = False


def main(argv: list[str] | None = None) -> int:
    """The table; 1 when a required fact does not hold."""
    given = arguments(argv)
    subjects = [one for one in (FLOOR, NAIVE, OURS, *given.peer) if not given.only or one.name in given.only]
    asked = Asked(
        latencies=given.latency or [0, 50],
        crowds=sorted({1, *(given.at_once or [32])}),
        rounds=1 if given.quick else given.rounds,
        effort=QUICK if given.quick else Effort(searches=given.searches, seconds=given.seconds),
        uvloop=given.uvloop,
    )
    figures = taken(subjects, asked)
    text = report(figures, asked, [subject.name for subject in subjects])
    print(text)
    if given.write:
        given.write.write_text(f"# Benchmarks\n\n{text}\n", encoding="utf-8")
    return 0 if all(ratio is None or ratio <= GROWTH for ratio in _growth(figures, asked).values()) else 1


def taken(subjects: list[Subject], asked: Asked) -> table.Figures:
    """Every subject under every load, in turns that rotate from round to round."""
    figures: dict[tuple[str, Load], list[Measured]] = {}
    loads = [Load(wait, crowd) for wait in asked.latencies for crowd in asked.crowds] + [Load(asked.latencies[0], 0)]
    with ExitStack() as stack:
        upstreams = {wait: stack.enter_context(started(wait)) for wait in asked.latencies}
        for turn in range(asked.rounds):
            for place, load in enumerate(loads):
                series = 2 * (turn * len(loads) + place)
                for step in range(len(subjects)):
                    subject = subjects[(step + turn) % len(subjects)]
                    upstream = upstreams[load.latency_ms]
                    seen = measure(subject, load, upstream, asked.effort, series=series, uvloop=asked.uvloop)
                    figures.setdefault((subject.name, load), []).append(seen)
                    print(f"round {turn + 1}/{asked.rounds}: {subject.name}, {load.title}: {seen}", file=sys.stderr)
    return figures


def report(figures: table.Figures, asked: Asked, names: list[str]) -> str:
    """The table with what it was measured on, and the required facts."""
    rows = table.lines(asked.latencies, asked.crowds)
    about = (
        f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, {'uvloop' if asked.uvloop else 'asyncio'}; {asked.rounds} rounds, runs of at most "
        f"{asked.effort.searches} searches or {asked.effort.seconds:g} s; four backends, {WANTED} results each."
    )
    facts = [
        f"* CPU a search, {crowd} at once over one at a time, upstreams {wait} ms: {_said(ratio)} (at most {GROWTH})"
        for (wait, crowd), ratio in _growth(figures, asked).items()
    ]
    return "\n".join([about, "", table.markdown(rows, figures, names, PRODUCT), "", *facts])


def _growth(figures: table.Figures, asked: Asked) -> dict[tuple[int, int], float | None]:
    """CPU a search of the product in a crowd over that of one search at a time."""
    return {
        (wait, crowd): table.growth(figures[PRODUCT, Load(wait, crowd)], figures[PRODUCT, Load(wait, 1)])
        for wait in asked.latencies
        for crowd in asked.crowds
        if crowd > 1 and (PRODUCT, Load(wait, crowd)) in figures
    }


def _said(ratio: float | None) -> str:
    return "VOID" if ratio is None else f"{ratio:.2f}"


if __name__ == "__main__":
    sys.exit(main())
