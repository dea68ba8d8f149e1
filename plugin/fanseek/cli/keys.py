"""`fanseek keys`: which keys are looked for and found, and the key file. No key is ever printed."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from typing import TYPE_CHECKING, Any, TextIO

from fanseek.catalogue import said
from fanseek.cli import exits, origins
from fanseek.cli.console import complain, is_terminal, write
from fanseek.cli.tongue import tongue
from fanseek.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fanseek.catalogue import Lang
    from fanseek.cli.key_inventory import Inventory
    from fanseek.guard.key_file import KeyFile

LARGEST = 65_536
"""Bytes of standard input that are read."""

NEVER_HERE = (
    "a key is read from standard input, never from the command line, where others can see it and the shell keeps it: "
    "run `fanseek keys set NAME` and type it there; the one just given may have to be replaced"
)


def add(subparsers: Any) -> None:
    """The command and its parts."""
    text = "Which keys are looked for, and where they were found; keep keys in a file that only you can read."
    parser = subparsers.add_parser("keys", help="what keys there are", description=text)
    parts = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    keep = _part(parts, "set", _set, "keep a key, or several, under a name; they are read from standard input")
    keep.add_argument("name", metavar="NAME", help="one of those that `fanseek keys list` shows")
    keep.add_argument("rest", nargs=argparse.REMAINDER, help=argparse.SUPPRESS).required = False
    shown = _part(parts, "list", _list, "print which keys are looked for and where they were found, masked")
    shown.add_argument("--json", action="store_true", help="as JSON")
    forget = _part(parts, "remove", _remove, "take a name and its keys out of the key file")
    forget.add_argument("name", metavar="NAME")
    for part in (shown, forget):
        origins.define(part)
    keep.set_defaults(set=[], proxy=None, lang=None, config=None)


def _part(parts: Any, name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
    part: argparse.ArgumentParser = parts.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    part.set_defaults(run=run)
    return part


def _set(arguments: argparse.Namespace) -> int:
    """Raises UsageError and ConfigError."""
    from fanseek.guard.key_shape import slot

    if arguments.rest:
        raise UsageError(NEVER_HERE)
    inventory, name = _inventory(arguments), arguments.name
    inventory.check(name)
    keys = keys_typed(said(_language(arguments, sys.stderr), "keys.ask", name=name))
    file = inventory.file
    try:
        replaced = file.store(name, keys)
    except OSError as problem:
        return _unwritten(file, problem, arguments)
    slots = ", ".join(slot(place, key) for place, key in enumerate(keys, 1))
    code, lang = "keys.replaced" if replaced else "keys.kept", _language(arguments, sys.stdout)
    lines = [said(lang, code, name=name, slots=slots, file=file.shown), *inventory.hidden_by(name, lang)]
    return write("\n".join(lines) + "\n")


def _remove(arguments: argparse.Namespace) -> int:
    """Raises ConfigError."""
    inventory, name = _inventory(arguments), arguments.name
    inventory.check_shape(name)
    file = inventory.file
    try:
        removed = file.remove(name)
    except OSError as problem:
        return _unwritten(file, problem, arguments)
    if not removed:
        complain(said(_language(arguments, sys.stderr), "keys.unheld", file=file.shown))
        return exits.USAGE
    lang = _language(arguments, sys.stdout)
    lines = [said(lang, "keys.removed", name=name, file=file.shown), *inventory.hidden_by(name, lang)]
    return write("\n".join(lines) + "\n")


def _list(arguments: argparse.Namespace) -> int:
    """Raises ConfigError."""
    inventory = _inventory(arguments)
    if arguments.json:
        import json

        return write(json.dumps(inventory.facts(), indent=2, ensure_ascii=False) + "\n")
    return write("\n".join(inventory.lines(_language(arguments, sys.stdout))) + "\n")


def _inventory(arguments: argparse.Namespace) -> Inventory:
    from fanseek.cli.key_inventory import inventory

    return inventory(origins.origins(arguments).load())


def _language(arguments: argparse.Namespace, stream: TextIO | None) -> Lang:
    return tongue(origins.origins(arguments).load().lang, os.environ, stream)


def keys_typed(prompt: str) -> list[str]:
    """The keys on standard input; asked for where a person types. Raises UsageError."""
    return _keys(_typed(prompt))


def _typed(prompt: str) -> bytes:
    """What stands on standard input; asked for without an echo where a person types. Raises UsageError."""
    if sys.stdin is None:
        raise UsageError("there is no standard input to read the key from")
    if is_terminal(sys.stdin):
        return _asked(prompt)
    try:
        return sys.stdin.buffer.read(LARGEST + 1)
    except OSError as problem:
        raise UsageError(f"standard input can't be read: {problem.strerror}") from None


def _asked(prompt: str) -> bytes:
    """What is typed on the terminal. An interruption goes through Python here, or the terminal would stay mute."""
    from getpass import getpass

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return getpass(prompt).encode(errors="surrogateescape")
    except EOFError:
        return b""
    finally:
        signal.signal(signal.SIGINT, before)


def _keys(typed: bytes) -> list[str]:
    """The keys in what was typed. Raises UsageError, which shows nothing of it."""
    from fanseek.guard.key_shape import fault, split

    if len(typed) > LARGEST:
        raise UsageError("that is too long for keys")
    try:
        text = typed.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("that is not text in UTF-8") from None
    keys = split(text)
    if not keys:
        raise UsageError("no key was given: it is read from standard input")
    for place, key in enumerate(keys, 1):
        if why := fault(key):
            which = f"key {place} of {len(keys)}" if len(keys) > 1 else "the key"
            raise UsageError(f"{which} is refused: {why}; nothing was changed")
    return keys


def _unwritten(file: KeyFile, problem: OSError, arguments: argparse.Namespace) -> int:
    why = problem.strerror or type(problem).__name__
    complain(said(_language(arguments, sys.stderr), "keys.unwritten", file=file.shown, message=why))
    return exits.FAILURE
