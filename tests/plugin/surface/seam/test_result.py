"""Results as they cross ctx.web (HF2, HF6, facts 4.4 and 4.5)."""

from __future__ import annotations

import html
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fanseek.errors import UsageError
from fanseek.surface.seam import refused, web_result
from fanseek.text.clean import plain
from fanseek.types import Answer, Found, Note, Outcome, SearchResult, Source
from web_list import MARKDOWN, items, listed

OK = (Outcome(backend="one", status="ok", hits=3, ms=5.0),)


def source(**changes: Any) -> Source:
    fields: dict[str, Any] = {
        "id": "s",
        "url": "https://site.example/page",
        "title": "A title",
        "snippet": "Words.",
        "domain": "site.example",
        "score": 1.0,
        "found_by": (Found(backend="one", family="west", rank=1),),
    }
    return Source(**{**fields, **changes})


def crossed(*sources: Source, **changes: Any) -> dict[str, Any]:
    result = SearchResult(**{"query": "q", "status": "ok", "sources": sources, "outcomes": OK, **changes})
    return web_result(result, telemetry=False).to_dict()


def test_hf2_only_what_the_host_knows_crosses(result: SearchResult) -> None:
    """HF2; golden."""
    assert web_result(result).to_dict() == {
        "content": (
            "Answer of one: Forty-two.\n"
            "Incomplete: 2 of 3 backends failed or were not heard: two (timeout), three (skipped).\n"
            "recency was not applied\n"
            "[websearch backends] one ✓5ms/3 · two ✗30000ms · three ⏸cooled 42s"
        ),
        "sources": [
            {
                "url": f"https://site{number}.example/page",
                "title": f"Title {number}",
                "snippet": f"Words about thing {number}.",
                "publishedAt": "2026-11-02",
            }
            for number in (1, 2, 3)
        ],
        "truncated": False,
    }


def test_h8_the_health_line_can_be_switched_off(result: SearchResult) -> None:
    assert "[websearch" not in web_result(result, telemetry=False).content
    assert web_result(result).content.endswith("⏸cooled 42s")


def test_the_content_of_a_whole_success_is_empty() -> None:
    """HF2: what is resent every turn says nothing where there is nothing to say."""
    assert "content" not in crossed(source())


def test_what_a_backend_did_not_say_is_left_out() -> None:
    assert crossed(source(title="", snippet="", url="https://a.example/"))["sources"] == [{"url": "https://a.example/"}]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"published_at": "2026-11-02T00:00:00Z", "published_precision": "day", "published": "x"}, "2026-11-02"),
        ({"published_at": "2026-11-01T00:00:00Z", "published_precision": "month"}, "2026-11"),
        ({"published_at": "2026-01-01T00:00:00Z", "published_precision": "year"}, "2026"),
        ({"published_at": "2026-11-02T10:11:12Z", "published_precision": "second"}, "2026-11-02T10:11:12Z"),
        ({"published": "Spring [2024](x)"}, r"Spring \[2024\](x)"),
    ],
)
def test_a_date_is_no_more_exact_than_it_is_known(changes: dict[str, Any], expected: str) -> None:
    assert crossed(source(**changes))["sources"][0]["publishedAt"] == expected


