"""The browser half as text: its words in both languages, its parts, and what it must not do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import fanseek

BUNDLE = Path(fanseek.__file__).parent / "bundles" / "dsh"
CLIENT = BUNDLE / "client"
ENTRY = (CLIENT / "client.js").read_text(encoding="utf-8")
PARTS = {path.name: path.read_text(encoding="utf-8") for path in CLIENT.glob("client.*.js")}
WORD = re.compile(r"^ {6}'?([\w.-]+)'?: '(.*)',$", re.MULTILINE)


def words() -> tuple[dict[str, str], dict[str, str]]:
    english, chinese = PARTS["client.words.js"].split("const zh = {")
    return dict(WORD.findall(english)), dict(WORD.findall(chinese))


def test_the_same_words_with_the_same_slots_in_both_languages() -> None:
    english, chinese = words()
    assert len(english) > 60
    assert english.keys() == chinese.keys()
    for code, text in english.items():
        assert sorted(re.findall(r"\{\w+\}", text)) == sorted(re.findall(r"\{\w+\}", chinese[code])), code
        assert re.search("[\u4e00-\u9fff]", chinese[code]) or code == "answeredOf", code


def test_every_word_is_used_and_every_used_word_is_there() -> None:
    english, _ = words()
    others = "".join(text for name, text in PARTS.items() if name != "client.words.js")
    made = {code for code in english if code.startswith(("state.", "source."))}
    assert not {code for code in english.keys() - made if f"'{code}'" not in others}
    assert not set(re.findall(r"\bt\('([\w.-]+)'", others)) - english.keys()


def test_the_entry_loads_every_part_and_the_package_ships_them() -> None:
    named = re.search(r"const PARTS = \[(.*)\]", ENTRY)
    assert named
    assert {f"client.{part}.js" for part in re.findall(r"'(\w+)'", named[1])} == PARTS.keys()
    package = json.loads((BUNDLE / "package.json").read_text(encoding="utf-8"))
    assert package["exports"]["./client"] == "./client/client.js"
    assert "client" in package["files"]
    for name, text in {"client.js": ENTRY, **PARTS}.items():
        assert f"id: '{package['name']}'" in text, name
        assert name == "client.js" or f"chunk: '{name}'" in text, name


def test_foreign_text_can_only_become_text() -> None:
    """No HTML is made of strings, nothing is evaluated, nothing is kept in the browser, nothing goes to another site."""
    forbidden = r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function|localStorage|sessionStorage|https?://\w"
    for name, text in {"client.js": ENTRY, **PARTS}.items():
        assert not re.search(forbidden, text), name


def test_no_engine_is_named_and_nothing_of_the_harness_client_is_required() -> None:
    """A new backend needs no edit here: what the page shows of it comes from the schema and the status."""
    from fanseek import registry

    for name, text in {"client.js": ENTRY, **PARTS}.items():
        assert not set(registry.backends()) & set(re.findall(r"\w+", text.lower())), name
        assert set(re.findall(r"require\('([^']+)'\)", text)) <= {"react"}, name
