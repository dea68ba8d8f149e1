"""Lists of patches as people and the harness write them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.surface.dsh.refusal import Refusal
from fanseek.surface.dsh.rows import Rows

PATH = Path("cordis.patch.yml")
TEMPLATE = "# Your patch layer\n# a list\n[]\n"
BLOCK = """# first
- id: web
  name: '@deepseek-ai/dsh-web' # theirs
  config:
    # a comment
    searchProvider: deepseek-official
    fetchProvider: "http"
# between

- name: x
  id: other
  disabled: !!js '!ctx.get(''profileContext'')'
  config:
    list:
      - a
      - b
    text: >-
      many
      lines
# the end
"""
FLOW = "- {id: web, config: {searchProvider: 'a b', url: http://127.0.0.1:80/x, n: 3}} # here\n- { id: other }\n"


def rows(text: str) -> Rows:
    return Rows(PATH, text.encode())


@pytest.mark.parametrize("text", ["", TEMPLATE, "[]", "[ ] # none\n", "---\n[]\n", "# only words\n"])
def test_an_empty_list_takes_a_row(text: str) -> None:
    assert rows(text).config("web") is None
    changed = rows(text).with_config("web", {"searchProvider": "unified"}, name="n")
    assert rows(changed).head("web") == {"id": "web", "name": "n", "config": {"searchProvider": "unified"}}
    assert "[" not in changed
    assert rows(rows(changed).without("web")).config("web") is None


def test_the_template_is_as_before_when_its_only_row_goes() -> None:
    changed = rows(TEMPLATE).with_config("web", {"a": 1})
    assert rows(changed).without("web") == TEMPLATE


def test_a_value_is_changed_in_its_line_and_nothing_else() -> None:
    assert rows(BLOCK).config("web") == {"searchProvider": "deepseek-official", "fetchProvider": "http"}
    changed = rows(BLOCK).with_config("web", {"searchProvider": "unified"})
    assert changed == BLOCK.replace("searchProvider: deepseek-official", "searchProvider: unified")
    without = rows(BLOCK).with_config("web", {"fetchProvider": None})
    assert without == BLOCK.replace('    fetchProvider: "http"\n', "")
    added = rows(BLOCK).with_config("web", {"x": True})
    assert rows(added).config("web") == {"searchProvider": "deepseek-official", "fetchProvider": "http", "x": True}
    assert added.replace("    x: true\n", "") == BLOCK


def test_braces_are_understood_and_only_their_row_is_written_anew() -> None:
    assert rows(FLOW).config("web") == {"searchProvider": "a b", "url": "http://127.0.0.1:80/x", "n": 3}
    changed = rows(FLOW).with_config("web", {"searchProvider": "unified", "n": None})
    assert rows(changed).config("web") == {"searchProvider": "unified", "url": "http://127.0.0.1:80/x"}
    assert changed.endswith("- { id: other }\n")
    half = rows("- id: web\n  config: {a: 1}\n").with_config("web", {"b": "on"})
    assert rows(half).config("web") == {"a": 1, "b": "on"}


def test_the_last_row_of_an_id_counts() -> None:
    text = "- {id: web, config: {a: 1}}\n- id: web\n  config:\n    a: 2\n- id: web\n  disabled: true\n"
    assert rows(text).config("web") == {"a": 2}
    assert rows(text).head("web")["disabled"] is True
    assert rows(rows(text).enabled("web")).head("web").get("disabled") is None
    assert rows(rows(text).with_config("web", {"a": 3})).config("web") == {"a": 3}


def test_a_row_that_is_put_in_is_none_that_changes() -> None:
    text = "- insert:\n    - id: web\n      name: mine\n"
    assert rows(text).config("web") is None
    assert rows(text).without("web") == text


def test_a_config_that_is_empty_or_missing_is_filled() -> None:
    for text in ("- id: web\n", "- id: web\n  config: {}\n", "- id: web\n  config:\n", "-\n  id: web\n"):
        assert rows(rows(text).with_config("web", {"a": "off"})).config("web") == {"a": "off"}, text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- id: web\n  config:\n    searchProv\n", 3),
        ("- id: web\n  config:\n\t a: 1\n", 3),
        ("web:\n  a: 1\n", 1),
        ("- id: a\nweb\n", 2),
        ("- {id: web, config: {a: 1}\n", 1),
        ("- id: web\n config: {}\n", 2),
        ("- id: web\n  config: text\n", 2),
        ("- id: web\n  config: [1]\n", 2),
    ],
)
def test_what_is_no_row_is_told_by_its_line(text: str, line: int) -> None:
    with pytest.raises(Refusal, match=f"line {line}:"):
        rows(text).config("web")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(Refusal, match="line 1"):
        Rows(PATH, b"\xff\xfe-")


def test_rows_of_others_may_be_anything() -> None:
    text = "- id: mine\n  config: &anchor\n    - [x\n- id: web\n  config:\n    a: 1\n"
    assert rows(text).config("web") == {"a": 1}


SCALARS = st.one_of(
    st.booleans(), st.integers(-(10**9), 10**9), st.floats(allow_nan=False, allow_infinity=False), st.text(max_size=40)
)
NAMES = st.text("abcdefgXYZ09", min_size=1, max_size=8).filter(lambda name: not name[0].isdigit())


@given(st.dictionaries(NAMES, SCALARS, min_size=1, max_size=5), st.sampled_from(["", TEMPLATE, BLOCK, FLOW]))
def test_what_is_written_is_read_again(values: dict[str, object], text: str) -> None:
    before = rows(text).config("web") or {}
    changed = rows(rows(text).with_config("web", values))
    assert changed.config("web") == {**before, **values}
    assert rows(changed.text).with_config("web", values) == changed.text
    gone = rows(changed.with_config("web", dict.fromkeys(values)))
    assert (gone.config("web") or {}) == {name: value for name, value in before.items() if name not in values}


@given(st.text(max_size=60))
def test_a_text_is_written_on_one_line_that_json_or_plain_yaml_is(text: str) -> None:
    line = rows("").with_config("web", {"a": text}).split("\n")[-2]
    written = line.removeprefix("    a: ")
    assert written == text or json.loads(written) == text
