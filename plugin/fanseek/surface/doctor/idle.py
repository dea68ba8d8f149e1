"""Settings that are given and have no effect, each with the reason."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fanseek.config.environment import strangers
from fanseek.config.given import Given
from fanseek.config.layers import Layer, Layers
from fanseek.config.options import Option
from fanseek.config.settings import Settings
from fanseek.surface.doctor.report import Finding, finding

MASTERS = {
    "cache_ttl": "cache_enabled",
    "breaker_threshold": "breaker_enabled",
    "breaker_cooldown_ms": "breaker_enabled",
}
"""Settings of the core that another one switches off, by their fields."""


def idle(
    layers: Layers,
    table: Mapping[str, Option],
    settings: Settings,
    enabled: Mapping[str, bool],
    environment: Mapping[str, str],
) -> tuple[Finding, ...]:
    """All of them; `enabled` says which backends a search asks by itself."""
    unknown = (finding("idle.unknown", "problem", message=sentence) for sentence in strangers(environment))
    return (*unknown, *_outranked(layers, table.values()), *_switched_off(layers, table.values(), settings, enabled))


def _outranked(layers: Layers, options: Iterable[Option]) -> Iterator[Finding]:
    """What one layer says and a higher one says otherwise."""
    for option in options:
        winner, *lower = layers.said(option)
        for layer, given in lower:
            if layer != "default" and given.value != winner[1].value:
                yield finding("idle.outranked", key=option.key, place=place(layer, given), winner=place(*winner))


def _switched_off(
    layers: Layers, options: Iterable[Option], settings: Settings, enabled: Mapping[str, bool]
) -> Iterator[Finding]:
    known = {option.field: option for option in options if not option.backend}
    for option in options:
        (layer, given), *_ = layers.said(option)
        if layer == "default" or given.value == option.default:
            continue
        master = MASTERS.get(option.field, "") if not option.backend else ""
        if master and not getattr(settings, master):
            yield finding("idle.switched-off", key=option.key, switch=known[master].key)
        elif option.backend and not option.is_switch and not enabled.get(option.backend, True):
            yield finding("idle.backend", key=option.key, backend=option.backend)


def place(layer: Layer, given: Given) -> str:
    """Where a value was given: its variable, its line in the file, else its layer."""
    return f"{layer}, {given.source}" if layer == "file" and given.source else given.source or layer
