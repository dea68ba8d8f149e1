"""`fanseek history`: the last searches, and how to forget them."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fanseek.cli import exits
from fanseek.cli.arguments import positive
from fanseek.cli.console import complain, write
from fanseek.cli.tongue import define, spoken

if TYPE_CHECKING:
    from fanseek.cache.history import HistoryEntry, HistoryFile
    from fanseek.catalogue import Lang


def add(subparsers: Any) -> None:
    """The command's arguments."""
    text = "Show the last searches, newest first, or forget them. What was found is not kept, only how much."
    parser = subparsers.add_parser("history", help="the last searches", description=text)
    parser.add_argument("-n", type=positive, metavar="N", help="only the last N")
    parser.add_argument("--clear", action="store_true", help="forget them all")
    parser.add_argument("--json", action="store_true", help="print as JSON")
    define(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Show or clear the history of this user."""
    from fanseek.cache.history import FILE, HistoryFile
    from fanseek.catalogue import said
    from fanseek.config import folders

    file = HistoryFile(folders(os.environ).state / FILE)
    try:
        text = _cleared(file, arguments) if arguments.clear else _shown(file, arguments)
    except OSError as problem:
        code = "history.uncleared" if arguments.clear else "history.unread"
        reason = problem.strerror or type(problem).__name__
        complain(said(spoken(arguments, os.environ, sys.stderr), code, file=file.path, reason=reason))
        return exits.FAILURE
    return write(text)


def _cleared(file: HistoryFile, arguments: argparse.Namespace) -> str:
    from fanseek.catalogue import said

    file.clear()
    if arguments.json:
        return '{"cleared": true}\n'
    return said(spoken(arguments, os.environ, sys.stdout), "history.cleared") + "\n"


def _shown(file: HistoryFile, arguments: argparse.Namespace) -> str:
    entries = file.entries()[: arguments.n]
    if arguments.json:
        import msgspec

        from fanseek.surface.json_text import as_json

        return as_json({"entries": msgspec.to_builtins(entries)})
    from fanseek.catalogue import said

    lang = spoken(arguments, os.environ, sys.stdout)
    return "".join(f"{line(entry, lang)}\n" for entry in entries) or said(lang, "history.none") + "\n"


def line(entry: HistoryEntry, lang: Lang) -> str:
    """One search, for a person."""
    from fanseek.catalogue import said
    from fanseek.text.clean import plain

    number = entry.result_count
    results = said(lang, "history.results.one" if number == 1 else "history.results", number=number)
    heard = said(lang, "history.heard", ok=entry.backends_ok, all=entry.backends_total)
    return f"{_moment(entry.time)}  {results:>10}  {heard:>17}  {plain(entry.query)}"


def _moment(milliseconds: int) -> str:
    """Local time, or as many blanks where the number is none."""
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000).astimezone():%Y-%m-%d %H:%M:%S}"
    except (ValueError, OverflowError, OSError):
        return " " * 19
