"""`fanseek worker`: searches for a host, over standard input and output."""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

from fanseek.cli.arguments import positive


def add(subparsers: Any) -> None:
    """The command's arguments."""
    text = (
        "Search for a host that speaks JSON-RPC on standard input and output, one message a line (docs/worker.md). "
        "Settings and keys come with each request. Ends when standard input does."
    )
    parser = subparsers.add_parser("worker", help="search for a host, over standard input and output", description=text)
    parser.add_argument("--longest-line", type=positive, metavar="BYTES", help="the most a message may have (8 MiB)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve until the host is gone. Raises UsageError where there is nothing to talk through."""
    from fanseek.surface.stdio.pipes import claimed

    pipes = claimed()
    import anyio

    from fanseek.cli.serving import served
    from fanseek.surface.stdio.serving import LONGEST
    from fanseek.surface.worker.service import work

    return anyio.run(served, partial(work, pipes, longest=arguments.longest_line or LONGEST))
