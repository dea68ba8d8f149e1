"""`fanseek sandbox`: a stand-in for every backend, served on loopback until it is told to stop."""

from __future__ import annotations

import argparse
import json
import os
import signal
import stat
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fanseek.cli.console import write

if TYPE_CHECKING:
    from fanseek.sandbox import Sandbox

EPILOG = """faults are written BACKEND=FAULT or BACKEND=FAULT:KEY=VALUE,…; BACKEND may be *
  --fault '*=hang:share=.1'   --fault NAME=503   --fault NAME=rate-limit:retry_after=30
an unknown name lists what there is; at run time POST {"backend": …, "faults": […]} to /__control"""


def add(subparsers: Any) -> None:
    """The command."""
    parser = subparsers.add_parser(
        "sandbox",
        help="serve a stand-in for every backend on loopback",
        description="Serve a stand-in for every backend on loopback. Results are synthetic, derived from the query.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--port", type=_number(int, 0, 65_535), default=0, help="port to listen on; 0 takes a free one (default)"
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON; ends when standard input does")
    add_shape(parser)
    parser.set_defaults(run=run)


def add_shape(parser: argparse.ArgumentParser) -> None:
    """The arguments that shape what a sandbox answers."""
    parser.add_argument("--fault", action="append", default=[], metavar="BACKEND=FAULT", help="may be repeated")
    parser.add_argument("--latency", metavar="MS", help="before every reply; or KEY=VALUE,… of fault latency")
    parser.add_argument("--overlap", type=_number(float, 0, 1), metavar="SHARE", help="results backends share (.5)")
    parser.add_argument("--results", type=_number(int, 0, 1000), metavar="N", help="results of each backend (10)")
    parser.add_argument("--seed", type=int, metavar="N", help="another one gives other results (1)")
    parser.add_argument("--cjk", action="store_true", help="Chinese, Japanese and Korean results to any query")


def shape(args: argparse.Namespace) -> dict[str, Any]:
    """Those arguments as the options of a Sandbox. Raises UsageError."""
    from fanseek.sandbox import parse_fault, parse_latency

    latency = [] if args.latency is None else [parse_latency(args.latency)]
    given = {
        name: value for name in ("overlap", "results", "seed", "cjk") if (value := getattr(args, name)) is not None
    }
    return {"faults": [*latency, *(parse_fault(text) for text in args.fault)], **given}


def shaping(args: argparse.Namespace) -> list[str]:
    """Which of those arguments were given."""
    given = {"--fault": args.fault, "--cjk": args.cjk}
    given |= {f"--{name}": getattr(args, name) is not None for name in ("latency", "overlap", "results", "seed")}
    return [name for name, value in given.items() if value]


def run(args: argparse.Namespace) -> int:
    """Serve until standard input closes (with --json, on a pipe), SIGTERM or Ctrl-C. Raises UsageError."""
    from importlib.util import find_spec

    import anyio

    options = {"use_uvloop": find_spec("uvloop") is not None and sys.platform != "win32"}
    with suppress(KeyboardInterrupt):
        anyio.run(_serve, args, backend_options=options)
    return 0


async def _serve(args: argparse.Namespace) -> None:
    import anyio
    from anyio.from_thread import BlockingPortal

    from fanseek.errors import UsageError
    from fanseek.sandbox import Sandbox

    box = Sandbox(port=args.port, **shape(args))
    try:
        await box.__aenter__()
    except OSError as problem:
        raise UsageError(f"can't listen on port {args.port}: {problem.strerror or problem}") from None
    stop = anyio.Event()
    try:
        async with BlockingPortal() as portal:
            if args.json and _is_pipe(sys.stdin):
                threading.Thread(target=_await_end, args=(portal, stop), daemon=True).start()
            async with anyio.create_task_group() as tasks:
                if sys.platform != "win32":
                    await tasks.start(_await_signal, stop)
                _announce(box, as_json=args.json)
                await stop.wait()
                tasks.cancel_scope.cancel()
    finally:
        await box.__aexit__(None, None, None)


async def _await_signal(stop: Any, *, task_status: Any) -> None:
    import anyio

    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for _ in signals:
            stop.set()


def _await_end(portal: Any, stop: Any) -> None:
    """Read standard input to its end, then stop; the portal may be gone by then."""
    with suppress(OSError):
        while os.read(sys.stdin.fileno(), 65_536):
            pass
    with suppress(RuntimeError):
        portal.call(stop.set)


def _is_pipe(stream: Any) -> bool:
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError, AttributeError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _announce(box: Sandbox, *, as_json: bool) -> None:
    if as_json:
        told = {"url": box.url, "urls": box.urls, "settings": box.settings(), "environment": box.environment}
        write(json.dumps(told) + "\n")
        return
    lines = [f"sandbox at {box.url} (results are synthetic; Ctrl-C ends it)"]
    lines += [f"  {key} = {json.dumps(value)}" for key, value in box.settings().items()]
    lines += [f"  {variable}={value}" for variable, value in box.environment.items()]
    write("\n".join(lines) + "\n")


def _number(kind: type[int | float], low: float, high: float) -> Callable[[str], float]:
    """A reader of numbers from `low` to `high`."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"must be {'a whole' if kind is int else 'a'} number from {low} to {high}")
        return value

    return read
