"""Fanseek as a plugin of Python Cordis hosts; `import fanseek` is the same plugin, mountable itself.

    ctx.plugin(fanseek.surface.cordis.web)            # where the host has no `web` service of its own
    ctx.plugin(fanseek, {"numResults": 5})

`apply` carries the declarations, too: mounting the function is mounting the module. All Cordis hosts run on asyncio.
"""

from __future__ import annotations

from typing import Any

from fanseek.config.schema import composed
from fanseek.surface.cordis.config import config_class
from fanseek.surface.cordis.plugin import apply
from fanseek.surface.cordis.settings import mounted

__all__ = ["Config", "affects", "apply", "inject", "name"]

name = "unified-search"
inject = ["web"]
affects = "environment"
Config = config_class(mounted, composed)

declared: Any = apply
declared.inject, declared.affects, declared.Config = inject, affects, Config
