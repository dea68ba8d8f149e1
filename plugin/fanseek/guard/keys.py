"""Keys by reference: looked up at each call in one place after the other, and hidden from every message once seen."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

import msgspec

from fanseek.contract import BackendSettings, KeyedSettings
from fanseek.guard.key_file import KeyFile
from fanseek.guard.key_shape import fault, slot, split

log = logging.getLogger("fanseek.guard")

Hide = Callable[[str], None]
"""Takes note of a secret that no message may show."""

Credentials = Callable[[str], str | None]
"""A host's own store of keys, asked by name at each call: it must answer at once and from memory."""

Place = Literal["", "settings", "credentials", "environment", "key file"]

MOST_NUMBERED = 9
"""NAME_1 to NAME_9 belong to NAME."""


class Key(msgspec.Struct, frozen=True):
    """One key; only its slot is ever shown."""

    value: str
    place: int
    """Its place among those of one reference, from 1."""

    @property
    def slot(self) -> str:
        """What it is called in messages."""
        return slot(self.place, self.value)

    def __repr__(self) -> str:
        return f"Key({self.slot})"


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a reference leads to. All keys come from one place, the first that has any."""

    name: str = ""
    place: Place = ""
    variables: tuple[str, ...] = ()
    """The names they stood under: NAME itself, NAMES, NAME_1, NAME_2 …"""
    keys: tuple[Key, ...] = ()
    remarks: tuple[str, ...] = ()
    """What was there and is not used, and why; for a person."""

    @property
    def first(self) -> str:
        """The first key's value; empty when there is none."""
        return self.keys[0].value if self.keys else ""

    @property
    def together(self) -> str:
        """All of them as one text that does not depend on their order. It never leaves memory."""
        return "\n".join(sorted(key.value for key in self.keys))


def _nothing(_secret: str) -> None:
    """Where no message leaves the process."""


class Keys:
    """The keys that settings refer to: of a host's credentials, else of the environment, else of a key file."""

    def __init__(
        self,
        environment: Mapping[str, str],
        hide: Hide = _nothing,
        *,
        credentials: Credentials | None = None,
        file: KeyFile | None = None,
    ) -> None:
        self._environment = environment
        self._hide = hide
        self._credentials = credentials
        self.file = file
        self._complained = False

    def find(self, own: BackendSettings) -> Found:
        """The keys in `own`, or those its reference leads to."""
        if not isinstance(own, KeyedSettings):
            return Found()
        if own.key:
            return self._taken(own.api_key_env, "settings", {"": own.key}, [])
        return self.look(own.api_key_env)

    def look(self, name: str) -> Found:
        """What `name` leads to now."""
        remarks: list[str] = []
        for place, values in self._places(name):
            found = self._taken(name, place, values, remarks)
            if found.keys:
                return found
        return Found(name=name, remarks=tuple(remarks))

    def also(self, name: str) -> tuple[Place, ...]:
        """Every place that holds something under `name`, the one that counts first."""
        return tuple(place for place, _values in self._places(name))

    def strangers(self, name: str) -> tuple[str, ...]:
        """Variables of the environment whose names begin like `name` and that are not read for it."""
        read = set(numbered(name))
        return tuple(sorted(one for one in self._environment if name and one.startswith(name) and one not in read))

    def _places(self, name: str) -> Iterator[tuple[Place, dict[str, str]]]:
        """Each place that holds anything under `name`, in order."""
        if not name:
            return
        if self._credentials is not None and (values := dict(self._of_host(self._credentials, name))):
            yield "credentials", values
        if values := _held(self._environment.get, numbered(name)):
            yield "environment", values
        if self.file is not None and (values := _held(self.file.held().get, numbered(name))):
            yield "key file", values

    def _of_host(self, credentials: Credentials, name: str) -> Iterator[tuple[str, str]]:
        """The host's keys under `name`; behind NAME_2 up to the first gap, so that it is not asked in vain."""
        for one in numbered(name):
            if value := self._asked(credentials, one):
                yield one, value
            elif one not in numbered(name)[:3]:
                return

    def _asked(self, credentials: Credentials, name: str) -> str:
        try:
            value = credentials(name)
        except Exception as problem:  # noqa: BLE001 - a host's fault must not cost a search
            if not self._complained:
                self._complained = True
                log.warning("the host's credentials can't be read (%s)", type(problem).__name__)
            return ""
        return value.strip() if isinstance(value, str) else ""

    def _taken(self, name: str, place: Place, values: Mapping[str, str], remarks: list[str]) -> Found:
        """The keys in `values`, each once; what is none of them is added to `remarks`."""
        whole: dict[str, None] = {}
        variables = []
        for variable, value in values.items():
            parts = split(value)
            good = [part for part in parts if not fault(part)]
            remarks += [f"{variable or name} ({place}): {why}" for why in dict.fromkeys(map(fault, parts)) if why]
            if good:
                variables.append(variable)
                whole.update(dict.fromkeys(good))
        keys = tuple(Key(value, number) for number, value in enumerate(whole, 1))
        for key in keys:
            self._hide(key.value)
        return Found(name=name, place=place, variables=tuple(variables), keys=keys, remarks=tuple(remarks))


def numbered(name: str) -> tuple[str, ...]:
    """The names that are read for `name`: itself, its plural, and both of them numbered."""
    return (name, f"{name}S", *(f"{name}_{number}" for number in range(1, MOST_NUMBERED + 1)))


def _held(get: Callable[[str], str | None], names: Iterable[str]) -> dict[str, str]:
    """Those of `names` that hold something."""
    return {name: value for name in names if (value := (get(name) or "").strip())}
