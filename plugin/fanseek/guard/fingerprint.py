"""What a backend was told, to compare and as a hash to keep, so that a changed key, address or switch shows."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from fanseek.contract import BackendSettings


def encoded(settings: BackendSettings, proxy: str) -> bytes:
    """All of `settings` and the way there. It holds the key: it never leaves memory."""
    return msgspec.json.encode((settings, proxy), order="deterministic")


def fingerprint(whole: bytes, salt: bytes) -> str:
    """A short hash of `whole`, useless for finding the key in it."""
    return blake2b(whole, key=salt[:64], digest_size=8).hexdigest()
