"""`fanseek history`: the last searches, and how to forget them."""

from __future__ import annotations

import argparse
import os
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fanseek.cli import exits
from fanseek.cli.arguments import positive
from fanseek.cli.console import complain, write

if TYPE_CHECKING:
    from fanseek.cache.history import HistoryEntry, HistoryFile

NONE = "No searches are kept.\n"
CLEARED = "The history is empty now.\n"


def add(subparsers: Any) -> None:
    """The command's arguments."""
    text = "Show the last searches, newest first, or forget them. What was found is not kept, only how much."
    parser = subparsers.add_parser("history", help="the last searches", description=text)
    parser.add_argument("-n", type=positive, metavar="N", help="only the last N")
    parser.add_argument("--clear", action="store_true", help="forget them all")
    parser.add_argument("--json", action="store_true", help="print as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show or clear the history of this user."""
    from fanseek.cache.history import FILE, HistoryFile
    from fanseek.config import folders

    file = HistoryFile(folders(os.environ).state / FILE)
    try:
        text = _cleared(file, arguments) if arguments.clear else _shown(file, arguments)
    except OSError as problem:
        done = "cleared" if arguments.clear else "read"
        complain(f"the history {file.path} can't be {done}: {problem.strerror or type(problem).__name__}")
        return exits.FAILURE
    return write(text)


def _cleared(file: HistoryFile, arguments: argparse.Namespace) -> str:
    file.clear()
    return '{"cleared": true}\n' if arguments.json else CLEARED


def _shown(file: HistoryFile, arguments: argparse.Namespace) -> str:
    entries = file.entries()[: arguments.n]
    if arguments.json:
        import msgspec

        from fanseek.surface.json_text import as_json

        return as_json({"entries": msgspec.to_builtins(entries)})
    return "".join(map(line, entries)) or NONE


def line(entry: HistoryEntry) -> str:
    """One search, for a person."""
    from fanseek.text.clean import plain

    results = f"{entry.result_count} result{'' if entry.result_count == 1 else 's'}"
    heard = f"{entry.backends_ok} of {entry.backends_total}"
    return f"{_moment(entry.time)}  {results:>10}  {heard:>8} answered  {plain(entry.query)}\n"


def _moment(milliseconds: int) -> str:
    """Local time, or as many blanks where the number is none."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000).astimezone():%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return " " * 19
