"""What `fanseek dsh` does to a profile, judged by the harness itself and byte for byte."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any

import pytest
from harness import DSH, PYTHON, fanseek, headless, run
from model_server import model

PNPM = os.environ["FANSEEK_PNPM"]
OTHERS = """# rows of my own
- id: session-title
  config:
    fallbackMaxWords: 4

- id: web   # my choice
  config:
    fetchProvider: http
    searchProvider: deepseek-search-api # paid
# the end
"""


def tree(folder: Path) -> dict[str, bytes | str]:
    """Every file and folder below it, but for what pnpm keeps for itself."""
    found: dict[str, bytes | str] = {}
    for path in sorted(folder.rglob("*")):
        found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() else "folder"
    return found


def composed(home: Path, profile: str = "headless") -> str:
    ran = run(DSH, "--profile", profile, "--dump-config", home=home)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def selected(text: str) -> str:
    rows = text[text.index("\n- id: web\n") :]
    return rows[rows.index("searchProvider:") :].split("\n")[0].partition(": ")[2]


def test_install_off_on_upgrade_uninstall(home: Path) -> None:
    """B2, BC-173: selected, idempotent, the fetch provider kept; off and on by one command; out without a trace."""
    before = tree(home)
    fanseek(home, "install", "--profile", "headless")
    installed = tree(home)
    text = composed(home)
    assert selected(text) == "unified"
    assert text.count("id: unified-search") == 1
    assert "fetchProvider: http" in text
    fanseek(home, "install", "--profile", "headless")
    assert tree(home) == installed
    assert json.loads(installed["profiles/headless/package.json"])["dsh"]["profile"]["bundles"][-1] == "fanseek-dsh"

    assert "Nothing had to be changed" in fanseek(home, "on", "--profile", "headless").stdout
    fanseek(home, "off", "--profile", "headless")
    off = composed(home)
    assert selected(off) == "deepseek-official"
    assert "unified-search" not in off
    fanseek(home, "off", "--profile", "headless")
    fanseek(home, "on", "--profile", "headless")
    assert tree(home) == installed

    (home / "profiles/headless/node_modules/fanseek-dsh/index.js").write_text("broken", encoding="utf-8")
    (home / "profiles/headless/node_modules/fanseek-dsh/left-over.js").write_text("old", encoding="utf-8")
    fanseek(home, "upgrade", "--profile", "headless")
    assert tree(home) == installed
    fanseek(home, "uninstall", "--profile", "headless")
    assert tree(home) == before


def test_rows_of_the_person_come_back_byte_for_byte(home: Path) -> None:
    """Her own choice of a search provider outranks a bundle's, so it is changed in place, and changed back."""
    patch = home / "profiles/headless/cordis.patch.yml"
    patch.write_text(OTHERS, encoding="utf-8")
    patch.chmod(0o640)
    before = tree(home)
    fanseek(home, "install", "--profile", "headless")
    assert selected(composed(home)) == "unified"
    changed = patch.read_text(encoding="utf-8")
    assert changed == OTHERS.replace("searchProvider: deepseek-search-api # paid", "searchProvider: unified")
    fanseek(home, "off", "--profile", "headless")
    assert selected(composed(home)) == "deepseek-search-api"
    fanseek(home, "on", "--profile", "headless")
    assert selected(composed(home)) == "unified"
    assert patch.stat().st_mode & 0o777 == 0o640
    fanseek(home, "uninstall", "--profile", "headless")
    assert tree(home) == before
    assert patch.stat().st_mode & 0o777 == 0o640


def test_what_others_changed_since_stays(home: Path) -> None:
    """After a change by somebody else only what is ours is taken out."""
    patch, manifest = (home / "profiles/headless" / name for name in ("cordis.patch.yml", "package.json"))
    fanseek(home, "install", "--profile", "headless")
    fanseek(home, "set", "--profile", "headless", "numResults=5", "lang=zh")
    whole = json.loads(manifest.read_text(encoding="utf-8"))
    whole["dependencies"]["another"] = "^1"
    manifest.write_text(json.dumps(whole, indent=4), encoding="utf-8")
    with patch.open("a", encoding="utf-8") as file:
        file.write("- id: tool-web\n  config: {fetch: false}\n")
    said = fanseek(home, "uninstall", "--profile", "headless").stdout
    assert "package.json" in said
    left = json.loads(manifest.read_text(encoding="utf-8"))
    assert left["dependencies"] == {"another": "^1"}
    assert left["dsh"]["profile"]["bundles"] == ["@deepseek-ai/dsh-base", "@deepseek-ai/dsh-headless"]
    assert manifest.read_text(encoding="utf-8").startswith('{\n    "name"')
    text = patch.read_text(encoding="utf-8")
    assert "unified" not in text
    assert text.endswith("- id: tool-web\n  config: {fetch: false}\n")
    assert selected(composed(home)) == "deepseek-official"


