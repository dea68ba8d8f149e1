"""Which backends a search asks, with what, and why the others are not asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from fanseek.config.secrets import stored
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend, AnyOperation, BackendSettings, KeyedSettings
from fanseek.errors import NothingUsable, UsageError, policy_of
from fanseek.guard.breaker import Breaker
from fanseek.guard.exhausted import exhausted
from fanseek.guard.keys import Found, Keys
from fanseek.guard.rotation import Rotation
from fanseek.select.request import Wish
from fanseek.select.tailoring import tailored
from fanseek.types import Outcome, SearchRequest


class Own(msgspec.Struct, frozen=True, kw_only=True):
    """A backend's settings with the first of its keys in them, and all of its keys."""

    settings: BackendSettings
    found: Found = Found()

    @property
    def told(self) -> BackendSettings:
        """All that the backend is told, in a form that does not depend on the order of its keys."""
        return with_key(self.settings, self.found.together)


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One backend to be asked, the first of its keys in its settings."""

    backend: AnyBackend
    operation: AnyOperation
    settings: BackendSettings
    request: SearchRequest
    found: Found = Found()
    variant: int = 0
    """0 is the query itself, others count its parts."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """Who is asked, the query itself before its parts, and the outcomes of those who were considered and are not."""

    asked: tuple[Ask, ...]
    skipped: tuple[Outcome, ...] = ()

    @property
    def first(self) -> tuple[Ask, ...]:
        """Those asked for the query itself: each backend once."""
        return tuple(ask for ask in self.asked if not ask.variant)


def plan(
    wish: Wish,
    settings: Settings,
    backends: Mapping[str, AnyBackend],
    *,
    breaker: Breaker,
    keys: Keys,
    rotation: Rotation,
) -> Plan:
    """The plan for `wish`. Raises UsageError for an unknown backend, NothingUsable when nobody can be asked."""
    ready: list[Ask] = []
    skipped: list[Outcome] = []
    for known in _considered(wish, backends):
        own = resolved(known, settings, keys)
        backend = known.set_by(own.settings)
        keyless = lacks_key(backend, own.settings)
        if wish.backends is None and not _enabled(backend, own.settings, keyless=keyless):
            continue
        operation = backend.operations[wish.request.kind]
        if keyless:
            skipped.append(_without_key(backend, own.found, keys.strangers(own.found.name)))
        else:
            ready += (
                Ask(
                    backend=backend,
                    operation=operation,
                    settings=own.settings,
                    request=tailored(wanted, operation),
                    found=own.found,
                    variant=number,
                )
                for number, wanted in enumerate(wish.requests)
            )
    if not ready:
        raise NothingUsable(_nothing(skipped))
    cooling = {ask.backend.name: outcome for ask in ready if (outcome := _cooling(ask, breaker, rotation))}
    if any(ask.backend.name not in cooling for ask in ready):
        skipped += cooling.values()
        ready = [ask for ask in ready if ask.backend.name not in cooling]
    return Plan(asked=tuple(sorted(ready, key=lambda ask: ask.variant)), skipped=tuple(skipped))


def told(backend: AnyBackend, settings: Settings) -> BackendSettings:
    """What the user told the backend, else its defaults; never a key."""
    own: BackendSettings = settings.backends.get(backend.name) or backend.settings()
    return own


def resolved(backend: AnyBackend, settings: Settings, keys: Keys) -> Own:
    """The backend's settings, the keys they refer to filled in."""
    said = told(backend, settings)
    found = keys.find(said)
    return Own(settings=with_key(said, found.first), found=found)


def with_key(own: BackendSettings, key: str) -> BackendSettings:
    """`own` with `key` in it, where it takes one."""
    return msgspec.structs.replace(own, key=key) if isinstance(own, KeyedSettings) else own


def lacks_key(backend: AnyBackend, own: BackendSettings) -> bool:
    """Whether the key this backend needs is missing and its settings do not let it be asked without one."""
    return "key" in backend.needs and not (getattr(own, "key", "") or getattr(own, "keyless", False))


def usable(backend: AnyBackend, own: BackendSettings) -> bool:
    """Whether a search would ask this backend by itself, its key being in `own`."""
    backend = backend.set_by(own)
    return not lacks_key(backend, own) and _enabled(backend, own, keyless=False)


def _considered(wish: Wish, backends: Mapping[str, AnyBackend]) -> Sequence[AnyBackend]:
    serving = [backend for backend in backends.values() if wish.request.kind in backend.operations]
    if wish.backends is None:
        return serving
    names = {backend.name for backend in serving}
    if strangers := [name for name in wish.backends if name not in names]:
        shown = ", ".join(repr(name[:40]) for name in strangers[:5])
        raise UsageError(f"unknown backend {shown}; known: {', '.join(sorted(names))}")
    return [backend for backend in serving if backend.name in wish.backends]


def _enabled(backend: AnyBackend, own: BackendSettings, *, keyless: bool) -> bool:
    if own.enabled == "auto":
        return not keyless and not backend.costs_tokens
    return own.enabled == "on"


def _without_key(backend: AnyBackend, found: Found, strangers: Sequence[str]) -> Outcome:
    where = stored(found.name) if found.name else "name its variable in its apiKeyEnv setting"
    remarks = (*found.remarks, *(f"{name} is set and is not a name that is read" for name in strangers))
    why = f" ({'; '.join(remarks)})" if remarks else ""
    get = f" (keys: {backend.docs.get_key})" if backend.docs.get_key else ""
    return Outcome(
        backend=backend.name,
        status="skipped",
        code="CREDENTIAL_MISSING",
        message=f"not asked: it needs a key and none was found{why}; {where}{get}",
    )


def _cooling(ask: Ask, breaker: Breaker, rotation: Rotation) -> Outcome | None:
    """The outcome of a backend that is left alone for now, or that no key is left for; None when it can be asked."""
    name = ask.backend.name
    turns = rotation.resting(name, ask.found.keys)
    if turns.first is not None:
        return exhausted(name, ask.found, turns, rotation.now())
    rest, reason = breaker.rest(name), breaker.circuit(name).reason
    if rest <= 0:
        return None
    policy = policy_of(reason)
    return Outcome(
        backend=name,
        status="skipped",
        code=policy.code if policy else "",
        retryable=True,
        retry_after_s=rest,
        message=f"circuit open ({reason}), retry in {max(1, round(rest))} s",
    )


def _nothing(skipped: Sequence[Outcome]) -> str:
    if not skipped:
        return "no backend is enabled: turn one on in the settings (its enable… key in unified-search)"
    reasons = "; ".join(f"{outcome.backend}: {outcome.message}" for outcome in skipped)
    return f"no backend can be asked, see the settings (unified-search): {reasons}"
