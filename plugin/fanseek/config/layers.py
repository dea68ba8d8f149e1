"""Settings by layer, each value with where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from fanseek.config.environment import variables
from fanseek.config.given import Given, Values, taken
from fanseek.config.load import load
from fanseek.config.options import Option
from fanseek.config.settings import Settings
from fanseek.contract import AnyBackend

Layer = Literal["flag", "environment", "harness", "file", "default"]
"""Highest first. A search's own arguments outrank them all."""


class Layers(msgspec.Struct, frozen=True, kw_only=True):
    """What each layer says. A key that is not there is left to the layers below."""

    flag: Values
    environment: Values
    harness: Values
    file: Values

    def said(self, option: Option) -> tuple[tuple[Layer, Given], ...]:
        """Who says something about `option`, the one that counts first; the default always does."""
        ranked: tuple[tuple[Layer, Values], ...] = (
            ("flag", self.flag),
            ("environment", self.environment),
            ("harness", self.harness),
            ("file", self.file),
        )
        given = tuple((layer, values[option.key]) for layer, values in ranked if option.key in values)
        return (*given, ("default", Given(value=option.default)))

    def flat(self) -> dict[str, Any]:
        """What counts, in wire form; defaults are left out."""
        ranked = (self.file, self.harness, self.environment, self.flag)
        return {key: given.value for values in ranked for key, given in values.items()}


class Origins(msgspec.Struct, frozen=True, kw_only=True):
    """Where settings come from. They are read anew each time they are loaded.

    `settings` are a harness's, in wire form; or a whole `Settings`, which is taken as it is.
    """

    overrides: Mapping[str, Any] = {}
    environment: Mapping[str, str] = {}
    settings: Mapping[str, Any] | Settings = {}
    file: Path | None = None

    def layers(self, backends: Mapping[str, AnyBackend] | None = None) -> Layers:
        """Everything that is said, checked. Raises ConfigError."""
        from_file: Values = {}
        if self.file is not None:
            from fanseek.config.file import settings_in

            from_file = settings_in(self.file, backends)
        return Layers(
            flag=taken(self.overrides, backends),
            environment=variables(self.environment, backends),
            harness=taken({} if isinstance(self.settings, Settings) else self.settings, backends),
            file=from_file,
        )

    def load(self, backends: Mapping[str, AnyBackend] | None = None) -> Settings:
        """The settings that count. Raises ConfigError."""
        if isinstance(self.settings, Settings):
            return self.settings
        return load(self.layers(backends).flat(), backends)
