"""The measurements as a Markdown table: medians over rounds, ratios taken within a round."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence

import msgspec

from bench.run import Load, Measured

Figures = Mapping[tuple[str, Load], Sequence[Measured]]
"""By subject and load, one measurement a round."""


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table. `high` says that more is better."""

    title: str
    load: Load
    of: Callable[[Measured], float]
    high: bool = False
    digits: int = 1


def lines(latencies: Sequence[int], crowds: Sequence[int]) -> list[Line]:
    """Every row, in the table's order."""
    rows: list[Line] = []
    for wait in latencies:
        rows += [
            Line(title=f"added latency p50, ms, upstreams {wait} ms", load=Load(wait, 1), of=_added(wait, "p50_ms")),
            Line(title=f"added latency p99, ms, upstreams {wait} ms", load=Load(wait, 1), of=_added(wait, "p99_ms")),
        ]
    for at_once in crowds:
        for wait in latencies:
            where = f"{at_once} at once, upstreams {wait} ms"
            rows += [
                Line(title=f"CPU a search, ms, {where}", load=Load(wait, at_once), of=lambda m: m.cpu_ms, digits=2),
                Line(title=f"searches a second, {where}", load=Load(wait, at_once), of=lambda m: m.rate, high=True),
            ]
    cold = Load(latencies[0], 0)
    return [
        *rows,
        Line(title="cold start to exit, ms", load=cold, of=lambda m: m.p50_ms, digits=0),
        Line(title="cold start, CPU ms", load=cold, of=lambda m: m.cpu_ms, digits=0),
        Line(title="peak memory of one search, MiB", load=cold, of=lambda m: m.peak_mib),
    ]


def _added(wait: int, field: str) -> Callable[[Measured], float]:
    return lambda measured: float(getattr(measured, field)) - wait


def markdown(rows: Sequence[Line], figures: Figures, subjects: Sequence[str], product: str) -> str:
    """The table, then why what is void is void."""
    others = [name for name in subjects if name != product]
    head = ["", *subjects, *[f"{product} / {name}" for name in others]]
    out = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    for row in rows:
        cells = [_cell(row, figures[name, row.load]) for name in subjects]
        cells += [_ratio(row, figures[product, row.load], figures[name, row.load]) for name in others]
        out.append("| " + " | ".join([row.title, *cells]) + " |")
    reasons = _reasons(figures)
    return "\n".join([*out, "", *reasons]) if reasons else "\n".join(out)


def _cell(row: Line, rounds: Sequence[Measured]) -> str:
    kept = [row.of(measured) for measured in rounds if not measured.void]
    if not kept:
        return "VOID"
    return f"{statistics.median(kept):.{row.digits}f}"


def _ratio(row: Line, ours: Sequence[Measured], theirs: Sequence[Measured]) -> str:
    """The middle ratio, and the span where there is more than one round."""
    ratios = sorted(
        row.of(a) / row.of(b) for a, b in zip(ours, theirs, strict=True) if not (a.void or b.void) and row.of(b) > 0
    )
    if not ratios:
        return "VOID"
    middle = f"{statistics.median(ratios):.2f}"
    return middle if len(ratios) == 1 else f"{middle} ({ratios[0]:.2f}–{ratios[-1]:.2f})"


def _reasons(figures: Figures) -> list[str]:
    said: dict[str, int] = {}
    for (name, load), rounds in figures.items():
        for measured in rounds:
            if measured.void:
                text = f"{name}, {load.title}: {measured.void}"
                said[text] = said.get(text, 0) + 1
    return [f"* void: {text}" + (f" ({times} rounds)" if times > 1 else "") for text, times in said.items()]


def growth(ours: Sequence[Measured], one: Sequence[Measured]) -> float | None:
    """CPU a search of a crowd over that of one at a time, the middle of the rounds' ratios; None when all are void."""
    ratios = [a.cpu_ms / b.cpu_ms for a, b in zip(ours, one, strict=True) if not (a.void or b.void)]
    return statistics.median(ratios) if ratios else None
