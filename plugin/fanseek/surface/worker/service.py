"""The worker's protocol, version 1: what can be asked before anything heavy is loaded, and who answers the rest."""

from __future__ import annotations

import platform
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

import anyio
import msgspec
from anyio.abc import TaskGroup

import fanseek
from fanseek.surface.loading import loaded
from fanseek.surface.stdio.message import WRONG_PARAMS, RpcError
from fanseek.surface.stdio.peer import Call, Dialect, Method
from fanseek.surface.stdio.pipes import Pipes
from fanseek.surface.stdio.serving import LONGEST, serve
from fanseek.surface.worker.asked import Initialize

if TYPE_CHECKING:
    from fanseek.surface.worker.engines import Engines

PROTOCOL = 1

METHODS = "fanseek.surface.worker.methods"
ENGINE_METHODS = {
    "search": "search",
    "status": "status",
    "test": "test",
    "history": "history",
    "history/clear": "clear",
    "schema": "schema",
}
"""Methods, and the functions there that answer them."""

GRACE_S = 1.0
"""A question in a pipe, `… | fanseek worker`, gets its answer."""

ABORTED = RpcError(-32000, "the search was aborted", {"code": "WEB_ABORTED", "retryable": False})


async def work(pipes: Pipes, *, longest: int = LONGEST) -> None:
    """Serve a host on `pipes` until it is gone."""
    async with anyio.create_task_group() as group:
        await serve(pipes, Worker(group).dialect, longest=longest)
        group.cancel_scope.cancel()


class Worker:
    """Answers one host. Engines live in `group`."""

    def __init__(self, group: TaskGroup) -> None:
        self._group = group
        self._engines: Engines | None = None
        self._loading = anyio.Lock()
        methods: dict[str, Method] = {"initialize": self._initialize, "ping": _ping}
        self.dialect = Dialect(
            methods=methods | {name: self._by_engine(function) for name, function in ENGINE_METHODS.items()},
            cancel=("cancel", "id"),
            cancelled=ABORTED,
            failed=_failed,
            grace_s=GRACE_S,
        )

    def _initialize(self, call: Call) -> dict[str, Any]:
        asked = msgspec.convert(call.params, Initialize).protocol
        if asked != PROTOCOL or isinstance(asked, bool):
            spoken = asked if isinstance(asked, int | float) else "(none)" if asked is None else "(no number)"
            raise RpcError(
                WRONG_PARAMS,
                f"the host speaks protocol {spoken}, and fanseek {fanseek.__version__} speaks protocol {PROTOCOL}: "
                f"install versions of both that belong together",
                {"protocol": PROTOCOL, "version": fanseek.__version__},
            )
        self._group.start_soon(self._loaded, name="fanseek loading")
        return {
            "protocol": PROTOCOL,
            "name": "fanseek",
            "version": fanseek.__version__,
            "python": platform.python_version(),
            "methods": [*ENGINE_METHODS],
        }

    def _by_engine(self, function: str) -> Method:
        async def answer(call: Call) -> Any:
            engines = await self._loaded()
            methods = import_module(METHODS)
            run: Callable[[Call, Engines], Awaitable[Any]] = getattr(methods, function)
            return await run(call, engines)

        return answer

    async def _loaded(self) -> Engines:
        """What answers the rest, loaded in a thread meanwhile."""
        async with self._loading:
            if self._engines is None:
                await loaded(METHODS)
                from fanseek.surface.worker.engines import Engines

                self._engines = Engines(self._group)
        return self._engines


def _ping(_call: Call) -> dict[str, Any]:
    return {}


def _failed(problem: Exception) -> RpcError:
    from fanseek.surface.worker.methods import failed

    return failed(problem)
