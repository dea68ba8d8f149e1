"""The engine of a command: in the user's own surroundings, or in a sandbox that ends with it."""

from __future__ import annotations

import argparse
import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from fanseek.cli import arguments as flags
from fanseek.cli.origins import in_sandbox, origins
from fanseek.config import folders
from fanseek.config.dirs import Folders
from fanseek.config.layers import Origins
from fanseek.engine import Engine, open_engine
from fanseek.guard.key_file import NAME as KEY_FILE
from fanseek.telemetry import Listener


@asynccontextmanager
async def opened(arguments: argparse.Namespace, listener: Listener) -> AsyncIterator[Engine]:
    """The engine that `arguments` ask for. Raises ConfigError, UsageError."""
    given, shaped, place = origins(arguments), flags.stand_in(arguments), folders(os.environ)
    async with AsyncExitStack() as stack:
        if shaped is not None:
            from fanseek.sandbox import Sandbox

            place = within(stack.enter_context(passing_folder()))
            given = in_sandbox(given, await stack.enter_async_context(Sandbox(**shaped)))
        yield await stack.enter_async_context(engine_in(place, given, listener))


def engine_in(place: Folders, given: Origins, listener: Listener | None) -> AbstractAsyncContextManager[Engine]:
    """An engine by what is `given`, which keeps all that it keeps in `place`."""
    return open_engine(
        given.settings,
        overrides=given.overrides,
        environment=given.environment,
        config_file=given.file,
        state_dir=place.state,
        cache_dir=place.cache,
        history_dir=place.state,
        key_file=place.config / KEY_FILE,
        on_event=listener,
    )


def passing_folder() -> TemporaryDirectory[str]:
    """A folder for what a sandbox's engine keeps; gone when the block ends."""
    return TemporaryDirectory(prefix="fanseek-", ignore_cleanup_errors=True)


def within(folder: str) -> Folders:
    """Everything in one folder."""
    place = Path(folder)
    return Folders(cache=place, state=place, config=place)
