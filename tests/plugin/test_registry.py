"""Backends are found by the entry point group, in order of priority; a name given twice is an error."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from fanseek import registry
from fanseek.errors import ConfigError

MODULE = """
from fanseek.contract import *
class Settings(BackendSettings, frozen=True, kw_only=True): pass
BACKEND = Backend(name={name!r}, family="f", settings=Settings, operations={{}}, priority={priority},
                  docs=Docs(url="https://a.test/", checked="2026-11-30", receives="nobody"))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An importable package of backends, named by the entry points beside the built-in ones."""
    folder = tmp_path / "sample_backends"
    folder.mkdir()
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "_shared.py").write_text("raise RuntimeError('no backend')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    entries = [
        EntryPoint(f"e{n}", value, registry.GROUP) for n, value in enumerate(["sample_backends", "sample_backends"])
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: entries if group == registry.GROUP else [])
    registry.backends.cache_clear()
    yield folder
    registry.backends.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "sample_backends"]:
        del sys.modules[name]


def test_the_built_in_backends_are_found_in_order_of_priority() -> None:
    found = registry.backends()
    assert list(found)[:4] == ["exa", "parallel", "ddg", "searxng"]
    assert [backend.priority for backend in found.values()] == sorted(backend.priority for backend in found.values())
    assert all(name == backend.name for name, backend in found.items())
    assert registry.backends() is found


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        registry.backends()["x"] = None  # type: ignore[index]


def test_a_package_named_by_the_group_adds_its_modules_and_no_private_ones(package: Path) -> None:
    (package / "two.py").write_text(MODULE.format(name="two", priority=5), encoding="utf-8")
    (package / "one.py").write_text(MODULE.format(name="one", priority=5), encoding="utf-8")
    (package / "first.py").write_text(MODULE.format(name="first", priority=1), encoding="utf-8")
    assert list(registry.backends()) == ["first", "one", "two"]


def test_two_backends_of_one_name_are_an_error_that_names_it(package: Path) -> None:
    (package / "one.py").write_text(MODULE.format(name="same", priority=5), encoding="utf-8")
    (package / "two.py").write_text(MODULE.format(name="same", priority=6), encoding="utf-8")
    with pytest.raises(ConfigError, match="'same'"):
        registry.backends()
