"""A hash of what a backend was told, so that a changed key, address or switch is noticed."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from fanseek.contract import BackendSettings


def fingerprint(settings: BackendSettings, proxy: str, salt: bytes) -> str:
    """A short hash of `settings` and `proxy`, useless for finding the key in them."""
    told = msgspec.json.encode((settings, proxy), order="deterministic")
    return blake2b(told, key=salt[:64], digest_size=8).hexdigest()
