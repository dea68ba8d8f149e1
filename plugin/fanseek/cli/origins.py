"""Where a command's settings come from: its flags, the environment, the config file."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any, get_args

from fanseek.catalogue.language import Choice
from fanseek.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path

    from fanseek.config.layers import Origins
    from fanseek.sandbox import Sandbox


def define(parser: argparse.ArgumentParser) -> None:
    """Add the flags that give settings."""
    ways = parser.add_argument_group("settings")
    ways.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="any setting; repeatable")
    ways.add_argument("--proxy", metavar="WAY", help="auto, direct, or a proxy URL without a password")
    ways.add_argument("--lang", choices=get_args(Choice), help="the language of messages; auto is the locale's")
    ways.add_argument("--config", metavar="FILE", help="a config file in place of the usual one (fanseek config path)")


def origins(arguments: argparse.Namespace) -> Origins:
    """All of them. Raises ConfigError."""
    from fanseek.config.layers import Origins

    return Origins(overrides=_flags(arguments), environment=os.environ, file=file(arguments))


def file(arguments: argparse.Namespace) -> Path | None:
    """The config file; None where the usual one is not there. One that was named must be."""
    from fanseek.config.dirs import FILE, config_file, is_missing

    place = config_file(os.environ, arguments.config)
    named = arguments.config or os.environ.get(FILE, "").strip()
    return place if named or not is_missing(place) else None


def in_sandbox(own: Origins, box: Sandbox) -> Origins:
    """`own`, but for what would lead out of the sandbox: its addresses and keys, and no proxy."""
    from fanseek.config.environment import CHOICE
    from fanseek.config.layers import Origins
    from fanseek.config.options import PREFIX, options

    table = options()
    given = box.settings()
    pinned = {key: value for key, value in given.items() if table[key].is_base_url or value == "off"}
    settings = {name: value for name, value in own.environment.items() if name.startswith(PREFIX) or name in CHOICE}
    said = own.layers().file
    return Origins(
        overrides={**own.overrides, **pinned, "proxy": "direct"},
        environment={**settings, **box.environment},
        settings={key: value for key, value in given.items() if key not in pinned and key not in said},
        file=own.file,
    )


def _flags(arguments: argparse.Namespace) -> dict[str, Any]:
    """The settings given as flags. Raises ConfigError, also for a password: command lines are seen by others."""
    from fanseek.config import from_text
    from fanseek.config.urls import has_userinfo

    own = [f"{key}={value}" for key in ("proxy", "lang") if (value := getattr(arguments, key)) is not None]
    given = from_text([*arguments.set, *own])
    if has_userinfo(str(given.get("proxy", ""))):
        raise ConfigError("a proxy with a password does not belong on a command line; put it into FANSEEK_PROXY")
    return given
