"""One search for callers that are not async."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from anyio.from_thread import start_blocking_portal

from fanseek.config.settings import Settings
from fanseek.engine import open_engine
from fanseek.guard.keys import Credentials
from fanseek.telemetry import Listener
from fanseek.types import SearchResult


def search_sync(
    query: str,
    *,
    settings: Settings | Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
    config_file: Path | str | None = None,
    on_event: Listener | None = None,
    state_dir: Path | None = None,
    cache_dir: Path | None = None,
    history_dir: Path | None = None,
    credentials: Credentials | None = None,
    key_file: Path | None = None,
    **wishes: Any,
) -> SearchResult:
    """Opens an engine as `open_engine` does, searches once and closes it. `wishes` are those of `Engine.search`.

    It runs on a thread and an event loop of its own, so it also works where a loop is running (which it blocks).
    Raises as `Engine.search` does.
    """

    async def search() -> SearchResult:
        async with open_engine(
            settings,
            overrides=overrides,
            environment=environment,
            config_file=config_file,
            on_event=on_event,
            state_dir=state_dir,
            cache_dir=cache_dir,
            history_dir=history_dir,
            credentials=credentials,
            key_file=key_file,
        ) as engine:
            return await engine.search(query, **wishes)

    with start_blocking_portal() as portal:
        return portal.call(search)
