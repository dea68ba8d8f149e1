"""Which language a person reads, by the setting `lang` and the locale."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Literal

from fanseek.catalogue import Lang

Choice = Literal["auto", "en", "zh"]
DEFAULT: Choice = "auto"

CHINESE = 0x04
"""The primary language of Chinese in Windows' language identifiers."""


def language(setting: Choice, environment: Mapping[str, str]) -> Lang:
    """The language to speak: the one that is set, else the locale's, else English."""
    if setting != "auto":
        return setting
    return "zh" if _first(environment).lower().startswith("zh") else "en"


def _first(environment: Mapping[str, str]) -> str:
    """The name of the locale for messages, by POSIX and GNU gettext: LANGUAGE counts unless the locale is C."""
    named = next((name for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(name)), "")
    locale = environment[named] if named else _system()
    if locale.partition(".")[0] in ("", "C", "POSIX"):
        return locale
    return environment.get("LANGUAGE", "").partition(":")[0] or locale


def _system() -> str:
    """The operating system's own word, where it does not use variables for it."""
    if sys.platform != "win32":
        return ""
    import ctypes

    identifier: int = ctypes.windll.kernel32.GetUserDefaultUILanguage()
    return "zh" if identifier & 0x3FF == CHINESE else "en"
