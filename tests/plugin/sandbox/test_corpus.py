"""Results follow from the query alone, and overlap as much as they are told to."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.sandbox.corpus import Corpus

NAMES = ("one", "two", "three", "four")
RESERVED = re.compile(r"(^|\.)(example\.(com|org|net)|test|example)$")


def corpus(**options):
    return Corpus(**{"backends": NAMES, "families": ("x", "y"), **options})


def test_results_are_the_same_in_another_process():
    code = (
        "from fanseek.sandbox.corpus import Corpus;"
        f"print(repr(Corpus(backends={NAMES!r}, families=('x', 'y')).rows('two', 'tidal turbines')))"
    )
    for seed in ("0", "7"):
        out = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        )
        assert out.stdout.strip() == repr(corpus().rows("two", "tidal turbines"))


def test_query_and_seed_each_change_the_results():
    first = {row.url for row in corpus().rows("one", "tidal turbines")}
    assert first.isdisjoint(row.url for row in corpus().rows("one", "tidal turbine"))
    assert first.isdisjoint(row.url for row in corpus(seed=2).rows("one", "tidal turbines"))


@pytest.mark.parametrize("overlap", [0.0, 0.2, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("results", [10, 20])
def test_overlap_is_the_share_of_documents_every_backend_has(overlap, results):
    found = [{p.document for p in corpus(overlap=overlap, results=results).placed(name, "q")} for name in NAMES]
    assert all(len(documents) == results for documents in found)
    shared = set.intersection(*found)
    assert len(shared) == round(overlap * results)
    assert len(set.union(*found)) == len(shared) + len(NAMES) * (results - len(shared))


def test_overlapping_results_are_told_in_each_way():
    placed = {name: {p.document: p for p in corpus(overlap=0.8).placed(name, "tidal")} for name in NAMES}
    shared = [{name: placed[name][str(number)] for name in NAMES} for number in range(8)]
    forms = [next(iter(one.values())).form for one in shared]
    assert set(forms) == {"same", "tracked", "spelled", "mirror"}
    for form, copies in zip(forms, shared, strict=True):
        urls = [copies[name].row.url for name in NAMES]
        bare = {
            re.sub(r"^https?://(www\.)?", "", re.sub(r"[?&](utm_\w+|gclid|fbclid|msclkid)=.*", "", u)) for u in urls
        }
        assert len({copy.row.title for copy in copies.values()}) == 1
        assert len({copy.row.published for copy in copies.values()}) == 1
        match form:
            case "same":
                assert len(set(urls)) == 1
            case "tracked":
                assert len(set(urls)) == 4
                assert len(bare) == 1
            case "spelled":
                assert {urlsplit(u).scheme for u in urls} == {"http", "https"}
                assert {urlsplit(u).netloc.startswith("www.") for u in urls} == {True, False}
                assert len(bare) == 1
            case "mirror":
                assert len({urlsplit(u).netloc for u in urls}) == 2
                assert {copy.mirror for copy in copies.values()} == {True, False}


def test_distinct_counts_pages_with_mirrors_apart():
    one = corpus(overlap=0.5)
    rows = {(p.document, p.mirror) for name in NAMES for p in one.placed(name, "q")}
    assert one.distinct("q", NAMES) == len(rows) == 5 + 1 + 4 * 5


def test_backends_rank_the_same_documents_differently():
    orders = [[p.document for p in corpus(overlap=1.0).placed(name, "tidal turbines")] for name in NAMES]
    assert len({tuple(order) for order in orders}) > 1


@pytest.mark.parametrize(
    ("query", "script"),
    [
        ("潮汐发电", "[\u4e00-\u9fff]"),
        ("潮力発電とは", "[\u3041-\u30ff]"),
        ("조력 발전", "[\uac00-\ud7a3]"),
        ("tidal power", "[A-Za-z]"),
    ],
)
def test_texts_are_in_the_script_of_the_query(query, script):
    for row in corpus().rows("one", query):
        assert query in row.title
        assert len(re.findall(script, row.title + row.snippet)) > 20


def test_cjk_on_request_for_any_query():
    rows = corpus(cjk=True, results=40).rows("one", "tidal power")
    texts = [row.snippet for row in rows]
    assert all(re.search("[\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]", text) for text in texts)
    assert any(re.search("[\uac00-\ud7a3]", text) for text in texts)


def test_every_host_is_reserved_and_every_field_fit():
    for row in corpus(results=200).rows("one", "tidal power"):
        assert RESERVED.search(urlsplit(row.url).hostname)
        assert row.family in {"x", "y"}
        assert row.url.isascii()
        assert 40 < len(row.snippet) < 600
        assert not row.published or date.fromisoformat(row.published) <= date(2026, 11, 1)


def test_texts_vary_and_hold_what_must_be_escaped():
    rows = [row for query in ("tides", "locks", "reefs") for row in corpus(results=100).rows("one", query)]
    words = {word for row in rows for word in re.findall(r"\w+", f"{row.title} {row.snippet}")}
    assert len(words) > 250
    assert len({row.title for row in rows}) > 250
    assert len({row.url for row in rows}) == 300
    everything = " ".join(f"{row.title} {row.snippet}" for row in rows)
    assert all(sign in everything for sign in "&<>\"'")
    assert any(not row.published for row in rows)


@given(st.text(max_size=200))
def test_any_query_gives_texts_without_control_characters(query):
    rows = corpus().rows("one", query)
    assert len(rows) == 10
    assert all((row.title + row.snippet + row.url).isprintable() and len(row.title) < 200 for row in rows)


@pytest.mark.parametrize(("wanted", "count"), [(0, 10), (3, 3), (10, 10), (50, 10)])
def test_wanted_count_bounds_the_rows(wanted, count):
    assert len(corpus().rows("one", "q", wanted)) == count


@pytest.mark.parametrize(
    "rewritten",
    [
        "Tidal Power R&D",
        '"tidal" power R&D',
        "tidal power R&D site:a.test",
        "tidal power R&D (site:a.test OR site:b.test) -site:c.test",
        "tidal power <R&D>",
        "!tidal power :R&D",
        "tidal\x00power\tR&D after:2025-01-01",
    ],
)
def test_a_query_rewritten_for_a_backend_is_about_the_same(rewritten):
    """Backends escape and extend queries; overlap must survive it."""
    expected = [row.url for row in corpus().rows("two", "tidal power R&D")]
    assert [row.url for row in corpus().rows("two", rewritten)] == expected


@pytest.mark.parametrize("query", ["?!", "site:a.test", ":", "\U0001f30a"])
def test_a_query_without_words_still_finds_something(query):
    assert len(corpus().rows("one", query)) == 10
