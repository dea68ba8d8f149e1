"""`fanseek cache`: what the result cache holds, and how to empty it."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from fanseek.cli import exits
from fanseek.cli.console import complain, write
from fanseek.cli.tongue import define, spoken

if TYPE_CHECKING:
    from fanseek.cache.entries import Entries


def add(subparsers: Any) -> None:
    """The command and its parts."""
    text = "What the result cache holds, and how to empty it."
    parser = subparsers.add_parser("cache", help="the result cache", description=text)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, work, help_text in (
        (
            "stats",
            _stats,
            "entries, bytes, and how often a search was found there, by every process since the last clear",
        ),
        ("clear", _clear, "remove every entry"),
    ):
        part = parts.add_parser(name, help=help_text, description=help_text)
        part.add_argument("--json", action="store_true", help="print as JSON")
        define(part)
        part.set_defaults(run=run, work=work)


def run(arguments: argparse.Namespace) -> int:
    """Look into the cache of this user, or empty it."""
    from fanseek.cache.entries import FOLDER, Entries
    from fanseek.catalogue import said
    from fanseek.config import folders

    entries = Entries(folders(os.environ).cache / FOLDER)
    try:
        found = arguments.work(entries)
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        lang = spoken(arguments, os.environ, sys.stderr)
        complain(said(lang, "cache.unusable", folder=entries.folder, reason=reason))
        return exits.FAILURE
    if arguments.json:
        from fanseek.surface.json_text import as_json

        return write(as_json(found))
    lang = spoken(arguments, os.environ, sys.stdout)
    return write("".join(said(lang, f"cache.{name}", value=value) + "\n" for name, value in found.items()))


def _stats(entries: Entries) -> dict[str, Any]:
    import msgspec

    return {"folder": str(entries.folder), **msgspec.to_builtins(entries.stats())}


def _clear(entries: Entries) -> dict[str, Any]:
    return {"folder": str(entries.folder), "removed": entries.clear()}