def test_settings_and_off_are_changes_of_ours(home: Path) -> None:
    before = tree(home)
    fanseek(home, "install", "--profile", "headless")
    fanseek(home, "set", "--profile", "headless", "numResults=5")
    fanseek(home, "off", "--profile", "headless")
    fanseek(home, "uninstall", "--profile", "headless")
    assert tree(home) == before


def test_with_pnpm(home: Path, sandbox: Any) -> None:
    """Where pnpm keeps the packages it is asked to; another package it is told of later does not sweep ours out."""
    own = {"PATH": f"{PNPM}:{os.environ['PATH']}"}
    profile = home / "profiles/headless"
    other = home / "another"
    other.mkdir()
    (other / "package.json").write_text('{"name": "another", "version": "1.0.0"}', encoding="utf-8")
    pnpm(profile, "add", f"file:{other}")
    before = {name: content for name, content in tree(home).items() if "/node_modules/." not in name}
    fanseek(home, "install", "--profile", "headless", own=own)
    assert selected(composed(home)) == "unified"
    assert "fanseek-dsh" in (profile / "pnpm-lock.yaml").read_text(encoding="utf-8")
    ours = tree(profile / "node_modules/fanseek-dsh")
    (other / "package.json").write_text('{"name": "another", "version": "1.0.1"}', encoding="utf-8")
    pnpm(profile, "remove", "another")
    pnpm(profile, "add", f"file:{other}")
    assert tree(profile / "node_modules/fanseek-dsh") == ours
    (profile / "node_modules/fanseek-dsh/index.js").unlink()
    fanseek(home, "upgrade", "--profile", "headless", own=own)
    assert tree(profile / "node_modules/fanseek-dsh") == ours
    box = sandbox()
    fanseek(home, "set", "--profile", "headless", *box.assignments)
    with model(["kept by pnpm"]) as told:
        headless(home, told.url, box.environment)
        assert "exa ✓" in told.results[0]["text"]
    fanseek(home, "uninstall", "--profile", "headless", "--purge", own=own)
    assert selected(composed(home)) == "deepseek-official"
    assert not (profile / "node_modules/fanseek-dsh").exists()
    left = json.loads((profile / "package.json").read_text(encoding="utf-8"))
    assert list(left["dependencies"]) == ["another"]
    assert "fanseek" not in (profile / "pnpm-lock.yaml").read_text(encoding="utf-8")
    assert before["profiles/headless/cordis.yml"] == (profile / "cordis.yml").read_bytes()


def test_pnpm_where_nobody_changed_anything_since(home: Path) -> None:
    own = {"PATH": f"{PNPM}:{os.environ['PATH']}"}
    profile, other = home / "profiles/headless", home / "another"
    other.mkdir()
    (other / "package.json").write_text('{"name": "another", "version": "1.0.0"}', encoding="utf-8")
    pnpm(profile, "add", f"file:{other}")
    before = visible(profile)
    fanseek(home, "install", "--profile", "headless", own=own)
    assert visible(profile) != before
    fanseek(home, "uninstall", "--profile", "headless", own=own)
    assert visible(profile) == before


def visible(profile: Path) -> dict[str, bytes | str]:
    return {name: content for name, content in tree(profile).items() if "node_modules/." not in name}


