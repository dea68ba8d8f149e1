"""The engine: everything below it wired together."""

from fanseek.engine.engine import Engine
from fanseek.engine.opening import open_engine, running

__all__ = ["Engine", "open_engine", "running"]
