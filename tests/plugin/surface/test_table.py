"""The tables of backends in the READMEs are what the code says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from fanseek.contract import Filters
from fanseek.registry import backends
from fanseek.surface.table import CHINESE, FILTERS, PLACE, abilities, filled, receivers

ROOT = Path(__file__).resolve().parents[3]
READMES = ("README.md", "README.zh-CN.md")


def cells(table: str) -> list[list[str]]:
    return [line.strip("| ").split(" | ") for line in table.splitlines()]


@pytest.mark.parametrize("name", READMES)
def test_a_readme_has_the_tables_as_the_code_has_them(name: str) -> None:
    """`python -m fanseek.surface.table README.md README.zh-CN.md` mends it."""
    text = (ROOT / name).read_text(encoding="utf-8")
    assert PLACE.search(text)
    assert filled(text) == text


def test_every_wish_is_in_the_table() -> None:
    assert set(FILTERS) == set(Filters.__struct_fields__)
    head, _, *lines = cells(abilities(backends()))
    assert head[3:-1] == [name.replace("_", " ") for name in FILTERS]
    assert {line[0] for line in lines} >= {f"`{name}`" for name in backends()}
    assert all(len(line) == len(head) for line in lines)


def test_a_backend_stands_there_as_it_is() -> None:
    """Kinds, cap, each filter and the date come from the backend itself."""
    name, backend = next((name, one) for name, one in backends().items() if one.operations["search"].most_results)
    other = Filters(recency="operator", language="local")
    operation = msgspec.structs.replace(backend.operations["search"], filters=other, most_results=7)
    docs = msgspec.structs.replace(backend.docs, checked="2031-01-02", receives="Somebody", limits="few")
    made = msgspec.structs.replace(
        backend, operations={"search": operation, "news": operation}, cap_s=2.5, docs=docs, as_set=None, family="f"
    )
    line = cells(abilities({name: made}))[2]
    assert line[:4] == [f"`{name}`", "search, news", "2.5", "local (≤ 7)"]
    assert line[4:] == ["operator", "local", "local", "none", "none", "local", "local", "2031-01-02"]
    assert cells(abilities({name: made}, CHINESE))[2][3:6] == ["本地 (≤ 7)", "运算符", "本地"]
    who = cells(receivers({name: made}))[2]
    assert (who[1], who[2], who[4]) == ("Somebody", "f", "few")


def test_what_a_setting_makes_of_a_backend_has_a_line_of_its_own() -> None:
    changing = [name for name, backend in backends().items() if backend.as_set]
    lines = [line[0] for line in cells(abilities(backends()))]
    assert changing
    for name in changing:
        assert any(line.startswith(f"`{name}` (`{name}") for line in lines)


def test_the_key_column_says_what_is_needed() -> None:
    rows = {line[0].strip("`"): line[3] for line in cells(receivers(backends()))[2:]}
    for name, backend in backends().items():
        own = backend.settings()
        variable = getattr(own, "api_key_env", "")
        assert (variable in rows[name]) is bool(variable) or not variable
        assert (rows[name] == "none") is not variable
        assert ("optional" in rows[name]) is bool(variable and not backend.needs)
        assert (f"`enable{name.capitalize()}` on" in rows[name]) is backend.costs_tokens
        assert ("Keyless" in rows[name]) is hasattr(own, "keyless")
        assert backend.docs.get_key in rows[name]


def test_the_chinese_list_of_receivers_is_whole() -> None:
    """Its words are a person's; names, families, variables and addresses are the code's."""
    text = (ROOT / "README.zh-CN.md").read_text(encoding="utf-8")
    rows = {line[0].strip("`"): line for line in cells(text) if len(line) == 5 and line[0].startswith("`")}
    assert list(rows) == list(backends())
    for name, backend in backends().items():
        _, who, family, key, limits = rows[name]
        assert family == backend.family
        assert getattr(backend.settings(), "api_key_env", "") in key
        assert backend.docs.get_key in key
        assert set(re.findall(r"`\w+`", key)) == set(re.findall(r"`\w+`", cells(receivers({name: backend}))[2][3]))
        assert re.findall(r"[\w.]+\.(?:com|ai|be|au|dev)\b", who) == re.findall(
            r"[\w.]+\.(?:com|ai|be|au|dev)\b", backend.docs.receives
        )
        assert limits


def test_the_command_fills_a_file_in(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- backends: abilities zh -->\nold\n<!-- end -->\nz\n", encoding="utf-8")
    subprocess.run([sys.executable, "-m", "fanseek.surface.table", str(page)], check=True)
    text = page.read_text(encoding="utf-8")
    assert text == f"a\n<!-- backends: abilities zh -->\n{abilities(backends(), CHINESE)}<!-- end -->\nz\n"
