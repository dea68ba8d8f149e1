"""A host's settings, as far as they can be used: one that is wrong costs itself and no search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from fanseek.config.given import taken
from fanseek.config.options import options
from fanseek.errors import ConfigError


class Usable(msgspec.Struct, frozen=True):
    """What can be used; of the rest why not, as `{key?, message}`. The key is left out where it is no setting's."""

    values: dict[str, Any]
    problems: tuple[dict[str, str], ...] = ()


def usable(given: Mapping[str, Any]) -> Usable:
    """`given` in wire form, without what is unknown or wrong; null stands for what is not given."""
    table, values, problems = options(), {}, []
    for key, value in given.items():
        if value is None:
            continue
        try:
            values[key] = taken({key: value})[key].value
        except ConfigError as problem:
            problems.append({**({"key": key} if key in table else {}), "message": str(problem)})
    return Usable(values, tuple(problems))
