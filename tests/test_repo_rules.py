"""The rules of the house, checked on the source itself."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from fanseek import registry

ROOT = Path(__file__).resolve().parents[1]
PLUGIN = ROOT / "plugin" / "fanseek"
BACKENDS = ROOT / "backends" / "fanseek_backends"
TOP = {
    "pyproject.toml",
    "plugin",
    "backends",
    "tests",
    "settings_schema.json",
    "README.md",
    "README.zh-CN.md",
    "LICENSE",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "docs",
}
LONGEST_FILE = 250
HARNESS = re.compile(r"deepseek harness|@deepseek-ai/[a-z-]+|deepseek-official")
"""Names of a harness, its packages and its own search provider, which are no backend of ours."""
SKIPPED = {"__pycache__", "node_modules", ".venv", "venv", "build", "dist"}


def sources(*roots: Path) -> list[Path]:
    return sorted(path for root in roots for path in root.rglob("*.py") if not SKIPPED & set(path.parts))


def texts() -> Iterator[tuple[Path, str]]:
    """Every committed text file: what git lists, or what stands there where there is no git."""
    listed = subprocess.run(["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False)
    names = listed.stdout.decode().split("\0") if listed.returncode == 0 else []
    paths = [ROOT / name for name in names if name] or [
        path
        for path in ROOT.rglob("*")
        if path.is_file() and not SKIPPED & set(path.relative_to(ROOT).parts) and ".git" not in path.parts
    ]
    for path in paths:
        if path.is_file() and path.stat().st_size < 2_000_000:
            yield path, path.read_bytes().decode("utf-8", errors="replace")


def literals(path: Path) -> Iterator[str]:
    """The string literals of a module, its docstrings left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    prose = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            yield node.value


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found


def test_the_top_level_is_the_agreed_one() -> None:
    here = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") and path.name not in SKIPPED}
    assert here == TOP


@pytest.mark.parametrize("path", sources(PLUGIN, BACKENDS), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_short_and_named_by_a_noun(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST_FILE, f"{lines} lines"
    assert path.stem not in {"utils", "util", "helpers", "helper", "manager", "common", "misc"}


@pytest.mark.parametrize("path", sources(PLUGIN), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_backend_is_named_in_the_plugin(path: Path) -> None:
    names = set(registry.backends())
    others = [HARNESS.sub("", text.lower()) for text in literals(path)]
    spoken = {word for text in others for word in re.findall(r"[a-z0-9]+", text)}
    assert not names & spoken


@pytest.mark.parametrize("path", sources(PLUGIN, BACKENDS), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_http_imports_an_http_library(path: Path) -> None:
    if path.is_relative_to(PLUGIN / "http"):
        return
    tops = {name.partition(".")[0] for name in imports(path)}
    assert not tops & {"httpx", "httpcore", "h11", "httptools", "requests", "aiohttp"}


@pytest.mark.parametrize("path", sources(BACKENDS), ids=lambda path: path.name)
def test_a_backend_imports_the_contract_and_nothing_else(path: Path) -> None:
    for name in imports(path):
        top = name.partition(".")[0]
        allowed = name == "fanseek.contract" or top in {"fanseek_backends", "msgspec"} or top in sys.stdlib_module_names
        assert allowed, name
        assert top not in {"time", "logging", "socket", "asyncio", "threading", "subprocess", "random", "os"}, name


@pytest.mark.parametrize("path", sources(BACKENDS), ids=lambda path: path.name)
def test_a_backend_is_pure(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Try | ast.AsyncFunctionDef | ast.Await)]


@pytest.mark.parametrize("path", sources(PLUGIN), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_product_never_names_an_event_loop(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imports(path)} & {"asyncio", "trio", "uvloop"}


def test_the_layers_hold() -> None:
    """The contracts of [tool.importlinter] in pyproject.toml, by import-linter itself."""
    lint = Path(sys.executable).with_name("lint-imports")
    ran = subprocess.run([lint, "--no-cache"], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_settings_schema_is_in_step_with_the_types() -> None:
    from fanseek.config.schema import settings_schema

    assert (ROOT / "settings_schema.json").read_bytes() == settings_schema()


def test_the_licence_is_mit() -> None:
    """A9."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "MIT"
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_mandatory_dependencies_are_the_six() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.match(r"[A-Za-z0-9-]+", item)[0] for item in project["dependencies"]}
    assert names == {"httpx", "anyio", "selectolax", "rapidfuzz", "msgspec", "publicsuffixlist"}


def test_no_file_names_a_registry_or_a_machine() -> None:
    home = re.escape(os.sep + "work" + os.sep) + r"(?:main|shared)\b"
    hosts = "|".join(
        ("pythonhosted" + r"\.org", "registry" + r"\.npmjs", r"pypi\.org/" + "simple", "deb" + r"\.debian")
    )
    bad = [(path.name, hit[0]) for path, text in texts() for hit in re.finditer(f"{home}|{hosts}", text)]
    assert not bad


def test_no_lock_file_is_committed() -> None:
    assert not {path.name for path, _ in texts()} & {"uv.lock", "poetry.lock", "package-lock.json", "Pipfile.lock"}


def test_both_readmes_name_the_same_options() -> None:
    """A8: the same commands, flags and settings stand in the English and the Chinese README."""
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))

    def options(text: str) -> set[str]:
        return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+|`[a-z]+[A-Z][A-Za-z]+`", text))

    assert options(english) == options(chinese)
    assert options(english)


def test_starting_up_loads_no_heavy_library() -> None:
    """`import fanseek` and `fanseek --help` load none of httpx, selectolax, rapidfuzz."""
    look = "import json, sys; print(json.dumps(sorted({n.partition('.')[0] for n in sys.modules})))"
    for code in (
        f"import fanseek; {look}",
        (
            f"import contextlib, io, sys; import fanseek.cli\nwith contextlib.redirect_stdout(io.StringIO()), "
            f"contextlib.suppress(SystemExit):\n    fanseek.cli.main(['--help'])\n{look}"
        ),
    ):
        ran = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
        )
        assert ran.returncode == 0, ran.stderr
        assert not set(json.loads(ran.stdout)) & {"httpx", "selectolax", "rapidfuzz", "anyio", "sqlite3", "asyncio"}
