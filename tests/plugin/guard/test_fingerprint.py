"""Hashes of settings: they change with every part that matters and give nothing away."""

from __future__ import annotations

from fanseek.contract import KeyedSettings
from fanseek.guard.fingerprint import encoded, fingerprint


class Own(KeyedSettings, frozen=True, kw_only=True):
    base_url: str = "https://api.test"


def test_key_address_switch_and_proxy_each_change_it():
    some = [
        fingerprint(encoded(Own(), "auto"), b"salt"),
        fingerprint(encoded(Own(key="one"), "auto"), b"salt"),
        fingerprint(encoded(Own(key="two"), "auto"), b"salt"),
        fingerprint(encoded(Own(base_url="https://other.test"), "auto"), b"salt"),
        fingerprint(encoded(Own(enabled="off"), "auto"), b"salt"),
        fingerprint(encoded(Own(), "direct"), b"salt"),
        fingerprint(encoded(Own(), "auto"), b"other"),
    ]
    assert len(set(some)) == len(some)
    assert fingerprint(encoded(Own(key="one"), "auto"), b"salt") == some[1]


def test_n11_the_key_is_not_in_it():
    assert "canary" not in fingerprint(encoded(Own(key="canary"), "auto"), b"salt")
