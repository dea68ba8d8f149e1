"""The command apart from its searches."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fanseek as package
from fanseek.cli import exits
from fanseek.errors import AllFailed, BackendError, ConfigError, FanseekError, NothingUsable
from fanseek.types import SearchResult
from processes import Command

ROOT = Path(__file__).resolve().parents[3]


def test_version(fanseek: Command) -> None:
    ran = fanseek("--version")
    assert (ran.code, ran.text) == (0, f"fanseek {package.__version__}\n")
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", package.__version__)


def test_help_names_every_command(fanseek: Command) -> None:
    ran = fanseek("--help")
    assert ran.code == 0
    assert all(re.search(rf"^    {name} ", ran.text, re.MULTILINE) for name in ("search", "parse", "sandbox", "config"))
    for command in ("search", "parse", "sandbox", "config"):
        assert fanseek(command, "--help").code == 0


def test_config_schema_prints_the_committed_bytes(fanseek: Command) -> None:
    ran = fanseek("config", "schema")
    assert (ran.code, ran.out) == (0, (ROOT / "settings_schema.json").read_bytes())


def every(kind: type[FanseekError]) -> list[type[FanseekError]]:
    return [kind, *(below for child in kind.__subclasses__() for below in every(child))]


@pytest.mark.parametrize("kind", every(FanseekError), ids=lambda kind: kind.__name__)
def test_every_error_has_an_exit_code(kind: type[FanseekError]) -> None:
    """X15, Q1: exhaustive over the tree; none of them is success, each carries a stable code."""
    made = {
        AllFailed: lambda: AllFailed("m", SearchResult(query="q", status="error")),
        BackendError: lambda: BackendError("server", "m"),
    }.get(kind, lambda: kind("m"))()
    assert exits.code_of(made) in {1, 2, 3, 4, 130}
    assert re.fullmatch(r"[A-Z_]+", kind.code)


def test_the_documented_codes() -> None:
    """X15."""
    assert exits.code_of(ConfigError("m")) == 2
    assert exits.code_of(NothingUsable("m")) == 3
    assert exits.code_of(AllFailed("m", SearchResult(query="q", status="error"))) == 4
    assert (exits.OK, exits.PARTIAL) == (0, 5)