def pnpm(profile: Path, *arguments: str) -> None:
    ran = subprocess.run([f"{PNPM}/pnpm", "--dir", profile, *arguments], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_profile_kept_by_pnpm_without_pnpm(home: Path) -> None:
    (home / "profiles/headless/pnpm-lock.yaml").write_text("lockfileVersion: '9.0'\n", encoding="utf-8")
    before = tree(home)
    ran = fanseek(home, "install", "--profile", "headless", ok=False)
    assert (ran.returncode, tree(home)) == (2, before)
    assert "no pnpm on PATH" in ran.stderr


def test_pnpm_that_fails_changes_nothing(home: Path, tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "pnpm"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\necho "{}" > "$2/package.json"\necho ERR_PNPM_NO_SPACE >&2\nexit 1\n', encoding="utf-8")
    tool.chmod(0o755)
    (home / "profiles/headless/pnpm-lock.yaml").write_text("lockfileVersion: '9.0'\n", encoding="utf-8")
    before = tree(home)
    own = {"PATH": f"{tool.parent}:{os.environ['PATH']}"}
    ran = fanseek(home, "install", "--profile", "headless", ok=False, own=own)
    assert (ran.returncode, tree(home)) == (2, before)
    assert "ERR_PNPM_NO_SPACE" in ran.stderr


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("package.json", '{"name": "x", "dsh": {"pro', "not whole (line 1"),
        ("package.json", "[]", "not whole"),
        ("package.json", '{"name": "x"}', "no list dsh.profile.bundles"),
        ("cordis.patch.yml", "- id: web\n  config:\n    searchProv", "line 3"),
        ("cordis.patch.yml", "web:\n  config: {}\n", "line 1"),
        ("cordis.patch.yml", "- {id: web, config: {searchProvider", "line 1"),
    ],
)
def test_a_half_written_file_is_told_and_nothing_done(home: Path, name: str, body: str, words: str) -> None:
    (home / "profiles/headless" / name).write_text(body, encoding="utf-8")
    before = tree(home)
    for command in ("install", "off", "on", "uninstall"):
        ran = fanseek(home, command, "--profile", "headless", ok=False)
        assert ran.returncode == 2, (command, ran.stdout)
        assert "Traceback" not in ran.stderr
        assert tree(home) == before
        if command == "install":
            assert words in ran.stderr


def test_a_profile_or_a_python_that_is_none(home: Path, tmp_path: Path) -> None:
    before = tree(home)
    plain = tmp_path / "plain"
    plain.write_text("no program", encoding="utf-8")
    missing = fanseek(home, "install", "--profile", "wbe", ok=False)
    assert (missing.returncode, "headless, sdk, web" in missing.stderr) == (2, True)
    chinese = fanseek(home, "install", "--profile", "wbe", "--lang", "zh", ok=False)
    assert "没有配置档 wbe" in chinese.stderr
    for python, words in (
        (str(tmp_path / "none"), "no such file"),
        (str(plain), "not executable"),
        ("/bin/true", "ended without an answer"),
        (PYTHON, "No module named fanseek"),
    ):
        ran = fanseek(home, "install", "--profile", "headless", "--python", python, ok=False)
        assert (ran.returncode, words in ran.stderr) == (2, True), ran.stderr
    assert tree(home) == before
    assert fanseek(home, "upgrade", "--profile", "headless", ok=False).returncode == 2
    assert fanseek(home, "uninstall", "--profile", "headless", ok=False).returncode == 2
    assert tree(home) == before


def test_a_folder_that_cannot_be_written(home: Path) -> None:
    """Nothing is half done where the disk refuses in the middle."""
    own = home / "fanseek"
    own.write_text("a file in the place of the folder", encoding="utf-8")
    before = tree(home)
    ran = fanseek(home, "install", "--profile", "headless", ok=False)
    assert ran.returncode == 1
    assert "Traceback" not in ran.stderr
    assert tree(home) == before


def test_from_a_wheel_in_an_environment_that_is_swept_away(home: Path, tmp_path: Path, sandbox: Any) -> None:
    """uvx and pipx run: the bundle is in the wheel, and the Python that is written down outlasts the tool's own."""
    cache = tmp_path / "cache"
    venv.create(cache / "tool", with_pip=False)
    python = cache / "tool/bin/python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "."]
    subprocess.run(pip, capture_output=True, text=True, check=True)
    site = next((cache / "tool").glob("lib/python*/site-packages"))
    (site / "requirements.pth").write_text(f"{sysconfig.get_path('purelib')}\n", encoding="utf-8")
    own = {"XDG_CACHE_HOME": str(cache)}
    ran = run(str(python), "-m", "fanseek", "dsh", "install", "--profile", "headless", home=home, own=own)
    assert ran.returncode == 0, ran.stderr
    kept = home / "fanseek/.python/bin/python"
    assert f"one was made to last: {kept}" in ran.stdout
    shutil.rmtree(cache)
    box = sandbox()
    fanseek(home, "set", "--profile", "headless", *box.assignments)
    with model(["outlasting"]) as told:
        headless(home, told.url, box.environment)
        assert told.results, ran.stdout
        assert "exa ✓" in told.results[0]["text"]
    assert fanseek(home, "doctor", "--profile", "headless", "--dsh", DSH).returncode == 0
    fanseek(home, "uninstall", "--profile", "headless")
    assert not (home / "fanseek").exists()
