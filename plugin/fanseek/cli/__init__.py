"""The command `fanseek`."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from fanseek.cli import exits
from fanseek.cli.console import complain, whisper, write
from fanseek.errors import FanseekError

if TYPE_CHECKING:
    from fanseek.catalogue.language import Choice

COMMANDS = ("search", "history", "cache", "doctor", "parse", "sandbox", "config", "keys", "worker", "mcp", "dsh")
"""Each is a module here with `add(subparsers)`, which sets `run(arguments) -> exit code` on its parser."""

_VALUE = re.compile(r"(invalid (?:\w+ value|choice)): .*?(?= \(choose from|\Z)", re.DOTALL)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    parser = _parser()
    arguments, strangers = parser.parse_known_args(argv)
    if strangers:
        parser.error(f"unknown arguments: {_names_only(strangers)}")
    try:
        code: int = arguments.run(arguments)
    except FanseekError as problem:
        complain(_worded(problem, getattr(arguments, "lang", None)))
        return exits.code_of(problem)
    except KeyboardInterrupt:
        return exits.INTERRUPTED
    return code


class _Parser(argparse.ArgumentParser):
    """Shortened flags are refused, and a wrong value is not repeated: it could be a pasted key."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"allow_abbrev": False, **kwargs})

    def _print_message(self, message: str, file: Any = None) -> None:
        if message and file is not sys.stderr and (code := write(message)):
            self.exit(code)
        elif message and file is sys.stderr:
            whisper(message)

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        complain(_VALUE.sub(r"\1", message))
        self.exit(exits.USAGE)


class _Version(argparse.Action):
    """Prints the version, looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> NoReturn:
        from fanseek import __version__

        parser.exit(write(f"fanseek {__version__}\n"))


def _worded(problem: FanseekError, asked: Choice | None) -> str:
    """What is said of `problem`; `asked` is the language asked for on the command line."""
    from fanseek.catalogue import said
    from fanseek.cli.tongue import before_settings

    return said(before_settings(asked, os.environ, sys.stderr), f"error.{problem.code}", message=problem)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="fanseek",
        description="One web search over many engines at once, merged, and honest about what happened.",
        epilog="Keys are read from the environment or the key file (fanseek keys), never from the command line.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name in COMMANDS:
        import_module(f"{__name__}.{name}").add(commands)
    return parser


def _names_only(strangers: Sequence[str]) -> str:
    """Flags without their values."""
    return ", ".join(one.partition("=")[0] for one in strangers if one.startswith("-")) or "too many values"
