"""The key file: keys by name, readable by its owner alone."""

from __future__ import annotations

import logging
import os
import secrets
import stat
from collections.abc import Mapping
from pathlib import Path

import msgspec

from fanseek.errors import ConfigError

log = logging.getLogger("fanseek.guard")

NAME = "keys.json"
LARGEST = 262_144
"""Bytes that are read."""


class KeyFile:
    """One JSON object: a name, and its key or a list of keys. It is read again whenever it has changed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        """Why its keys are not used, and what to do; empty when they are."""
        self._seen: object = None
        self._keys: dict[str, str] = {}

    def keys(self) -> Mapping[str, str]:
        """The keys by name, several under one name by lines; none where the file can't be used."""
        seen = _state(self.path)
        if seen != self._seen:
            self._seen = seen
            try:
                self._keys, self.problem = self.read(), ""
            except ConfigError as problem:
                self._keys, self.problem = {}, str(problem)
                log.warning("%s", self.problem)
        return self._keys

    def read(self) -> dict[str, str]:
        """What the file holds; nothing where there is none. Raises ConfigError."""
        try:
            _check(self.path, self.path.stat())
            with self.path.open("rb") as file:
                _check(self.path, os.fstat(file.fileno()))
                body = file.read(LARGEST + 1)
        except FileNotFoundError:
            return {}
        except OSError as problem:
            raise ConfigError(f"the key file {_shown(self.path)} can't be read: {_reason(problem)}") from None
        try:
            held = msgspec.json.decode(body, type=dict[str, str | list[str]])
        except (msgspec.DecodeError, RecursionError):
            form = '{"NAME": "key", "OTHER": ["key", "key"]}'
            raise ConfigError(f"the key file {_shown(self.path)} is not JSON of the form {form}") from None
        return {name: value if isinstance(value, str) else "\n".join(value) for name, value in held.items()}

    def store(self, name: str, keys: list[str]) -> bool:
        """Keep `keys` under `name`; whether it had others. Raises ConfigError."""
        held = self.read()
        self._write({**held, name: "\n".join(keys)})
        return name in held

    def remove(self, name: str) -> bool:
        """Forget `name`; whether it was there. Raises ConfigError."""
        held = self.read()
        if name not in held:
            return False
        self._write({other: value for other, value in held.items() if other != name})
        return True

    def _write(self, held: Mapping[str, str]) -> None:
        several = {name: value.split("\n") for name, value in sorted(held.items())}
        kept = {name: keys if len(keys) > 1 else keys[0] for name, keys in several.items()}
        body = msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n"
        try:
            _put(Path(os.path.realpath(self.path)), body)
        except OSError as problem:
            raise ConfigError(f"the key file {_shown(self.path)} can't be written: {_reason(problem)}") from None


def _put(target: Path, body: bytes) -> None:
    """Make `target` hold `body`, by a file written aside and renamed, so that no one ever reads half of it."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = target.parent.stat()
    if os.name == "posix" and folder.st_mode & 0o022 and not folder.st_mode & stat.S_ISVTX:
        raise ConfigError(f"others can change the folder of the key file; run: chmod 700 {_quoted(target.parent)}")
    aside = target.with_name(f".{target.name}-{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(body)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)


def _check(path: Path, found: os.stat_result) -> None:
    """Raises ConfigError for what may not hold keys: no file, or one that others can read, change or own."""
    if not stat.S_ISREG(found.st_mode):
        raise ConfigError(f"the key file {_shown(path)} is not a file")
    if os.name != "posix":
        return
    if found.st_mode & 0o077:
        rule = "others than its owner may read or change it, so its keys are not used"
        raise ConfigError(f"the key file {_shown(path)}: {rule}; run: chmod 600 {_quoted(path)}")
    if os.geteuid() not in (0, found.st_uid):
        raise ConfigError(f"the key file {_shown(path)} belongs to another user, so its keys are not used")


def _state(path: Path) -> object:
    """What changes whenever the file does; None where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_mode


def _reason(problem: OSError) -> str:
    return problem.strerror or type(problem).__name__


def _shown(path: Path) -> str:
    from fanseek.config.file import shown

    return shown(path)


def _quoted(path: Path) -> str:
    from shlex import quote

    return quote(_shown(path))
