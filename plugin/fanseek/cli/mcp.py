"""`fanseek mcp`: the tools of a Model Context Protocol client, over standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from fanseek.cli import origins
from fanseek.cli.arguments import positive
from fanseek.cli.console import is_terminal, whisper, write
from fanseek.cli.sandbox import add_shape
from fanseek.surface.mcp.clients import CLIENTS, snippet

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from fanseek.engine import Engine
    from fanseek.telemetry import Listener


def add(subparsers: Any) -> None:
    """The command and its part."""
    text = "Serve the tools search and status to a Model Context Protocol client, over standard input and output."
    parser = subparsers.add_parser(
        "mcp", help="serve search as a tool, over standard input and output", description=text
    )
    add_shape(cast("argparse.ArgumentParser", _flags(parser)))  # a group takes arguments as a parser does
    parser.set_defaults(run=run)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND")
    words = "Print what to tell a client, so that it starts this server with the flags given here."
    config = parts.add_parser("config", help="print what to tell a client", description=words)
    config.add_argument("client", choices=CLIENTS)
    _flags(config)
    config.set_defaults(run=_config)


def _flags(parser: argparse.ArgumentParser) -> Any:
    """The flags of both; the group for those of a sandbox."""
    parser.add_argument("--structured", action="store_true", help="answer as JSON, too (structuredContent)")
    parser.add_argument("--max-chars", type=positive, metavar="N", help="the most characters of an answer (40000)")
    origins.define(parser)
    made_up = parser.add_argument_group("without a network")
    made_up.add_argument("--sandbox", action="store_true", help="ask stand-ins on this machine; results are made up")
    return made_up


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client is gone. Raises UsageError where there is nothing to talk through."""
    if is_terminal(sys.stdin):
        _explain("mcp.by-hand", arguments)
    from fanseek.surface.stdio.pipes import claimed

    pipes = claimed()
    import anyio

    from fanseek.cli.serving import served
    from fanseek.surface.mcp.service import MAX_CHARS, Manner, speak

    manner = Manner(
        max_chars=arguments.max_chars or MAX_CHARS, structured=arguments.structured, synthetic=arguments.sandbox
    )
    return anyio.run(served, partial(speak, pipes, partial(_opened, arguments), manner))


def _opened(arguments: argparse.Namespace, listener: Listener) -> AbstractAsyncContextManager[Engine]:
    from fanseek.cli.surroundings import opened

    return opened(arguments, listener)


def _config(arguments: argparse.Namespace) -> int:
    """Raises ConfigError where the server would not start with these flags."""
    from fanseek.cli.launcher import launcher

    origins.origins(arguments).layers()
    code = write(snippet(arguments.client, [*launcher(), "mcp", *_given(arguments)]))
    _explain(f"mcp.place.{arguments.client}", arguments)
    _explain("mcp.keys", arguments)
    return code


def _given(arguments: argparse.Namespace) -> list[str]:
    """The flags to be repeated."""
    from pathlib import Path

    flags = ["--structured"] if arguments.structured else []
    flags += ["--sandbox"] if arguments.sandbox else []
    for name in ("max_chars", "proxy", "lang"):
        if (value := getattr(arguments, name)) is not None:
            flags += [f"--{name.replace('_', '-')}", str(value)]
    for setting in arguments.set:
        flags += ["--set", setting]
    if arguments.config:
        flags += ["--config", str(Path(arguments.config).absolute())]
    return flags


def _explain(code: str, arguments: argparse.Namespace) -> None:
    """A sentence for the person at the terminal."""
    from fanseek.catalogue import said
    from fanseek.cli.tongue import before_settings

    whisper(said(before_settings(arguments.lang, os.environ, sys.stderr), code) + "\n")
