"""One search over every enabled backend at once, merged, and honest about what happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fanseek import errors
    from fanseek.config.settings import Settings
    from fanseek.engine import Engine, open_engine
    from fanseek.errors import FanseekError
    from fanseek.surface.blocking import search_sync
    from fanseek.types import Outcome, SearchRequest, SearchResult, Source

__all__ = [
    "Engine",
    "FanseekError",
    "Outcome",
    "SearchRequest",
    "SearchResult",
    "Settings",
    "Source",
    "__version__",
    "errors",
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
}
"""Where each public name lives; it is loaded when first asked for."""


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
