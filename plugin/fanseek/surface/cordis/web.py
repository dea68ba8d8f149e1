"""The `web` service as a Cordis plugin, for hosts that have none: mount it before `fanseek`."""

from __future__ import annotations

from typing import Any

import msgspec

from fanseek.errors import ConfigError
from fanseek.surface.cordis.config import config_class, fields
from fanseek.surface.cordis.host import method
from fanseek.surface.web import Web

name = "web"
inject: list[str] = []
provide = ["web"]
affects = "environment"

KEYS = {
    "searchProvider": "who searches; left out: DSH_WEB_SEARCH_PROVIDER, else the only one",
    "fetchProvider": "who fetches pages; left out: DSH_WEB_FETCH_PROVIDER, else the only one",
}


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """Who searches and who fetches."""

    search: str | None = None
    fetch: str | None = None


def chosen(config: object) -> Chosen:
    """What `config` says. Raises ConfigError for anything else than ids of providers."""
    if isinstance(config, Chosen):
        return config
    given = fields(config)
    for key, value in given.items():
        if key not in KEYS:
            raise ConfigError(f"the web service has the settings {', '.join(KEYS)} and no other")
        if value is not None and not isinstance(value, str):
            raise ConfigError(f"{key} must be the id of a provider")
    return Chosen(search=given.get("searchProvider"), fetch=given.get("fetchProvider"))


def _schema() -> dict[str, Any]:
    return {"type": "object", "properties": {key: {"type": "string", "description": KEYS[key]} for key in KEYS}}


Config = config_class(chosen, _schema)


def apply(ctx: Any, config: Any = None) -> None:
    """Provide `web`. Raises ConfigError, and RuntimeError where the host's context can't provide anything."""
    who = chosen(config)
    give = method(ctx, "provide") or method(ctx, "set")
    if give is None:
        raise RuntimeError("this host's context can't provide services")
    give("web", Web(who.search, who.fetch))


declared: Any = apply
declared.inject, declared.provide, declared.affects, declared.Config = inject, provide, affects, Config
