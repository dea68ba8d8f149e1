"""A command that serves until the other side is gone, or a signal ends it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from fanseek.cli.signals import Interruption, interruption


async def served(serve: Callable[[], Awaitable[None]]) -> int:
    """Run `serve`; the exit code: 0, or 128 plus the number of the signal that ended it."""
    raised: Exception | None = None
    async with interruption() as interrupted:
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(_until_interrupted, interrupted, group.cancel_scope)
                await serve()
                group.cancel_scope.cancel()
        except Exception as problem:  # noqa: BLE001 - raised again outside of the block, which must not raise
            raised = problem
    if raised is not None:
        raise raised
    return interrupted.exit_code


async def _until_interrupted(interrupted: Interruption, scope: anyio.CancelScope) -> None:
    await interrupted.stop.wait()
    scope.cancel()
