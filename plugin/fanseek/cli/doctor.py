"""`fanseek doctor`: who answers, by which way, and what keeps the others from it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, cast

from fanseek.cli import arguments as flags
from fanseek.cli import exits, origins
from fanseek.cli.console import columns, is_terminal, write
from fanseek.cli.sandbox import add_shape
from fanseek.errors import UsageError

if TYPE_CHECKING:
    import anyio

    from fanseek.catalogue import Lang
    from fanseek.surface.doctor.examination import Case
    from fanseek.surface.doctor.report import Report

ENDS = {"ok": exits.OK, "none": exits.ALL_FAILED, "broken": exits.USAGE}
"""Exit codes by status; where nobody was asked, it counts whether somebody could have been."""

EPILOG = """exit code: 0 when at least one enabled backend answers the way the settings say (with --offline: when one is
enabled), 4 when none does, 2 when the settings can't be read, 130 after Ctrl-C"""


def add(subparsers: Any) -> None:
    """The command's arguments."""
    text = (
        "Say of each backend what it needs and whether it answers, and what is wrong with this machine's surroundings."
    )
    parser = subparsers.add_parser("doctor", help="what works, and what to do", description=text, epilog=EPILOG)
    parser.add_argument("--json", action="store_true", help="the whole report as JSON")
    parser.add_argument("--backends", type=flags.names, metavar="A,B", help="only these, also when they are off")
    parser.add_argument("--offline", action="store_true", help="ask nobody, look at settings and files only")
    parser.add_argument("--spend", action="store_true", help="ask also those whose every search costs tokens")
    origins.define(parser)
    made_up = parser.add_argument_group("without a network")
    made_up.add_argument("--sandbox", action="store_true", help="ask stand-ins on this machine")
    add_shape(cast("argparse.ArgumentParser", made_up))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Examine and print. Raises UsageError."""
    import logging

    import anyio

    logging.getLogger("fanseek").addHandler(logging.NullHandler())  # the report says it itself
    return anyio.run(_run, arguments)


async def _run(arguments: argparse.Namespace) -> int:
    from fanseek.cli.signals import interruption

    async with interruption() as interrupted:
        try:
            async with _case(arguments) as case:
                report = await _report(case, arguments, interrupted.stop)
                written = write(_document(report, case, arguments))
            code = written or interrupted.exit_code or _code(report)
        except UsageError as problem:
            raised = problem  # raised again outside of every task group
        else:
            return code
    raise raised


async def _report(case: Case, arguments: argparse.Namespace, stop: anyio.Event) -> Report:
    import time

    from fanseek.cli.progress import progress
    from fanseek.surface.doctor.examination import examined
    from fanseek.surface.doctor.probes import Unwatched

    drawn = progress(os.environ, arguments.lang)
    try:
        return await examined(case, clock=time.time, stop=stop, watch=drawn or Unwatched())
    finally:
        if drawn:
            drawn.clear()


@asynccontextmanager
async def _case(arguments: argparse.Namespace) -> AsyncIterator[Case]:
    """What is to be examined: the user's own surroundings, or a sandbox in their place. Raises UsageError."""
    from fanseek.config.dirs import config_file, folders
    from fanseek.guard.key_file import KeyFile, usual
    from fanseek.registry import backends
    from fanseek.surface.doctor.examination import Case

    given, shaped, own = origins.origins(arguments), flags.stand_in(arguments), folders(os.environ)
    case = Case(
        origins=given,
        backends=backends(),
        config=config_file(os.environ, arguments.config),
        key_file=KeyFile(usual(os.environ)),
        state=own.state,
        cache=own.cache,
        only=tuple(dict.fromkeys(arguments.backends)) if arguments.backends else None,
        offline=arguments.offline,
        spend=arguments.spend or shaped is not None,
    )
    if shaped is None:
        yield case
        return
    import msgspec

    from fanseek.sandbox import Sandbox

    with TemporaryDirectory(prefix="fanseek-", ignore_cleanup_errors=True) as place:
        async with Sandbox(**shaped) as box:
            inside = origins.in_sandbox(given, box)
            state = Path(place)
            yield msgspec.structs.replace(case, origins=inside, key_file=None, state=state, cache=state, synthetic=True)


def _document(report: Report, case: Case, arguments: argparse.Namespace) -> str:
    if arguments.json:
        import msgspec

        from fanseek.surface.json_text import as_json

        return as_json(msgspec.to_builtins(report))
    from fanseek.surface.doctor.page import page

    return page(report, _language(case, arguments), columns(sys.stdout) if is_terminal(sys.stdout) else None)


def _language(case: Case, arguments: argparse.Namespace) -> Lang:
    """As the settings say, where they can be read."""
    from fanseek.cli.tongue import before_settings, tongue
    from fanseek.errors import ConfigError

    try:
        setting = case.origins.load(case.backends).lang
    except ConfigError:
        return before_settings(arguments.lang, os.environ, sys.stdout)
    return tongue(setting, os.environ, sys.stdout)


def _code(report: Report) -> int:
    if report.status == "unasked":
        return exits.OK if any(one.enabled for one in report.backends) else exits.ALL_FAILED
    return ENDS[report.status]
