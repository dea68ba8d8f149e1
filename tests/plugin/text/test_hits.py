from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import Hit
from fanseek.text.hits import ANSWER, SNIPPET, TITLE, cited, cleaned, said


def hit(url: object = "https://a.test/", **fields: object) -> Hit:
    return Hit(url=url, **fields)  # type: ignore[arg-type]


def test_bc_095_hits_without_a_usable_link_are_dropped():
    bad = [
        "javascript:alert(1)",
        "JaVaScRiPt://x.test/%0aalert(1)",
        " \tjava\nscript:alert(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
    ]
    bad += ["vbscript:x", "file:///etc/passwd", "blob:https://x.test/1", "//cdn.example.test/ok"]
    hits = [hit(url, title=str(at)) for at, url in enumerate(bad)] + [hit("https://ok.example.test/", title="i")]
    assert [kept.title for kept in cleaned(hits)] == ["i"]


def test_bc_097_urls_are_made_safe():
    urls = [kept.url for kept in cleaned([hit("https://bank.test@evil.test/x"), hit("https://ok.test/\u202egpj.exe")])]
    assert urls == ["https://evil.test/x", "https://ok.test/%E2%80%AEgpj.exe"]


def test_bc_102_bc_104_bc_105_texts_are_clean():
    title = json.loads('"x \\ud83d y\\u001b[31m\\u202e\\u200b"')
    (kept,) = cleaned(
        [hit(title=title, snippet="a\x07\r\nb\t c\ud83d\ude00", published=" 2024-01-01\x1b[0m ", author="A\u00a0B")]
    )
    assert (kept.title, kept.snippet, kept.published, kept.author) == ("x \ufffd y", "a\nb c😀", "2024-01-01", "A B")


def test_bc_098_bc_099_only_html_is_read_as_html():
    one = hit(title="Tom &amp; <b>Jerry</b>", snippet="a&nbsp;&mdash;<br>b")
    assert [(kept.title, kept.snippet) for kept in cleaned([one], html=True)] == [("Tom & Jerry", "a —\nb")]
    assert [kept.title for kept in cleaned([one], html=False)] == ["Tom &amp; <b>Jerry</b>"]


def test_bc_101_bc_145_emptied_and_absent_fields_are_none():
    (kept,) = cleaned([hit(title="\u200b ", snippet="<p></p>", published="None", author="")], html=True)
    assert (kept.title, kept.snippet, kept.published, kept.author) == (None, None, None, None)


def test_bc_145_rows_of_wrong_types_cost_only_themselves():
    hits = [
        hit(5, title=["t"]),
        hit(None),
        hit("https://a.test/", title=["t"], snippet=7),
        hit("https://b.test/", title="B"),
    ]
    assert [(kept.url, kept.title, kept.snippet) for kept in cleaned(hits)] == [
        ("https://a.test/", None, None),
        ("https://b.test/", "B", None),
    ]


def test_one_page_counts_once_and_lacks_nothing_that_was_given():
    hits = [
        hit("https://www.a.test/x?utm_source=q", title="First", families=("g",)),
        hit("https://b.test/", title="B"),
        hit("http://a.test/x/", title="Second", snippet="s", published="2024", author="N", families=("b", "g")),
    ]
    first, second = cleaned(hits)
    assert (first.url, first.title, first.snippet) == ("https://www.a.test/x?utm_source=q", "First", "s")
    assert (first.published, first.author, first.families) == ("2024", "N", ("g", "b"))
    assert second.title == "B"


def test_bc_178_texts_are_bounded_after_cleaning():
    (kept,) = cleaned([hit(title="word &amp; " * 1000, snippet="long " * 100_000)], html=True)
    assert kept.title is not None
    assert kept.snippet is not None
    assert TITLE - 20 < len(kept.title) <= TITLE
    assert SNIPPET - 20 < len(kept.snippet) <= SNIPPET
    assert kept.title.endswith("…")


@given(st.lists(st.tuples(st.text(max_size=20), st.text(st.characters(), max_size=20), st.booleans())))
def test_cleaning_twice_changes_nothing(rows: list[tuple[str, str, bool]]):
    once = cleaned(
        [hit(f"https://a.test/{path}" if good else path, title=title, snippet=title) for path, title, good in rows]
    )
    assert cleaned(once) == once


def test_an_answer_is_clean_and_bounded_and_keeps_its_lines():
    """X29."""
    assert said("a\u202e\x1b[31m\r\nb &amp; <b>") == "a\nb &amp; <b>"
    assert said("a\r\n \r\n\n- b\n- c\n\n\u200b\n\nd") == "a\n\n- b\n- c\n\nd"
    assert said("\u200b ") is None
    assert said(None) is None
    assert ANSWER - 20 < len(said("word " * 20_000) or "") <= ANSWER


def test_citations_are_the_pages_shown():
    """X29: each once, as the hits have it, whatever its spelling; none that is no hit."""
    hits = cleaned([hit("https://www.a.test/x?utm_source=q"), hit("https://b.test/")])
    urls = ["https://b.test", "http://a.test/x/", "https://c.test/", "javascript:1", "https://b.test/"]
    assert cited(urls, hits) == ("https://b.test/", "https://www.a.test/x?utm_source=q")
