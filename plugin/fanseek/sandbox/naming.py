"""Faults by name, and as a command line writes them."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from fanseek.config.rules import described
from fanseek.errors import UsageError
from fanseek.sandbox.faults import KINDS, Fault, Http, Latency, Own, name_of

EVERY = "*"
"""In place of a backend's name: all of them."""


def fault(name: str, own: Collection[str] = (), **options: Any) -> Fault:
    """The fault of that name, `own` being the names only this backend knows. Values may be text.

    Raises UsageError, which says what there is.
    """
    if name.isdigit():
        name, options = name_of(Http), {"status": name, **options}
    elif name in own and name not in KINDS:
        name, options = name_of(Own), {"what": name, **options}
    kind = KINDS.get(name)
    if kind is None:
        there = ", ".join(sorted({*KINDS, *own} - {name_of(Own)}))
        raise UsageError(f"no fault is named {name!r}; there are {there}")
    given = {key: _spelled(value) for key, value in options.items()}
    try:
        return msgspec.convert({"fault": name, **given}, kind, strict=False)
    except msgspec.ValidationError as problem:
        there = ", ".join(f"{field.name}={field.default}" for field in msgspec.structs.fields(kind))
        raise UsageError(f"fault {name}: {_wrong(kind, problem)}; its parameters are {there}") from None


def _wrong(kind: type[Fault], problem: msgspec.ValidationError) -> str:
    """What is wrong with a parameter of `kind`, in words."""
    place = re.search(r"`\$\.(\w+)`", str(problem))
    types = {field.name: field.type for field in msgspec.structs.fields(kind)}
    if place is None or place[1] not in types:
        return "it has no such parameter"
    return f"{place[1]} must be {described(msgspec.json.schema(types[place[1]]))}"


def parse_fault(text: str, known: Mapping[str, Collection[str]] | None = None) -> tuple[str, Fault]:
    """`BACKEND=FAULT` or `BACKEND=FAULT:KEY=VALUE,…` as a pair; BACKEND may be `*`.

    `known` maps each backend to the faults of its own, by default as the registry has them. A comma not followed
    by `KEY=` belongs to the value. Raises UsageError, which says what there is.
    """
    backend, equals, rest = text.partition("=")
    if not (equals and backend and rest):
        raise UsageError(f"a fault is written BACKEND=FAULT or BACKEND=FAULT:KEY=VALUE,…, not {text!r}")
    known = _registered() if known is None else known
    if backend != EVERY and backend not in known:
        raise UsageError(f"no backend is named {backend!r}; there are {', '.join(sorted(known))}, and * for all")
    name, _, parameters = rest.partition(":")
    return backend, fault(name, known.get(backend, ()), **_options(parameters))


def parse_latency(text: str) -> tuple[str, Fault]:
    """`MS`, or `KEY=VALUE,…` of the fault latency, for every backend. Raises UsageError."""
    return EVERY, fault(name_of(Latency), **(_options(text) if "=" in text else {"ms": text}))


def _registered() -> Mapping[str, Collection[str]]:
    from fanseek.registry import backends

    return {name: backend.mimic.faults for name, backend in backends().items() if backend.mimic}


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    last = ""
    for part in text.split(",") if text else ():
        name, equals, value = part.partition("=")
        if equals and name.replace("_", "").isalpha():
            last = name
            options[last] = value
        elif last:
            options[last] += f",{part}"
        else:
            raise UsageError(f"a parameter is written KEY=VALUE, not {part!r}")
    return options


def _spelled(value: Any) -> Any:
    """`.5` as 0.5, the way people write a share."""
    return f"0{value}" if isinstance(value, str) and re.fullmatch(r"\.[0-9]+", value) else value