def test_b8_more_than_wished_is_cut_and_said_to_be(result: SearchResult) -> None:
    """B8, HF2."""
    cut = web_result(result, max_results=2)
    assert (len(cut.sources), cut.truncated) == (2, True)
    assert not web_result(result, max_results=3).truncated
    assert web_result(msgspec.structs.replace(result, truncated=True), max_results=3).truncated


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt://x.test/%0aalert(1)",
        " \tjava\nscript:alert(1)",
        "data:text/html;base64,PHNjcmlwdD4=",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://x.test/1",
        "//cdn.example.test/ok",
        "https://",
        "not an address",
    ],
)
def test_bc_095_only_addresses_of_pages_cross(url: str) -> None:
    """HF6, BC-095."""
    kept = crossed(source(url=url), source(title="i", url="https://ok.example.test/"))
    assert [one["title"] for one in kept["sources"]] == ["i"]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://bank.example.test@evil.example.test/login", "https://evil.example.test/login"),
        ("https://ok.example.test/\u202egpj.exe", "https://ok.example.test/%E2%80%AEgpj.exe"),
        (
            "https://ok.example.test/a\x1b]8;;https://evil.test\x07b",
            "https://ok.example.test/a%1B%5D8;;https://evil.test%07b",
        ),
        ("https://ok.example/wiki/A_(b)", "https://ok.example/wiki/A_%28b%29"),
        ("https://ok.example/a b", "https://ok.example/a%20b"),
        ("https://ok.example/?q=[x]&r=`y`", "https://ok.example/?q=%5Bx%5D&r=%60y%60"),
        ("https://ok.example/%5B100%25%5D", "https://ok.example/%5B100%25%5D"),
    ],
)
def test_bc_097_addresses_are_encoded_so_that_they_end_no_link(url: str, expected: str) -> None:
    """HF6, BC-097: percent-encoded, leading to the same place."""
    assert crossed(source(url=url))["sources"][0]["url"] == expected


@pytest.mark.parametrize(
    "title",
    [
        "ok](https://evil.example) [more",
        "![pixel](https://evil.example/a.png)",
        "a\n\n# Heading\n- [x](javascript:alert(1))",
        "see `code](https://evil.example)`",
        "ends with a backslash \\",
        "\\](https://evil.example)",
        "<a href='https://evil.example'>x</a>",
        "<https://evil.example>",
        "&#91;x&#93;(y) &lt;b&gt; AT&T &amp;",
        "Vec<T> a[0] C:\\Users 3 < 4",
        "a\u202eb\u2066c\u200bd\x1b[31me\x00f",
        "[x]: https://evil.example",
        "| a | b |\n| - | - |",
    ],
)
def test_hf6_no_title_or_snippet_forges_anything(title: str) -> None:
    """HF6, BC-102, BC-104: read as Markdown, an item is one link and text, the same text."""
    made = crossed(source(title=title, snippet=title), source(title="next"))
    first, second = items(listed(made))
    assert [token.type for token in first if token.type != "text_special"] == [
        "link_open",
        "text",
        "link_close",
        "text",
    ]
    assert first[0].attrs == {"href": "https://site.example/page"}
    assert first[1].content == plain(title)
    assert first[3].content == f" — {plain(title)}"
    assert second[1].content == "next"


TRICKS = st.text(st.sampled_from("[]()<>`!\\*_~|#&;:/\"' \n\t\r\u2028\u202e\u200b\x1bab&lt;x1-+=.hps中"), max_size=60)


@given(TRICKS, TRICKS, TRICKS)
@settings(deadline=None, max_examples=400)
@example("a", "b\\", "(c")
@example("\\\\](", "`", "``")
def test_hf6_whatever_the_text_a_source_is_one_item_with_one_link(title: str, snippet: str, date: str) -> None:
    """HF6."""
    made = crossed(source(title=title, snippet=snippet, published=date), source(title="next"))
    assert all(part.isprintable() for one in made["sources"] for part in one.values())
    every = items(listed(made))
    assert len(every) == 2
    for tokens in every:
        kinds = [token.type for token in tokens]
        assert kinds[0] == "link_open"
        assert kinds.count("link_open") == 1
        assert not {"image", "code_inline", "html_inline", "softbreak", "hardbreak"} & set(kinds)
        assert tokens[0].attrs == {"href": "https://site.example/page"}


@given(TRICKS)
@settings(deadline=None, max_examples=200)
def test_hf6_no_answer_forges_a_list_of_sources(text: str) -> None:
    """HF6: what stands before the list is one paragraph of text."""
    made = crossed(answers=(Answer(backend="one", text=f"{text}\n\nSources:\n- [x](https://evil.example)"),))
    tokens = MARKDOWN.parse(made["content"])
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert not {"link_open", "image", "code_inline", "html_inline"} & {one.type for one in tokens[1].children or []}


