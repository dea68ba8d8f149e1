"""`fanseek config`: what can be set."""

from __future__ import annotations

import argparse
from typing import Any

from fanseek.cli.console import write


def add(subparsers: Any) -> None:
    """The command and its parts."""
    parser = subparsers.add_parser("config", help="what can be set", description="What can be set.")
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    schema = parts.add_parser(
        "schema", help="print the settings as JSON Schema", description="Print the settings as JSON Schema."
    )
    schema.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    """Print the schema, byte for byte what settings_schema.json holds."""
    from fanseek.config.schema import settings_schema

    return write(settings_schema().decode("utf-8"))
