"""Decoding what others send: tolerance by row and by field."""

from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import Rows, first_text, rows, words
from fanseek.contract.wire import Stamp, decode, stamp


class Dated(msgspec.Struct):
    url: str
    date: Stamp = None


class Row(msgspec.Struct):
    url: str
    title: str | None = None
    rank: int = 0
    tags: list[str] = []


class Payload(msgspec.Struct):
    results: Rows | None = None


def read(text: str) -> list[Row]:
    return rows(decode(text.encode(), Payload).results, Row)


def test_bad_rows_never_cost_the_good_ones() -> None:
    """BC-145: null, text and numbers among the rows, wrong types inside one, required fields missing."""
    found = read(
        '{"results":[null,"x",5,[],{"title":"no url"},{"url":5,"title":"t"},{"url":"https://a.example/","title":["t"],'
        '"rank":"3","tags":null},{"url":"https://b.example/","title":null}]}'
    )
    assert [(row.url, row.title, row.rank) for row in found] == [
        ("https://a.example/", None, 0),
        ("https://b.example/", None, 0),
    ]


def test_an_absent_or_null_list_is_no_rows() -> None:
    assert read("{}") == read('{"results":null}') == read('{"results":[]}') == []


@pytest.mark.parametrize("text", ['{"results":{"0":{"url":"https://d.example/"}}}', "[]", "5", "null", '"x"'])
def test_another_shape_is_a_validation_error(text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        read(text)


@pytest.mark.parametrize("body", [b"", b"<html>", b"{", b'{"results":[', b"\xff\xfe", b"\x00", b"[" * 100_000])
def test_what_is_not_json_is_a_decode_error(body: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(body, Payload)


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    """BC-105, in a row and in a value beside it; a proper pair stays a character."""
    found = read(r'{"results":[{"url":"https://a.example/","title":"x \ud83d y \ud83d\ude00"}],"\udc00":"\udfff"}')
    assert found[0].title == "x \ufffd y 😀"
    assert json.dumps(found[0].title, ensure_ascii=False).encode("utf-8")


def test_a_byte_order_mark_is_skipped() -> None:
    assert decode(b'\xef\xbb\xbf{"results":[]}', Payload).results == []


@given(
    st.recursive(
        st.none() | st.integers() | st.text() | st.booleans(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["url", "title", "rank", "tags"]), inner),
    )
)
def test_any_json_row_is_a_row_or_nothing(tree: object) -> None:
    found = rows([msgspec.Raw(json.dumps(tree).encode())], Row)
    assert all(isinstance(row.url, str) for row in found)
    assert bool(found) == (isinstance(tree, dict) and isinstance(tree.get("url"), str))


def test_spelled_out_nulls_are_no_words() -> None:
    assert [words(value) for value in ("N/A", " null ", "None", "", None, 5, " a ")] == [None] * 6 + ["a"]
    assert first_text(None, "N/A", "b", "c") == "b"
    assert first_text() is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2 days ago", "2 days ago"),
        (" 2026-02-28 ", "2026-02-28"),
        (1772272800, "1772272800"),
        (1772272800000, "1772272800000"),
        (1772272800.0, "1772272800"),
        (1772272800.25, "1772272800.25"),
        *[(value, None) for value in (None, "", "N/A", 0, 0.0, -1, True, {"x": 1}, [], b"2026", 1e300, float("nan"))],
    ],
    ids=repr,
)
def test_bc_131_a_date_may_be_a_text_or_a_count(value: object, text: str | None) -> None:
    assert stamp(value) == text
    assert stamp(None, value, "later") == (text or "later")


def test_bc_131_a_row_keeps_a_date_of_either_kind_and_outlives_any_other() -> None:
    sent = [
        {"url": "https://a.test", "date": date} for date in ("2026-02", 1772272800, 1.5e9, None, {"x": 1}, [], True)
    ]
    found = rows([msgspec.Raw(json.dumps(row).encode()) for row in sent], Dated)
    assert [stamp(row.date) for row in found] == ["2026-02", "1772272800", "1500000000", None, None, None, None]
