"""Settings of the breaker that would lock a backend out, or never open."""

from __future__ import annotations

import math

import pytest

from fanseek.config import load
from fanseek.errors import ConfigError


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("breakerThreshold", 0),
        ("breakerThreshold", -1),
        ("breakerThreshold", "3"),
        ("breakerThreshold", 2.5),
        ("breakerThreshold", True),
        ("breakerCooldownMs", -1),
        ("breakerCooldownMs", math.inf),
        ("breakerCooldownMs", math.nan),
        ("breakerCooldownMs", "for ever"),
        ("breakerCooldownMs", 10**12),
        ("breakerEnabled", "maybe"),
    ],
)
def test_bc_058_a_breaker_that_could_not_work_is_refused_by_name(key: str, value: object) -> None:
    """R10: at load, with the field's name."""
    with pytest.raises(ConfigError, match=key):
        load({key: value})


def test_no_cool_down_is_allowed() -> None:
    """M4."""
    assert load({"breakerCooldownMs": 0}).breaker_cooldown_ms == 0
