"""Each backend before it is asked: whether it is enabled, what it needs, and the addresses it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from fanseek.config.layers import Layers
from fanseek.config.options import Option
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, AnyOperation, BackendSettings, KeyedSettings, McpCall, Request, SearchRequest
from fanseek.engine.probing import QUERY
from fanseek.fanout.call import origin_of
from fanseek.guard.keys import Keys
from fanseek.select.plan import Own, lacks_key, resolved, usable
from fanseek.surface.doctor.idle import place
from fanseek.surface.doctor.report import Finding, KeyNeed, Level, finding

KIND = "search"


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """One backend as the settings make it."""

    backend: AnyBackend
    settings: BackendSettings
    """Without a key in it."""
    enabled: bool
    keyless: bool
    """Whether a key is missing that it can't be asked without."""
    switch: Option
    key: KeyNeed | None
    findings: tuple[Finding, ...]
    stops: tuple[Stop, ...]


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """One origin of a backend, and that backend with no other."""

    origin: str
    """Scheme, host and port; empty where no request can be built."""
    backend: AnyBackend


def candidate(
    known: AnyBackend, settings: Settings, keys: Keys, layers: Layers, table: Mapping[str, Option]
) -> Candidate:
    """`known` as `settings` make it."""
    own = resolved(known, settings, keys)
    backend = known.set_by(own.settings)
    switch = next(option for option in table.values() if option.backend == known.name and option.is_switch)
    enabled, keyless = usable(known, own.settings), lacks_key(backend, own.settings)
    bare = settings.backends.get(known.name) or known.settings()
    found = (
        *(() if enabled else _off(backend, own, layers, switch)),
        *(finding("key.unusable", "problem", message=remark) for remark in own.found.remarks),
    )
    return Candidate(
        backend=backend,
        settings=bare,
        enabled=enabled,
        keyless=keyless,
        switch=switch,
        key=_key(backend, own),
        findings=(*found, *(_strangers(own, keys) if keyless else ())),
        stops=tuple(_stops(backend, own.settings)),
    )


def _off(backend: AnyBackend, own: Own, layers: Layers, switch: Option) -> Iterator[Finding]:
    """Why a search does not ask it."""
    off = own.settings.enabled == "off"
    if off:
        yield finding("off.setting", key=switch.key, place=place(*layers.said(switch)[0]))
    if lacks_key(backend, own.settings):
        level: Level = "problem" if own.settings.enabled == "on" else "note"
        reference = own.found.name
        code = ("off.key" if backend.docs.get_key else "off.key.unsaid") if reference else "off.reference"
        yield finding(code, level, reference=reference, get=backend.docs.get_key, backend=backend.name)
    elif not off:
        yield finding("off.costs", key=switch.key)


def _strangers(own: Own, keys: Keys) -> Iterator[Finding]:
    for name in keys.strangers(own.found.name):
        yield finding("key.stranger", "problem", name=name, reference=own.found.name)


def _key(backend: AnyBackend, own: Own) -> KeyNeed | None:
    if not isinstance(own.settings, KeyedSettings):
        return None
    return KeyNeed(
        reference=own.settings.api_key_env,
        required="key" in backend.needs and not getattr(own.settings, "keyless", False),
        place=own.found.place,
        keys=len(own.found.keys),
        get_key=backend.docs.get_key,
    )


def _stops(backend: AnyBackend, own: BackendSettings) -> Iterator[Stop]:
    """Each origin by itself; one without an address where none can be built, so that asking says why."""
    operation = backend.operations[KIND]
    try:
        request = operation.build(SearchRequest(query=QUERY), own)
    except Exception:  # noqa: BLE001 - a raising build is an outcome of the call
        yield Stop(origin="", backend=msgspec.structs.replace(backend, as_set=None))
        return
    origins = list(dict.fromkeys(origin_of(address.url) for address in _addresses(request)))
    for origin in origins:
        one = backend if len(origins) == 1 else _narrowed(backend, operation, origin)
        yield Stop(origin=origin, backend=msgspec.structs.replace(one, as_set=None))


def _narrowed(backend: AnyBackend, operation: AnyOperation, origin: str) -> AnyBackend:
    """`backend` under a name of its own that asks `origin` alone."""

    def build(search: SearchRequest, own: BackendSettings) -> Request | McpCall:
        request = operation.build(search, own)
        first, *others = [one for one in _addresses(request) if origin_of(one.url) == origin] or [request]
        return msgspec.structs.replace(first, alternatives=tuple(others)) if isinstance(first, Request) else first

    one = msgspec.structs.replace(operation, build=build)
    name = f"{backend.name} at {origin.partition('://')[2]}"
    return msgspec.structs.replace(backend, name=name, operations={**backend.operations, KIND: one})


def _addresses(request: Request | McpCall) -> tuple[Request | McpCall, ...]:
    return (request, *request.alternatives) if isinstance(request, Request) else (request,)
