"""The settings as JSON Schema (draft 2020-12), composed from the types.

`python -m fanseek.config.schema FILE` writes it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_type_hints

from msgspec import Meta

from fanseek.catalogue import Lang
from fanseek.catalogue.sentences import translated
from fanseek.config.options import Option, options
from fanseek.contract import AnyBackend
from fanseek.registry import backends as registered

DIALECT = "https://json-schema.org/draft/2020-12/schema"

GROUPS = {
    "sources": "Sources",
    "results": "Results",
    "cache": "Cache",
    "breaker": "Circuit breaker",
    "history": "History",
}
REACHING = frozenset({"concurrency", "deadline_ms", "backend_timeout_ms", "proxy"})
"""Of the core's own settings those that say how sources are reached."""

WORDS = {
    "base_url": ("Base URL", "Address of the service; another one for a mirror or an own instance."),
    "base_urls": ("Base URLs", "Addresses of the service, tried in turn."),
    "api_key_env": ("Key variable", "Name of the environment variable that holds the key, never the key itself."),
    "model": ("Model", "Model that is asked to search."),
}
"""Title and description of fields many backends have, where the backend gives none."""


def settings_schema(backends: Mapping[str, AnyBackend] | None = None) -> bytes:
    """What settings_schema.json holds."""
    return as_text(composed(backends)).encode("utf-8")


def composed(backends: Mapping[str, AnyBackend] | None = None) -> dict[str, Any]:
    """The flat wire form: every key with title, description, default, range, unit, group and backend.

    A reference to a key says in x-get-key-url where one is to be had, or else read about.
    """
    known = registered() if backends is None else backends
    return {
        "$schema": DIALECT,
        "title": "Fanseek settings",
        "description": "One flat object; every key is optional.",
        "type": "object",
        "properties": {key: _described(option, known) for key, option in options(known).items()},
        "additionalProperties": False,
        "x-groups": [{"name": name, "title": title} for name, title in GROUPS.items()],
    }


def worded(lang: Lang, backends: Mapping[str, AnyBackend] | None = None) -> dict[str, Any]:
    """What people read of the schema, in `lang`: title, description and unit by key, the groups' titles by name.

    A title is without its backend's name, which `x-backend` of the schema has.
    """
    return {
        "properties": {key: dict(_read(option, lang)) for key, option in options(backends).items()},
        "groups": {name: translated(title, lang) for name, title in GROUPS.items()},
    }


def _read(option: Option, lang: Lang) -> Iterator[tuple[str, str]]:
    title, description = words(option)
    yield "title", translated(title, lang)
    yield "description", translated(description, lang)
    if unit := option.schema.get("unit"):
        yield "unit", translated(unit, lang)


def _described(option: Option, known: Mapping[str, AnyBackend]) -> dict[str, Any]:
    whole = option.schema
    title, description = words(option)
    if option.is_base_url and not option.takes_many:
        whole["format"] = "uri"
    whole["x-group"] = group(option)
    if option.backend:
        whole["x-backend"] = option.backend
    if option.is_reference:
        docs = known[option.backend].docs
        whole["x-get-key-url"] = docs.get_key or docs.url
    first = {"title": f"{option.backend}: {title}" if option.backend else title, "description": description}
    return {**first, **{name: value for name, value in whole.items() if name not in first}, "default": option.default}


def group(option: Option) -> str:
    """The group of a settings form that `option` belongs to."""
    if option.backend or option.field in REACHING:
        return "sources"
    first = option.field.partition("_")[0]
    return first if first in GROUPS else "results"


def words(option: Option) -> tuple[str, str]:
    """Title and description: the field's own, else an ancestor's, else by its name."""
    title, description = WORDS.get(option.field, (option.field.replace("_", " ").capitalize(), ""))
    for owner in reversed(option.owner.__mro__):
        if option.field in getattr(owner, "__annotations__", {}):
            for meta in getattr(get_type_hints(owner, include_extras=True)[option.field], "__metadata__", ()):
                if isinstance(meta, Meta):
                    title, description = meta.title or title, meta.description or description
    return title, description


def as_text(schema: Mapping[str, Any]) -> str:
    """The one way a schema is written: two spaces, keys in their order, a newline at the end."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(settings_schema())
