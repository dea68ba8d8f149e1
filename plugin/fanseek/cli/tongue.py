"""Which language a command speaks to whoever looks at a stream."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING, TextIO

from fanseek.cli.console import is_terminal

if TYPE_CHECKING:
    from fanseek.catalogue import Lang
    from fanseek.catalogue.language import Choice

VARIABLE = "FANSEEK_LANG"
SAMPLE = "中文"


def tongue(setting: Choice, environment: Mapping[str, str], stream: TextIO | None) -> Lang:
    """The language of the setting or the locale; English on a terminal that can't show Chinese."""
    from fanseek.catalogue.language import language

    found = language(setting, environment)
    return "en" if found == "zh" and not _shows(stream) else found


def define(parser: argparse.ArgumentParser) -> None:
    """Let a command that needs no other setting be asked for a language."""
    from typing import get_args

    from fanseek.catalogue.language import Choice

    parser.add_argument("--lang", choices=get_args(Choice), help="the language of messages; auto is the locale's")
    parser.set_defaults(set=[], proxy=None, config=None)


def spoken(arguments: argparse.Namespace, environment: Mapping[str, str], stream: TextIO | None) -> Lang:
    """The language by flag, settings and locale; settings that can't be read are no reason to say nothing."""
    from fanseek.cli.origins import origins
    from fanseek.errors import ConfigError

    try:
        setting = origins(arguments).load().lang
    except ConfigError:
        return before_settings(arguments.lang, environment, stream)
    return tongue(setting, environment, stream)


def before_settings(asked: Choice | None, environment: Mapping[str, str], stream: TextIO | None) -> Lang:
    """The language where settings can't be read: the one that was `asked` for, or that of the variable."""
    given = asked or environment.get(VARIABLE, "").strip()
    setting: Choice = "en" if given == "en" else "zh" if given == "zh" else "auto"
    return tongue(setting, environment, stream)


def _shows(stream: TextIO | None) -> bool:
    if stream is None or not is_terminal(stream):
        return True
    try:
        SAMPLE.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
