"""Precision and recall of telling copies by title, per language, on pairs that were labelled without looking at the code."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from fanseek.merge.titles import same_story

ROOT = Path(__file__).resolve().parents[3]
PAIRS = [json.loads(line) for line in (Path(__file__).parent / "title_pairs.jsonl").read_text("utf-8").splitlines()]
LANGUAGES = ("zh", "ja", "ko", "en")


def verdicts(language: str) -> Counter[tuple[bool, bool]]:
    """How many pairs were called the same or not, and were so or not."""
    return Counter((same_story(titled(pair["a"]), titled(pair["b"])), pair["same"]) for pair in of(language))


def titled(page: dict[str, str]) -> tuple[str, str]:
    return page["title"], page["url"]


def of(language: str) -> list[dict]:
    return [pair for pair in PAIRS if pair["lang"] == language]


def row(language: str) -> tuple[int, float, float]:
    """Pairs, precision and recall."""
    found = verdicts(language)
    right = found[True, True]
    return found.total(), right / (right + found[True, False]), right / (right + found[False, True])


def test_there_are_pairs_enough():
    assert len(PAIRS) >= 400
    assert set(LANGUAGES) == {pair["lang"] for pair in PAIRS}
    assert all(min(Counter(pair["same"] for pair in of(language)).values()) >= 50 for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_precision_and_recall(language: str):
    _, precision, recall = row(language)
    assert precision >= 0.99
    assert recall >= 0.9


@pytest.mark.parametrize("readme", ["README.md", "README.zh-CN.md"])
def test_the_readme_gives_the_numbers_of_this_code(readme: str):
    text = (ROOT / readme).read_text("utf-8")
    for language in LANGUAGES:
        count, precision, recall = row(language)
        line = f"| {language} | {count} | {precision:.3f} | {recall:.3f} |"
        assert line in text, line


@pytest.mark.parametrize("pair", PAIRS[::7], ids=lambda pair: f"{pair['lang']} {PAIRS.index(pair)}")
def test_a_pair_is_told_the_same_both_ways(pair: dict):
    one, other = titled(pair["a"]), titled(pair["b"])
    assert same_story(one, other) == same_story(other, one)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["second", "third"])
def test_e3_harder_pairs_of_others_are_hardly_ever_folded_wrongly(name: str, language: str):
    lines = (Path(__file__).parent / f"title_pairs_{name}.jsonl").read_text("utf-8").splitlines()
    pairs = [pair for pair in map(json.loads, lines) if pair["lang"] == language]
    found = Counter((same_story(titled(pair["a"]), titled(pair["b"])), pair["same"]) for pair in pairs)
    assert found.total() >= 120
    assert found[True, True] >= 0.99 * (found[True, True] + found[True, False])
    assert found[True, True] >= 0.65 * (found[True, True] + found[False, True])
