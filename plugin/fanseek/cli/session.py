"""One search of the command line from start to end: engine or sandbox, progress, signals."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable

import anyio
import msgspec

from fanseek.catalogue.language import DEFAULT, Choice
from fanseek.cli import arguments as flags
from fanseek.cli.origins import in_sandbox, origins
from fanseek.cli.progress import progress
from fanseek.cli.signals import interruption
from fanseek.cli.surroundings import engine_in, passing_folder, within
from fanseek.config import folders
from fanseek.config.dirs import Folders
from fanseek.config.layers import Origins
from fanseek.engine import Engine
from fanseek.errors import AllFailed, FanseekError, NothingUsable, UsageError
from fanseek.surface.text import SYNTHETIC
from fanseek.types import HEARD, Note, SearchResult


class Ended(msgspec.Struct, frozen=True, kw_only=True):
    """What a search came to; `error` says why it is none."""

    result: SearchResult
    error: FanseekError | None = None
    signal_code: int = 0
    telemetry: bool = True
    lang: Choice = DEFAULT

    @property
    def nothing_heard(self) -> bool:
        """Whether no backend answered."""
        return not any(outcome.status in HEARD for outcome in self.result.outcomes)


Show = Callable[[Ended, argparse.Namespace], int]
Shown = Callable[[Ended], int]


async def session(arguments: argparse.Namespace, show: Show) -> int:
    """Search and `show`; signals wait until what is shown is whole. Raises UsageError."""
    async with interruption() as interrupted:

        def shown(ended: Ended) -> int:
            return show(_marked(ended, interrupted.exit_code, synthetic=arguments.sandbox), arguments)

        code = await _searched(arguments, interrupted.stop, shown)
    if isinstance(code, UsageError):
        raise code
    return code


async def _searched(arguments: argparse.Namespace, stop: anyio.Event, shown: Shown) -> int | UsageError:
    """The exit code of a search in the user's own surroundings, or in a sandbox and a state that end with it.

    A usage error is handed back, for the caller to raise outside of every task group.
    """
    try:
        given = origins(arguments)
        shaped = flags.stand_in(arguments)
        if shaped is None:
            return await _asked(arguments, stop, shown, given, folders(os.environ))
    except UsageError as problem:
        return problem
    from fanseek.sandbox import Sandbox

    with passing_folder() as folder:
        async with Sandbox(**shaped) as box:
            try:
                return await _asked(arguments, stop, shown, in_sandbox(given, box), within(folder))
            except UsageError as problem:
                return problem


async def _asked(arguments: argparse.Namespace, stop: anyio.Event, shown: Shown, given: Origins, place: Folders) -> int:
    """Search and show, before the engine closes: what it still has to write holds up nobody. Raises UsageError."""
    drawn = progress(os.environ, arguments.lang)
    async with engine_in(place, given, drawn) as engine:
        try:
            ended = await _ended(engine, arguments, stop)
        finally:
            if drawn:
                drawn.clear()
        return shown(ended)


async def _ended(engine: Engine, arguments: argparse.Namespace, stop: anyio.Event) -> Ended:
    """Raises UsageError."""
    telemetry, lang = engine.settings.result_telemetry and not arguments.no_telemetry, engine.settings.lang
    query = flags.query(arguments)
    try:
        result = await engine.search(query, **flags.wishes(arguments), fresh=arguments.no_cache, stop=stop)
    except AllFailed as problem:
        return Ended(result=problem.result, error=problem, telemetry=telemetry, lang=lang)
    except NothingUsable as problem:
        said = Note(kind="nothing-usable", message=str(problem))
        return Ended(result=SearchResult(query=query, status="error", notes=(said,)), error=problem, lang=lang)
    return Ended(result=result, telemetry=telemetry, lang=lang)


def _marked(ended: Ended, signal_code: int, *, synthetic: bool) -> Ended:
    """The end with what the reader must be told of its circumstances."""
    result, notes = ended.result, list(ended.result.notes)
    if synthetic:
        notes.append(Note(kind=SYNTHETIC, message="made up by the sandbox; no search engine was asked"))
    if signal_code and any(outcome.status == "cancelled" for outcome in result.outcomes):
        notes.append(Note(kind="stopped", message="the search was ended by a signal before everyone had answered"))
    whole = msgspec.structs.replace(result, notes=tuple(notes))
    return msgspec.structs.replace(ended, result=whole, signal_code=signal_code)
