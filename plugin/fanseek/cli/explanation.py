"""Settings shown to a person or as JSON: each with who decided it. No password and no key is ever among them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fanseek.config.given import Given
from fanseek.config.layers import Layer, Layers
from fanseek.config.options import Option
from fanseek.config.rules import takes
from fanseek.config.schema import words
from fanseek.http.redact import Redactor
from fanseek.text.clean import plain

Said = Sequence[tuple[Layer, Given]]
"""What the layers say of one setting, the one that counts first."""


class Explanation:
    """What `layers` come to, over the options of `table`. `file` is the config file, there or not."""

    def __init__(self, table: Iterable[Option], layers: Layers, file: Path) -> None:
        self._table = list(table)
        self._layers = layers
        self._file = plain(str(file))
        named = (layers.said(option)[0][1].value for option in self._table if option.is_reference)
        self._redactor = Redactor(*(os.environ.get(variable, "") for variable in named))

    def chosen(self, *, every: bool) -> list[Option]:
        """Every option, or those that do not have their default."""
        return [one for one in self._table if every or self._layers.said(one)[0][1].value != one.default]

    def line(self, option: Option) -> str:
        """One setting as a line of TOML."""
        (layer, given), *_ = self._layers.said(option)
        return f"{option.key} = {self._toml(given.value)}" + ("" if layer == "default" else f"  # {_by(layer, given)}")

    def paragraph(self, option: Option) -> str:
        """One setting with everything there is to know about it."""
        said = self._layers.said(option)
        given = dict(said)
        _, description = words(option)
        lines = [f"{option.key} = {self._toml(said[0][1].value)}", description, ""]
        for layer in ("flag", "environment", "harness", "file", "default"):
            one = given.get(layer)
            value = "-" if one is None else self._toml(one.value)
            counts = "  <- counts" if layer == said[0][0] else ""
            lines.append(f"  {layer:<12} {value}{_source(one)}{counts}")
        lines += [
            "",
            f"takes {takes(option)}",
            f"set it with --set {option.key}=VALUE, {option.variable}, or in {self._file}",
        ]
        return "\n".join(lines)

    def facts(self, option: Option) -> dict[str, Any]:
        """One setting as JSON types."""
        said = self._layers.said(option)
        title, description = words(option)
        return {
            **self._fact(*said[0]),
            "default": self._shown(option.default),
            "variable": option.variable,
            "takes": takes(option),
            "title": title,
            "description": description,
            "layers": [self._fact(*one) for one in said],
        }

    def _fact(self, layer: Layer, given: Given) -> dict[str, Any]:
        return {"value": self._shown(given.value), "layer": layer, "source": given.source}

    def _shown(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._shown(one) for one in value]
        return self._redactor.clean(plain(value)) if isinstance(value, str) else value

    def _toml(self, value: Any) -> str:
        return json.dumps(self._shown(value), ensure_ascii=False)


def _by(layer: Layer, given: Given) -> str:
    return f"{layer}: {given.source}" if given.source else layer


def _source(given: Given | None) -> str:
    return f"  ({given.source})" if given is not None and given.source else ""
