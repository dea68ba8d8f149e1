"""`fanseek search`: one search, printed."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Any

from fanseek.cli import arguments as flags
from fanseek.cli import exits
from fanseek.cli.console import complain, is_terminal, write
from fanseek.cli.tongue import tongue

if TYPE_CHECKING:
    from fanseek.cli.session import Ended


def add(subparsers: Any) -> None:
    """The command's arguments."""
    text = "Ask every enabled engine at once and print what they found."
    parser = subparsers.add_parser("search", help="search the web", description=text)
    flags.define(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Search and print. Raises UsageError."""
    import anyio

    from fanseek.cli.session import session

    return anyio.run(session, arguments, show)


def show(ended: Ended, arguments: argparse.Namespace) -> int:
    """Print what a search came to; the exit code."""
    if ended.nothing_heard and ended.signal_code:
        return ended.signal_code
    written = write(_document(ended, arguments)) if arguments.json or not ended.error else exits.OK
    if ended.error and not ended.signal_code:
        _explain(ended)
    return written or ended.signal_code or _code(ended, arguments)


def _document(ended: Ended, arguments: argparse.Namespace) -> str:
    if arguments.json:
        from fanseek.surface.json_text import as_json

        return as_json(ended.result.to_dict())
    from fanseek.surface.text import render

    return (
        render(
            ended.result,
            max_chars=arguments.max_chars,
            telemetry=ended.telemetry,
            lang=tongue(ended.lang, os.environ, sys.stdout),
            excerpt_chars=arguments.max_chars_per_result,
        )
        + "\n"
    )


def _explain(ended: Ended) -> None:
    """Why there is no result, in plain sentences on standard error."""
    from fanseek.catalogue import said
    from fanseek.catalogue.account import not_made, reasons, unreachable

    lang, outcomes = tongue(ended.lang, os.environ, sys.stderr), ended.result.outcomes
    if not outcomes and ended.error:
        whole = said(lang, "look-at-settings", message=str(ended.error), switch=_free_switch())
        complain(said(lang, f"error.{ended.error.code}", message=whole))
        return
    hint = unreachable(outcomes) and is_terminal(sys.stderr)
    complain(f"{not_made(outcomes, lang)} {said(lang, 'try-sandbox')}" if hint else not_made(outcomes, lang))
    for line in [] if unreachable(outcomes) and len(outcomes) > 1 else reasons(outcomes, lang):
        complain(line)


def _free_switch() -> str:
    """The switch of the first backend that needs nothing."""
    from fanseek.config.options import options
    from fanseek.registry import backends

    free = next(name for name, one in backends().items() if not one.needs and not one.costs_tokens)
    return next(key for key, option in options().items() if option.is_switch and option.backend == free)


def _code(ended: Ended, arguments: argparse.Namespace) -> int:
    if ended.error:
        return exits.code_of(ended.error)
    return exits.PARTIAL if arguments.strict and ended.result.status == "partial" else exits.OK
