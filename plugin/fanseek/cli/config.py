"""`fanseek config`: what can be set, what is set, and where that was said."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from fanseek.cli import origins
from fanseek.cli.console import write

if TYPE_CHECKING:
    from fanseek.cli.explanation import Explanation
    from fanseek.config.options import Option


def add(subparsers: Any) -> None:
    """The command and its parts."""
    text = "What can be set, what is set, and where that was said."
    parser = subparsers.add_parser("config", help="what is set, what can be set, and where", description=text)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    show = _part(parts, "show", _show, "print the settings that differ from their defaults")
    show.add_argument("--all", action="store_true", help="every setting")
    explain = _part(parts, "explain", _explain, "say who decided a setting, and what the others say")
    explain.add_argument("key", metavar="KEY", help="a setting, or its variable")
    for part in (show, explain):
        part.add_argument("--json", action="store_true", help="as JSON")
        origins.define(part)
    path = _part(parts, "path", _path, "print where the config file is, or would be")
    path.add_argument("--config", metavar="FILE", help="a config file in place of the usual one")
    _part(parts, "schema", _schema, "print the settings as JSON Schema")


def _part(parts: Any, name: str, run: Any, text: str) -> argparse.ArgumentParser:
    part: argparse.ArgumentParser = parts.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    part.set_defaults(run=run)
    return part


def _show(arguments: argparse.Namespace) -> int:
    """Raises ConfigError."""
    explanation = _explanation(arguments)
    chosen = explanation.chosen(every=arguments.all)
    if arguments.json:
        return _print({"file": _file(arguments), "settings": {one.key: explanation.facts(one) for one in chosen}})
    none = "# every setting has its default; `fanseek config show --all` prints them"
    return write("\n".join([explanation.line(one) for one in chosen] or [none]) + "\n")


def _explain(arguments: argparse.Namespace) -> int:
    """Raises ConfigError."""
    option, explanation = _named(arguments.key), _explanation(arguments)
    if arguments.json:
        return _print({"key": option.key, **explanation.facts(option)})
    return write(explanation.paragraph(option) + "\n")


def _path(arguments: argparse.Namespace) -> int:
    from fanseek.config.dirs import config_file

    return write(f"{config_file(os.environ, arguments.config)}\n")


def _schema(_arguments: argparse.Namespace) -> int:
    """Byte for byte what settings_schema.json holds."""
    from fanseek.config.schema import settings_schema

    return write(settings_schema().decode("utf-8"))


def _explanation(arguments: argparse.Namespace) -> Explanation:
    from fanseek.cli.explanation import Explanation
    from fanseek.config.dirs import config_file
    from fanseek.config.options import options

    layers = origins.origins(arguments).layers()
    return Explanation(options().values(), layers, config_file(os.environ, arguments.config))


def _named(key: str) -> Option:
    """The option that `key` names, by its key or its variable, in any spelling. Raises ConfigError."""
    from fanseek.config.load import unknown
    from fanseek.config.options import options
    from fanseek.errors import ConfigError

    table = options()
    names = {_plain(name): one for one in table.values() for name in (one.key, one.variable)}
    if _plain(key) not in names:
        raise ConfigError(unknown(key, table))
    return names[_plain(key)]


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _file(arguments: argparse.Namespace) -> str | None:
    """The config file that was read; None where there is none."""
    place = origins.file(arguments)
    return None if place is None else str(place)


def _print(whole: dict[str, Any]) -> int:
    import json

    return write(json.dumps(whole, indent=2, ensure_ascii=False) + "\n")
