"""Bytes cut into lines, however they arrive."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.surface.stdio.lines import HEAD, Splitter, TooLong


@given(st.lists(st.binary(max_size=40).map(lambda one: one.replace(b"\n", b"")), max_size=8), st.data())
def test_lines_do_not_depend_on_how_their_bytes_arrive(lines: list[bytes], data: st.DataObject) -> None:
    whole = b"".join(line + b"\n" for line in lines)
    cuts = sorted(data.draw(st.sets(st.integers(0, len(whole)), max_size=6)))
    splitter = Splitter(1000)
    found = [
        line
        for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True)
        for line in splitter.feed(whole[start:end])
    ]
    assert found == lines
    assert splitter.rest() == []


def test_what_no_line_feed_ends_is_a_line_at_the_end() -> None:
    splitter = Splitter(10)
    assert splitter.feed(b"one\ntw") == [b"one"]
    assert splitter.rest() == [b"tw"]


@pytest.mark.parametrize(("size", "fits"), [(10, True), (11, False)])
def test_the_longest_line_is_still_one(size: int, fits: bool) -> None:
    (line,) = Splitter(10).feed(b"x" * size + b"\n")
    assert line == (b"x" * size if fits else TooLong(b"x" * size, size))


def test_a_line_that_is_too_long_costs_no_memory_and_not_the_next_one() -> None:
    """64 MB in one line: its beginning and its size are known, and the line behind it is read."""
    splitter = Splitter(1000)
    tracemalloc.start()
    for _ in range(1024):
        assert splitter.feed(bytes(bytearray(b"y" * 65_536))) == []
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    assert splitter.feed(b"\nnext\n") == [TooLong(b"y" * HEAD, 64 * 1024 * 1024), b"next"]
