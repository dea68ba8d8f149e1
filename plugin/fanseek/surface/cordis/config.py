"""`Config` of a plugin: a pydantic model where pydantic is installed, since some hosts take nothing else.

    pip install 'fanseek[cordis]'

Both kinds check by the same function and refuse the same mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

from fanseek.errors import ConfigError


def config_class(check: Callable[[object], object], schema: Callable[[], dict[str, Any]]) -> type[Any]:
    """A class to export as `Config`; `check` raises ConfigError, `schema` is what a host makes a form of."""

    class PlainConfig:
        """For hosts that call `Config.validate`."""

        @classmethod
        def validate(cls, value: object) -> object:
            """The checked configuration. Raises ConfigError."""
            return check(value)

    try:
        from pydantic import BaseModel, ConfigDict, model_validator
    except ImportError:
        return PlainConfig

    class Config(BaseModel):
        """Settings in wire form; which there are, the schema says."""

        model_config = ConfigDict(extra="allow", frozen=True, hide_input_in_errors=True)

        @model_validator(mode="before")
        @classmethod
        def _check(cls, value: object) -> object:
            try:
                check(value)
            except ConfigError as problem:
                raise ValueError(str(problem)) from None
            return fields(value)

        @classmethod
        def validate(cls, value: Any) -> Self:
            """For hosts that call this in place of `model_validate`."""
            return value if isinstance(value, cls) else cls.model_validate(value)

        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            """The schema of all settings."""
            return schema()

    return Config


def fields(config: object) -> dict[str, Any]:
    """`config` as a mapping: nothing, a mapping, or a model such as pydantic's. Raises ConfigError."""
    if config is None:
        return {}
    dump = getattr(config, "model_dump", None)
    found = dump() if callable(dump) else config
    if not isinstance(found, Mapping):
        raise ConfigError(f"the configuration must be a mapping of settings, not {type(config).__name__}")
    return dict(found)
