"""The key file: keys by name, readable by its owner alone."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import msgspec

from fanseek.cache.replacing import replace
from fanseek.config.dirs import folders
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

    @property
    def shown(self) -> str:
        """The path, safe to show."""
        return _shown(self.path)

    @property
    def there(self) -> bool:
        """Whether there is such a file."""
        return _state(self.path) is not None

    def held(self) -> Mapping[str, str]:
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
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as problem:
            raise ConfigError(f"the key file {_shown(self.path)} can't be read: {problem.strerror}") from None
        try:
            held = msgspec.json.decode(body, type=dict[str, str | list[str]])
        except (msgspec.DecodeError, RecursionError):
            form = '{"NAME": "key", "OTHER": ["key", "key"]}'
            raise ConfigError(f"the key file {_shown(self.path)} is not JSON of the form {form}") from None
        return {name: value if isinstance(value, str) else "\n".join(value) for name, value in held.items()}

    def store(self, name: str, keys: list[str]) -> bool:
        """Keep `keys` under `name`; whether it had others. Raises ConfigError, and OSError from writing."""
        held = self.read()
        self._write({**held, name: "\n".join(keys)})
        return name in held

    def remove(self, name: str) -> bool:
        """Forget `name`; whether it was there. Raises as `store` does."""
        held = self.read()
        if name not in held:
            return False
        self._write({other: value for other, value in held.items() if other != name})
        return True

    def _write(self, held: Mapping[str, str]) -> None:
        several = {name: value.split("\n") for name, value in sorted(held.items())}
        kept = {name: keys if len(keys) > 1 else keys[0] for name, keys in several.items()}
        body = msgspec.json.format(msgspec.json.encode(kept), indent=2) + b"\n"
        target = Path(os.path.realpath(self.path))
        _check_folder(target.parent)
        replace(target, body, durable=True)


def usual(environment: Mapping[str, str]) -> Path:
    """Where this user's key file is, or would be."""
    return folders(environment).config / NAME


def _check_folder(folder: Path) -> None:
    """Raises ConfigError where others could put a file of theirs in the place of ours."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    mode = folder.stat().st_mode
    if os.name == "posix" and mode & 0o022 and not mode & stat.S_ISVTX:
        raise ConfigError(f"others can change the folder of the key file; run: chmod 700 {_quoted(folder)}")


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


def _shown(path: Path) -> str:
    from fanseek.config.file import shown

    return shown(path)


def _quoted(path: Path) -> str:
    from shlex import quote

    return quote(_shown(path))
