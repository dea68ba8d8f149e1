"""One search over every enabled backend at once, merged, and honest about what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fanseek import errors
    from fanseek.config.settings import Settings
    from fanseek.engine import Engine, open_engine
    from fanseek.errors import FanseekError
    from fanseek.surface.blocking import search_sync
    from fanseek.surface.cordis import Config, affects, apply, inject, name
    from fanseek.types import Outcome, SearchRequest, SearchResult, Source

__all__ = [
    "Config",
    "Engine",
    "FanseekError",
    "Outcome",
    "SearchRequest",
    "SearchResult",
    "Settings",
    "Source",
    "__version__",
    "affects",
    "apply",
    "errors",
    "inject",
    "name",
    "open_engine",
    "search_sync",
]

_HOMES = {
    "Engine": "fanseek.engine",
    "FanseekError": "fanseek.errors",
    "Outcome": "fanseek.types",
    "SearchRequest": "fanseek.types",
    "SearchResult": "fanseek.types",
    "Settings": "fanseek.config.settings",
    "Source": "fanseek.types",
    "open_engine": "fanseek.engine",
    "search_sync": "fanseek.surface.blocking",
    **dict.fromkeys(("Config", "affects", "apply", "inject", "name"), "fanseek.surface.cordis"),
}
"""Where each public name lives; it is loaded when first asked for. The last line makes the module a Cordis plugin."""


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        found: Any = version("fanseek")
    elif name in _HOMES:
        from importlib import import_module

        found = getattr(import_module(_HOMES[name]), name)
    elif name == "errors":
        from importlib import import_module

        return import_module("fanseek.errors")
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
