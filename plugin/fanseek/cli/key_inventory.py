"""Every name a key is looked for under, with what was found there: in words and as JSON, keys masked."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import anyio
import msgspec

from fanseek.catalogue import Lang, listed, said
from fanseek.config.dirs import folders
from fanseek.config.rules import VARIABLE
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, KeyedSettings
from fanseek.errors import UsageError
from fanseek.guard.key_file import KeyFile, usual
from fanseek.guard.key_shape import masked
from fanseek.guard.keys import Found, Key, Keys, numbered
from fanseek.guard.rotation import Rotation, Turns
from fanseek.registry import backends as registered
from fanseek.select.plan import told
from fanseek.state.store import opened
from fanseek.text.instants import iso

Resting = dict[tuple[str, Key], Turns]


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """One name, the backends that look for a key under it, and what there is."""

    name: str
    backends: tuple[AnyBackend, ...]
    found: Found
    remarks: tuple[str, ...]

    @property
    def needed(self) -> bool:
        """Whether some backend is never asked without it."""
        return any("key" in backend.needs for backend in self.backends)


class Inventory:
    """The names that `settings` refer to, looked up in the environment and the key file."""

    def __init__(self, settings: Settings, environment: Mapping[str, str], backends: Mapping[str, AnyBackend]) -> None:
        self.file = KeyFile(usual(environment))
        self._keys = Keys(environment, file=self.file)
        self._environment = environment
        owners: dict[str, list[AnyBackend]] = defaultdict(list)
        for backend in backends.values():
            own = told(backend, settings)
            if isinstance(own, KeyedSettings) and own.api_key_env:
                owners[own.api_key_env].append(backend)
        self._owners = owners

    def check_shape(self, name: str) -> None:
        """Raises UsageError, which does not repeat it, for what can't be a name."""
        if not VARIABLE.fullmatch(name):
            raise UsageError(
                "NAME is a name that `fanseek keys list` shows (upper-case letters, digits and _), not the key itself"
            )

    def check(self, name: str) -> None:
        """Raises UsageError for a name that nothing would ever be looked for under."""
        self.check_shape(name)
        known = [one for reference in self._owners for one in numbered(reference)]
        if name not in known:
            near = get_close_matches(name, self._owners, n=1, cutoff=0.6)
            hint = f"; the nearest one is {near[0]}" if near else ""
            raise UsageError(f"no backend looks for a key under this name: {', '.join(sorted(self._owners))}{hint}")

    def hidden_by(self, name: str, lang: Lang) -> list[str]:
        """What stands before the key file, where something does."""
        held = [one for one in numbered(self._reference_of(name)) if self._environment.get(one, "").strip()]
        return [said(lang, "keys.outranked", names=listed(lang, held))] if held else []

    def _reference_of(self, name: str) -> str:
        return next((reference for reference in self._owners if name in numbered(reference)), name)

    def references(self) -> list[Reference]:
        """Every name, in order."""
        return [self._reference(name, tuple(owners)) for name, owners in sorted(self._owners.items())]

    def _reference(self, name: str, owners: tuple[AnyBackend, ...]) -> Reference:
        found = self._keys.look(name)
        unread = [f"{one} is set and is not a name that is read" for one in self._keys.strangers(name)]
        later = [place for place in self._keys.also(name) if found.place and place != found.place]
        passed = [f"there is something in the {place} too, which is not used" for place in later]
        return Reference(name=name, backends=owners, found=found, remarks=(*found.remarks, *unread, *passed))

    def unused(self) -> list[str]:
        """Names in the key file that no backend looks for; what may be a key in a name's place is not repeated."""
        known = {one for reference in self._owners for one in numbered(reference)}
        others = self.file.held().keys() - known
        return sorted({name if VARIABLE.fullmatch(name) else "(a name that is not repeated here)" for name in others})

    def facts(self) -> dict[str, Any]:
        """All of it as plain JSON types."""
        resting = self._resting()
        return {
            "file": {"path": self.file.shown, "problem": self.file.problem},
            "keys": [_facts(reference, resting) for reference in self.references()],
            "unused": self.unused(),
        }

    def lines(self, lang: Lang) -> Iterator[str]:
        """All of it for a person; remarks are English."""
        resting = self._resting()
        for reference in self.references():
            yield from _lines(reference, resting, lang)
        for name in self.unused():
            yield said(lang, "keys.unused", name=name)
        yield said(lang, "keys.file" if self.file.there else "keys.file.none", file=self.file.shown)
        if self.file.problem:
            yield f"  {self.file.problem}"

    def _resting(self) -> Resting:
        pairs = [(backend.name, one.found) for one in self.references() for backend in one.backends if one.found.keys]
        return anyio.run(_rested, folders(self._environment).state, pairs) if pairs else {}


def inventory(settings: Settings) -> Inventory:
    """The inventory of this process's own surroundings."""
    return Inventory(settings, os.environ, registered())


async def _rested(state: Path, pairs: Sequence[tuple[str, Found]]) -> Resting:
    """For each backend and key that rests, until when and why."""
    store = opened(state)
    rotation = Rotation(store, time.time)
    await rotation.refresh()
    turns = {(name, key): rotation.resting(name, [key]) for name, found in pairs for key in found.keys}
    await store.close()
    return {which: turn for which, turn in turns.items() if turn.first is not None}


def _facts(reference: Reference, resting: Resting) -> dict[str, Any]:
    return {
        "name": reference.name,
        "backends": [backend.name for backend in reference.backends],
        "needed": reference.needed,
        "place": reference.found.place,
        "variables": list(reference.found.variables),
        "slots": [_slot(reference, key, resting) for key in reference.found.keys],
        "remarks": list(reference.remarks),
        "getKey": _source(reference),
    }


def _slot(reference: Reference, key: Key, resting: Resting) -> dict[str, Any]:
    rests = [
        {"backend": backend.name, "until": iso(time.time() + turns.rest_s), "reason": turns.reason}
        for backend in reference.backends
        if (turns := resting.get((backend.name, key))) is not None
    ]
    return {"slot": key.place, "shown": masked(key.value), "rests": rests}


def _lines(reference: Reference, resting: Resting, lang: Lang) -> Iterator[str]:
    names = listed(lang, (backend.name for backend in reference.backends))
    code = "keys.needed" if reference.needed else "keys.optional"
    yield said(lang, code, name=reference.name, backends=names, found=_found(reference, lang))
    for key in reference.found.keys:
        rests = [
            said(
                lang,
                "keys.rests",
                backend=one["backend"],
                until=one["until"],
                kind=said(lang, f"status.{one['reason']}"),
            )
            for one in _slot(reference, key, resting)["rests"]
        ]
        yield f"  {key.slot}{''.join(rests)}"
    yield from (f"  {remark}" for remark in reference.remarks)


def _found(reference: Reference, lang: Lang) -> str:
    """Where keys were found, or where some are to be had."""
    found, source = reference.found, _source(reference)
    if not found.keys:
        return said(lang, "keys.none.get", get=source) if source else said(lang, "keys.none")
    others = "" if found.variables == (reference.name,) else f" ({', '.join(found.variables)})"
    return said(lang, f"keys.place.{found.place}") + others


def _source(reference: Reference) -> str:
    return next((backend.docs.get_key for backend in reference.backends if backend.docs.get_key), "")