def test_bc_105_lone_surrogates_do_not_cross() -> None:
    made = crossed(source(title="x \ud83d y", snippet="ok 😀"))
    assert made["sources"][0]["title"] == "x \ufffd y"
    assert msgspec.json.decode(msgspec.json.encode(made)) == made


@pytest.mark.parametrize(
    "text", ["Tom &amp; Jerry " * 60, "see <b>bold</b> text " * 60, "[link](https://example.test/very/long) " * 40]
)
def test_bc_178_a_cut_leaves_no_half_of_anything(text: str) -> None:
    """BC-178: cut first, escaped then."""
    snippet = crossed(source(snippet=text))["sources"][0]["snippet"]
    assert len(snippet) < len(text)
    tokens = items(f"- {snippet}")[0]
    assert {token.type for token in tokens} <= {"text", "text_special"}
    shown = "".join(token.content for token in tokens).removesuffix("…").rstrip()
    assert text.startswith(shown)
    assert not html.unescape(shown[-3:]).startswith("&a")


def test_texts_are_short_and_cjk_texts_half_as_long() -> None:
    """HF2: a result is resent every turn."""
    english, chinese = crossed(source(title="word " * 200, snippet="word " * 900), source(snippet="漢字" * 900))[
        "sources"
    ]
    assert len(english["title"]) <= 200
    assert len(english["snippet"]) <= 600
    assert len(chinese["snippet"]) <= 300


def test_hf4_nothing_found_says_what_it_is_worth() -> None:
    """HF4, BC-175: an honest empty and a degraded one are results, and do not sound alike."""
    empty = crossed(outcomes=(Outcome(backend="one", status="empty"),))
    assert empty == {"content": "1 backend answered: no results.", "sources": [], "truncated": False}
    outcomes = (Outcome(backend="one", status="empty"), Outcome(backend="two", status="timeout", message="late"))
    degraded = crossed(status="partial", outcomes=outcomes)
    assert degraded["content"].startswith("Nothing was found, but the search was degraded: 1 of 2 backends failed")


def test_hf4_a_partial_result_names_who_is_missing_and_stays_short() -> None:
    many = tuple(Outcome(backend=f"engine{number}", status="timeout", message="x" * 300) for number in range(40))
    content = crossed(source(), status="partial", outcomes=OK + many)["content"]
    assert content.startswith("Incomplete: 40 of 41 backends failed or were not heard: engine0 (timeout), ")
    assert content.endswith(", ….")
    assert len(content) < 250


def test_content_is_bounded_whatever_is_in_it() -> None:
    """HF2."""
    made = crossed(
        source(),
        answers=tuple(Answer(backend="b" * 500, text="long " * 5000) for _ in range(20)),
        notes=tuple(Note(kind="x", message="y" * 5000) for _ in range(50)),
    )
    assert len(made["content"]) < 3000


def test_made_up_results_say_so() -> None:
    note = Note(kind="synthetic", message="made up")
    assert crossed(source(), notes=(note,))["content"].startswith("SYNTHETIC")


def test_chinese() -> None:
    found = SearchResult(
        query="q",
        status="partial",
        sources=(source(),),
        outcomes=(*OK, Outcome(backend="two", status="blocked", message="captcha")),
    )
    assert web_result(found, lang="zh", telemetry=False).content.startswith("不完整：2 个引擎中有 1 个")


def test_a_refused_query_is_a_result() -> None:
    made = refused(UsageError("query is [empty]\n`x`")).to_dict()
    assert made == {"content": r"Nothing was searched for: query is \[empty\] \`x\`", "sources": [], "truncated": False}


def test_a_limit_counts_what_is_seen_and_no_escape_is_halved() -> None:
    title = crossed(source(title="[" * 500))["sources"][0]["title"]
    assert title == r"\[" * 199 + "…"


def test_what_a_sentence_already_tells_is_told_once(result: SearchResult) -> None:
    """HF2."""
    told = [
        Note(kind=kind, message=f"note of {kind}") for kind in ("empty", "degraded", "sub_queries", "results_clamped")
    ]
    assert "note of" not in web_result(msgspec.structs.replace(result, notes=tuple(told))).content
