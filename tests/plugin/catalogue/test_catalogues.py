"""Both catalogues have every key (X27), and every code that the product knows is worded in them."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import fanseek
from fanseek import errors
from fanseek.catalogue import CATALOGUES, listed, said
from fanseek.errors import POLICIES, FanseekError
from fanseek.types import Status

PLUGIN = Path(fanseek.__file__).parent
CODE = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def fields(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_x27_both_catalogues_have_every_key() -> None:
    assert set(CATALOGUES["en"]) == set(CATALOGUES["zh"])


@pytest.mark.parametrize("code", sorted(CATALOGUES["en"]))
def test_x27_a_code_has_the_same_fields_in_both_languages(code: str) -> None:
    """Named fields only, so that each language may order them as it likes."""
    english, chinese = (fields(CATALOGUES[lang][code]) for lang in ("en", "zh"))
    assert english == chinese
    assert all(name.isidentifier() for name in english)


@pytest.mark.parametrize("code", sorted(CATALOGUES["en"]))
def test_english_is_english_and_chinese_is_chinese(code: str) -> None:
    english, chinese = CATALOGUES["en"][code], CATALOGUES["zh"][code]
    assert english.isascii()
    wordless = not re.search("[a-z]", re.sub(r"\{\w+\}", "", english))
    assert CHINESE.search(chinese) or wordless


@pytest.mark.parametrize("status", get_args(Status.__args__[0]) + get_args(errors.FailureKind))
def test_every_status_has_words(status: str) -> None:
    assert f"status.{status}" in CATALOGUES["zh"]


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PLUGIN.rglob("*.py")):
        parts = path.relative_to(PLUGIN.parent).with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), ast.parse(path.read_text(encoding="utf-8"))


def given(call: ast.Call, name: str, module: str) -> Iterator[str]:
    """The texts that `call` may be given for `name`: literals, either branch of a choice, constants of the module."""
    for keyword in call.keywords:
        if keyword.arg == name:
            yield from texts(keyword.value, module)


def texts(node: ast.expr, module: str) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts(node.body, module)
        yield from texts(node.orelse, module)
    elif isinstance(node, ast.Name) and node.id.isupper():
        yield getattr(importlib.import_module(module), node.id)


def calls(of: str) -> Iterator[tuple[str, ast.Call]]:
    for module, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == of:
                yield module, node


def kinds_of_notes() -> set[str]:
    return {kind for module, call in calls("Note") for kind in given(call, "kind", module)}


def test_every_kind_of_note_has_words() -> None:
    kinds = kinds_of_notes()
    assert {"empty", "degraded", "not_applied", "synthetic"} <= kinds
    assert kinds == {code.removeprefix("note.") for code in CATALOGUES["zh"] if code.startswith("note.")}


def test_no_kind_of_note_hides_from_this_test() -> None:
    """Each is given as a keyword whose texts can be read off the source."""
    for module, call in calls("Note"):
        assert list(given(call, "kind", module)), f"{module}:{call.lineno}"


def tree_of(kind: type[FanseekError]) -> Iterator[type[FanseekError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from tree_of(below)


def test_every_code_of_an_error_or_an_outcome_has_words() -> None:
    raised = {kind.code for kind in tree_of(FanseekError) if kind.__module__.startswith("fanseek.")}
    outcomes = {policy.code for policy in POLICIES.values()}
    said_by_us = {
        code
        for of in ("Outcome", "replace")
        for module, call in calls(of)
        for code in given(call, "code", module)
        if CODE.fullmatch(code)
    }
    assert {"CREDENTIAL_MISSING", "RATE_LIMITED"} <= said_by_us
    worded = {code.removeprefix("error.") for code in CATALOGUES["zh"] if code.startswith("error.")}
    assert raised | outcomes | said_by_us == worded


def takes_a_language(node: ast.AST) -> bool:
    named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return named and any(one.arg == "lang" for one in (*node.args.args, *node.args.kwonlyargs, *node.args.posonlyargs))


def test_x27_who_is_told_a_language_speaks_no_other() -> None:
    """Within a function that has a `lang`, what the catalogue and the pages say is asked for in it."""
    whole = list(trees())
    ours = ("fanseek.catalogue", "fanseek.surface.text", "fanseek.surface.health")
    speaking = {
        node.name
        for module, tree in whole
        for node in ast.walk(tree)
        if module.startswith(ours) and takes_a_language(node) and not node.name.startswith("_")
    }
    assert {"said", "listed", "render", "reasons", "health"} <= speaking
    seen = 0
    for module, tree in whole:
        for function in filter(takes_a_language, ast.walk(tree)):
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                if getattr(call.func, "id", getattr(call.func, "attr", "")) in speaking:
                    given = (*call.args, *(keyword.value for keyword in call.keywords))
                    assert any(getattr(one, "id", "") == "lang" for one in given), f"{module}:{call.lineno}"
                    seen += 1
    assert seen > 40


SPEAKERS = {"said": (1, ""), "_say": (0, ""), "finding": (0, "doctor.")}
"""Functions that say something: which argument is the code, and what stands before it in the catalogues."""


def codes_said() -> Iterator[tuple[str, int, str, set[str]]]:
    """Every `said(lang, "code", field=…)` and its kin: where, the code, and the fields it is given."""
    for speaker, (at, before) in SPEAKERS.items():
        for module, call in calls(speaker):
            names = {keyword.arg for keyword in call.keywords if keyword.arg}
            starred = any(keyword.arg is None for keyword in call.keywords)
            if len(call.args) > at and not starred:
                for code in texts(call.args[at], module):
                    yield module, call.lineno, before + code, names


def test_what_is_said_is_worded_and_given_its_fields() -> None:
    seen = list(codes_said())
    assert len(seen) > 60
    for module, line, code, names in seen:
        assert code in CATALOGUES["en"], f"{module}:{line}: {code}"
        assert fields(CATALOGUES["en"][code]) <= names, f"{module}:{line}: {code}"


def test_nothing_is_worded_that_nobody_says() -> None:
    """Each code, or the beginning of a code that is put together, stands somewhere in the source."""
    whole, beginnings = set(), set()
    for module, tree in trees():
        if not module.startswith("fanseek.catalogue.") or module.endswith(".account"):
            nodes = list(ast.walk(tree))
            whole |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
            firsts = [node.values[0] for node in nodes if isinstance(node, ast.JoinedStr) and node.values]
            beginnings |= {first.value for first in firsts if isinstance(first, ast.Constant) and "." in first.value}
    for code in CATALOGUES["en"]:
        bare = code.removeprefix("doctor.")
        begun = any(
            one.startswith(beginning) for beginning in beginnings for one in (code, bare) if beginning != "doctor."
        )
        assert code in whole or bare in whole or begun, code


def test_fields_are_filled_in_and_never_read_as_templates() -> None:
    assert said("en", "reason", backend="{kind}", kind="timeout") == "{kind}: timeout"
    assert said("zh", "reason", backend="one", kind="超时") == "one：超时"


def test_a_code_nobody_has_worded_leaves_the_message() -> None:
    """Another plugin's note, say."""
    assert said("zh", "note.of-somebody-else", message="its words") == "its words"
    assert said("zh", "unheard.of") == "unheard.of"


def test_lists() -> None:
    assert listed("en", ["a", "b"]) == "a, b"
    assert listed("zh", ["a", "b"]) == "a、b"
