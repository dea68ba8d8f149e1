"""Keys by reference: looked up at each call, and hidden from every message once seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from fanseek.contract import BackendSettings, KeyedSettings

Hide = Callable[[str], None]
"""Takes note of a secret that no message may show."""


MADE_UP = "FANSEEK_SANDBOX_KEY"
"""The reference that stands for a key by itself: one that opens nothing, for stand-ins that look for one."""


def _nothing(_secret: str) -> None:
    """Where no message leaves the process."""


class Keys:
    """The keys that settings refer to, in the variables of `environment`."""

    def __init__(self, environment: Mapping[str, str], hide: Hide = _nothing) -> None:
        self._environment = environment
        self._hide = hide

    def find(self, own: BackendSettings) -> str:
        """The key in `own`, or in the variable it names; empty when there is none."""
        if not isinstance(own, KeyedSettings):
            return ""
        if own.api_key_env == MADE_UP:
            return "made-up"
        key = (own.key or self._environment.get(own.api_key_env, "")).strip()
        if key:
            self._hide(key)
        return key
