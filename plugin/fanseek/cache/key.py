"""The name a search has in the cache: a hash of everything that changes its answer, and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from typing import Any
from urllib.parse import urlsplit

import msgspec

from fanseek.config.settings import Settings
from fanseek.contract import BackendSettings
from fanseek.types import SCHEMA, SearchRequest

FORM = 4
"""Version of merging, ranking and reading: raised when the same search would come out otherwise than before, so that
old entries are not found."""

INDIFFERENT = frozenset(
    {
        *("num_results", "recency", "language", "region", "safe_search"),  # their values stand in the request
        *("max_domains", "strict_arguments"),  # decide what the request holds, and whether there is one
        *("concurrency", "deadline_ms", "backend_timeout_ms"),  # only whole answers are kept
        *("breaker_enabled", "breaker_threshold", "breaker_cooldown_ms"),
        *("cache_enabled", "cache_ttl", "history_enabled", "result_telemetry", "lang"),
        "backends",  # each one's own settings stand beside it
    }
)
"""Settings that change no answer. Any other does, one that is added later too."""


def cache_key(
    request: SearchRequest,
    told: Mapping[str, tuple[BackendSettings, bool]],
    settings: Settings,
    parts: Sequence[str] = (),
) -> str:
    """The key of `request`, asked in `parts` too, to the backends in `told`.

    Of each: what it was told, without its key, and whether it has one.
    """
    asked = msgspec.structs.replace(request, session="")
    backends = [(name, _without_key(own), keyed) for name, (own, keyed) in sorted(told.items())]
    whole = msgspec.json.encode((SCHEMA, FORM, asked, parts, backends, _strategy(settings)), order="deterministic")
    return blake2b(whole, digest_size=16).hexdigest()


def _without_key(own: BackendSettings) -> BackendSettings:
    return msgspec.structs.replace(own, key="") if getattr(own, "key", "") else own


def _strategy(settings: Settings) -> dict[str, Any]:
    names = [name for name in Settings.__struct_fields__ if name not in INDIFFERENT]
    return {name: getattr(settings, name) for name in names} | {"proxy": _way(settings.proxy)}


def _way(proxy: str) -> str:
    """A proxy without its password: what is found can depend on where, and as whom, one comes from."""
    with suppress(ValueError):
        parts = urlsplit(proxy)
        return f"{parts.scheme}://{parts.username or ''}@{parts.hostname}:{parts.port}" if parts.netloc else proxy
    return ""
