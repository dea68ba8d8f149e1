"""Other forms and other releases of one page on one site (E4, X17)."""

from __future__ import annotations

import random
import time

import pytest

from fanseek.contract import Hit
from fanseek.merge import Contribution, Merged, merge
from fanseek.merge.editions import edition
from fanseek.merge.mirrors import document
from fanseek.text.canonical import key
from fanseek.types import Found


def brought(backend: str, *hits: tuple[str, str]) -> Contribution:
    made = [Hit(url=f"https://{place}", title=title) for place, title in hits]
    return Contribution(backend=backend, family=backend, hits=made, priority=ord(backend))


def rows(*hits: tuple[str, str], query: str = "") -> list[str]:
    """The addresses shown, for hits of one backend in this order."""
    return [source.url.removeprefix("https://") for source in merge([brought("e", *hits)], query=query).sources]


def test_e4_two_releases_of_one_page_give_one_row():
    merged = merge([brought("e", ("d.test/docs/3.1/a.html", "Page A"), ("d.test/docs/3.2/a.html", "Page A"))])
    (source,) = merged.sources
    assert source.url == "https://d.test/docs/3.1/a.html"
    assert (merged.total, merged.deduped) == (2, 1)
    assert [(member.url, member.fold) for member in source.also] == [("https://d.test/docs/3.2/a.html", "release")]


RELEASES = [
    ("d.test/docs/3.1/a.html", "Guide 3.1: A", "d.test/docs/3.2/a.html", "Guide 3.2: A"),
    ("d.test/docs/3.1/a.html", "A — Thing 3.1.4 documentation", "d.test/docs/3.2/a", "A — Thing 3.2.0 documentation"),
    ("d.test/docs/a.html", "A", "d.test/docs/3.2/a.html", "A (3.2)"),
    ("t.readthedocs.io/en/stable/a.html", "A — T 2.1 documentation", "t.readthedocs.io/en/latest/a.html", "A — T 2.2 documentation"),
    ("docs.python.org/3/library/a.html", "a — Python 3.14.0 documentation", "docs.python.org/3.11/library/a.html", "a — Python 3.11.9 documentation"),
    ("www.postgresql.org/docs/16/sql-select.html", "PostgreSQL: Documentation: 16: SELECT", "www.postgresql.org/docs/current/sql-select.html", "PostgreSQL: Documentation: 18: SELECT"),
    ("d.test/api/v1/users", "Users", "d.test/api/v2/users", "Users"),
    ("d.test/v2/guide/a", "A", "d.test/v3/guide/a", "A"),
    ("d.test/guide/a", "A", "v15.d.test/guide/a", "A"),
    ("docs.rs/thing/1.2.3/thing/", "thing - Rust", "docs.rs/thing/latest/thing/", "thing - Rust"),
    ("pkg.test/thing/v/1.2.3", "thing", "pkg.test/thing", "thing"),
    ("cdn.test/thing@18.2.0/readme.md", "Readme of thing", "cdn.test/thing@17.0.2/readme.md", "Readme of thing"),
    ("d.test/thing-3.11/intro", "Intro", "d.test/thing-3.12rc1/intro", "Intro"),
    ("d.test/core/a?view=core-8.0", "A", "d.test/core/a?view=core-9.0", "A"),
    ("d.test/help/2024.1/a", "A", "d.test/help/2024.2/a", "A"),
    ("d.test/docs/2024.05/a", "A", "d.test/docs/2024.11/a", "A"),
    ("d.test/thing/2024.7.4/", "thing 2024.7.4", "d.test/thing/2024.8.30/", "thing 2024.8.30"),
    ("d.test/docs/2.x/a", "A", "d.test/docs/3.x/a", "A"),
    ("d.test/文档/3.1/安装.html", "安装 3.1", "d.test/文档/3.2/安装.html", "安装 3.2"),
    ("d.test/docs/3.1/a", "", "d.test/docs/3.2/a", "A"),
    ("d.test/docs/3.1/a", "", "d.test/docs/3.2/a", ""),
]  # fmt: skip

NO_RELEASES = [
    ("other pages", "d.test/docs/3.1/a.html", "A", "d.test/docs/3.2/b.html", "A"),
    ("other titles", "d.test/docs/3.1/a.html", "A", "d.test/docs/3.2/a.html", "B"),
    ("other sites", "d.test/docs/3.1/a.html", "A", "e.test/docs/3.2/a.html", "A"),
    ("another part of the title", "d.test/docs/3.1/a.html", "Part 1", "d.test/docs/3.2/a.html", "Part 2"),
    ("release notes by address", "d.test/releases/3.1/", "Notes", "d.test/releases/3.2/", "Notes"),
    ("release notes by title", "d.test/docs/3.1/n", "What's new in 3.1", "d.test/docs/3.2/n", "What's new in 3.2"),
    ("tags", "git.test/a/b/tree/tag/v1.2", "b", "git.test/a/b/tree/tag/v1.3", "b"),
    ("news", "d.test/news/1.2/a", "A", "d.test/news/1.3/a", "A"),
    ("numbers of things", "d.test/t/12/comments", "Comments", "d.test/t/13/comments", "Comments"),
    ("years", "d.test/docs/2023/a", "Tax guide", "d.test/docs/2024/a", "Tax guide"),
    ("dates", "d.test/2024/05/a", "A", "d.test/2024/06/a", "A"),
    ("sections", "d.test/book/chapter/1.1/ex", "Exercises", "d.test/book/chapter/1.2/ex", "Exercises"),
    ("sections by title", "d.test/code/3.1", "Section 3.1", "d.test/code/3.2", "Section 3.2"),
    ("rules", "d.test/rule/12.1", "Discovery", "d.test/rule/12.2", "Discovery"),
    ("chapters by title", "d.test/b/3.1", "第3.1章 极限", "d.test/b/3.2", "第3.2章 极限"),
    ("addresses", "d.test/ip/8.8.8.8", "8.8.8.8 - IP lookup", "d.test/ip/8.8.4.4", "8.8.4.4 - IP lookup"),
    ("months with a point", "d.test/archive-2024.05/a", "Letter", "d.test/archive-2024.06/a", "Letter"),
    ("days with points", "d.test/daily/2024.05.01/", "Daily", "d.test/daily/2024.05.02/", "Daily"),
    ("other numbers in the title", "d.test/docs/3.1/a", "10 tips for 3.1", "d.test/docs/3.2/a", "12 tips for 3.2"),
    ("languages", "d.test/docs/en/a", "A", "d.test/docs/zh/a", "A"),
    ("names in no manual", "d.test/shop/latest/a", "A", "d.test/shop/next/a", "A"),
    ("queries that are no version", "d.test/a?v=abc", "A", "d.test/a?v=abd", "A"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "title", "other", "other_title"), RELEASES)
def test_e4_releases_are_one_row_the_best_ranked(one: str, title: str, other: str, other_title: str):
    assert rows((one, title), (other, other_title)) == [one]
    assert rows((other, other_title), (one, title)) == [other]


@pytest.mark.parametrize(
    ("one", "title", "other", "other_title"), [row[1:] for row in NO_RELEASES], ids=[row[0] for row in NO_RELEASES]
)
def test_e4_what_is_no_other_release_stays(one: str, title: str, other: str, other_title: str):
    assert rows((one, title), (other, other_title)) == [one, other]


@pytest.mark.parametrize(
    ("query", "folded"),
    [
        ("thing guide", True),
        ("thing 3.1 guide", False),
        ("thing v3 guide", False),
        ("thing 3 guide", False),
        ("thing３.２ 教程", False),
        ("Thing3 教程", False),
        ("thing 4.7.1", False),
        ("top 10 thing guides", True),
        ("thing 2024 guide", True),
    ],
)
def test_x17_releases_stay_apart_when_the_query_names_one(query: str, folded: bool):
    found = rows(("d.test/docs/3.1/a", "A"), ("d.test/docs/3.2/a", "A"), query=query)
    assert len(found) == (1 if folded else 2)


def test_x17_a_release_may_be_named_without_a_number():
    hits = (("d.test/docs/stable/a", "A"), ("d.test/docs/nightly/a", "A"))
    assert len(rows(*hits, query="thing guide")) == 1
    assert len(rows(*hits, query="thing nightly guide")) == 2


FORMS = [
    ("d.test/guide/install.md", "d.test/guide/install.html"),
    ("d.test/guide/install", "d.test/guide/install.md"),
    ("d.test/guide/install/", "d.test/guide/install.HTM"),
    ("d.test/guide/install.html.md", "d.test/guide/install.html"),
    ("d.test/guide/index.html", "d.test/guide/"),
    ("d.test/guide/index.md", "d.test/guide"),
    ("d.test/index.html", "d.test"),
    ("d.test/a.html?x=1", "d.test/a.md?x=1"),
    ("d.test/a.html#part", "d.test/a.md"),
]

OTHER_FORMS = [
    ("d.test/a.md", "e.test/a.md"),
    ("d.test/a.md", "d.test/A.md"),
    ("d.test/a.html?x=1", "d.test/a.html?x=2"),
    ("d.test/?file=a.md", "d.test/?file=a.html"),
    ("d.test/a.pdf", "d.test/a.html"),
    ("d.test/.md", "d.test/"),
    ("d.test/#/a.md", "d.test/#/a.html"),
    ("d.md/a", "d.html/a"),
]


@pytest.mark.parametrize(("one", "other"), FORMS)
def test_e4_forms_of_one_document_are_one_row(one: str, other: str):
    merged = merge([brought("a", (one, "Install")), brought("b", (other, "Install it"))])
    (source,) = merged.sources
    assert source.url == f"https://{one}"
    assert [(member.url, member.fold, member.title) for member in source.also] == [
        (f"https://{other}", "mirror", "Install it")
    ]
    assert [seen.backend for seen in source.found_by] == ["a", "b"]


@pytest.mark.parametrize(("one", "other"), OTHER_FORMS)
def test_e4_other_documents_stay(one: str, other: str):
    assert len(rows((one, "Install"), (other, "Install"))) == 2


@pytest.mark.parametrize("pair", FORMS)
def test_a_document_s_key_is_stable(pair: tuple[str, str]):
    found = {document(key(f"https://{place}")) for place in pair}
    assert len(found) == 1
    assert {document(page) for page in found} == found


def test_x17_every_member_of_a_cluster_is_kept():
    merged = merge(
        [
            brought("a", ("o.test/", "Other"), ("http://d.test/docs/3.1/a.html"[7:], "A")),
            brought("b", ("d.test/docs/3.2/a.html?utm_source=x", "A"), ("d.test/docs/3.1/a.md", "A in text")),
            brought("c", ("d.test/docs/3.1/a.html?gclid=1", "A"), ("www.d.test/docs/3.1/a.html", "A")),
        ]
    )
    source = next(source for source in merged.sources if source.domain == "d.test")
    assert source.url == "https://d.test/docs/3.1/a.html"
    assert [
        (member.url.removeprefix("https://"), member.fold, member.found_by[0].backend) for member in source.also
    ] == [
        ("d.test/docs/3.1/a.html?gclid=1", "spelling", "c"),
        ("www.d.test/docs/3.1/a.html", "spelling", "c"),
        ("d.test/docs/3.1/a.md", "mirror", "b"),
        ("d.test/docs/3.2/a.html?utm_source=x", "release", "b"),
    ]
    assert source.found_by == (
        Found(backend="a", family="a", rank=2),
        Found(backend="b", family="b", rank=1),
        Found(backend="c", family="c", rank=1),
    )
    assert merged.total - merged.deduped == 2


def test_x17_what_was_folded_into_a_page_goes_with_it():
    """A release that has a mirror, and copies of it all: nobody who found any of them is lost."""
    title = "Installing the tidal turbine toolkit on small harbour boats"
    lists = [
        brought("a", ("d.test/docs/3.1/a", title)),
        brought("b", ("o.test/", "Other"), ("d.test/docs/3.2/a", title)),
        brought("c", ("o.test/", "Other"), ("p.test/", "Else"), ("d.test/docs/3.2/a.md", title)),
        brought("d", ("o.test/", "Other"), ("p.test/", "Else"), ("q.test/", "Third"), ("copy.test/x", title)),
        brought("e", *[(f"{sign}.test/", sign) for sign in "opqr"], ("copy.test/x.html", title)),
    ]
    source = next(each for each in merge(lists, dedup="url+title").sources if each.title == title)
    assert [(member.url.removeprefix("https://"), member.fold) for member in source.also] == [
        ("d.test/docs/3.2/a", "release"),
        ("d.test/docs/3.2/a.md", "mirror"),
        ("copy.test/x", "copy"),
        ("copy.test/x.html", "mirror"),
    ]
    assert [seen.backend for seen in source.found_by] == list("abcde")


@pytest.mark.parametrize("other", ["d.test/docs/3.2/a.html", "d.test/docs/3.1/a.md"], ids=["release", "form"])
def test_e4_what_is_one_row_is_ranked_by_all_who_found_it(other: str):
    merged = merge(
        [
            brought("a", ("one.test/", "One"), ("d.test/docs/3.1/a.html", "A")),
            brought("b", ("two.test/", "Two"), (other, "A")),
        ]
    )
    assert [source.domain for source in merged.sources] == ["d.test", "one.test", "two.test"]
    assert merged.sources[0].score == pytest.approx(2 / 62)
    assert merged.sources[1].score == pytest.approx(1 / 61)


def test_a_page_without_a_title_is_no_release_of_two_that_differ():
    hits = [("d.test/docs/3.1/a", ""), ("d.test/docs/3.2/a", "A"), ("d.test/docs/3.3/a", "B")]
    assert len(rows(*hits)) == 3
    assert len(rows(*hits[:2])) == 1


def test_a_title_may_come_from_another_form_of_the_document_and_from_no_other_release():
    untitled, mirror, release = (Hit(url=f"https://d.test/docs/{place}", title=title) for place, title in
                                 [("3.1/a", None), ("3.1/a.md", "A"), ("3.2/a", "B")])  # fmt: skip
    titles = [
        merge([Contribution(backend="e", family="e", hits=[untitled, *others])]).sources[0].title
        for others in ([mirror], [release], [])
    ]
    assert titles == ["A", "d.test/docs/3.1/a", "d.test/docs/3.1/a"]
    titled = Hit(url=untitled.url, title="Its own")
    (source,) = merge([Contribution(backend="e", family="e", hits=[titled, mirror])]).sources
    assert source.title == "Its own"


def test_what_a_release_lacks_is_not_filled_in_from_another():
    first = Hit(url="https://d.test/docs/3.1/a", title="A")
    second = Hit(url="https://d.test/docs/3.2/a", title="A", snippet="Only in 3.2")
    (source,) = merge([Contribution(backend="e", family="e", hits=[first, second])]).sources
    assert source.snippet == ""
    mirror = Hit(url="https://d.test/docs/3.1/a.md", title="A", snippet="In 3.1, too")
    (source,) = merge([Contribution(backend="e", family="e", hits=[first, second, mirror])]).sources
    assert source.snippet == "In 3.1, too"


def test_bc_150_folding_does_not_depend_on_the_order_of_arrival():
    lists = [
        brought("a", ("d.test/docs/3.1/a.html", "A 3.1"), ("d.test/docs/a.md", "A")),
        brought("b", ("d.test/docs/3.2/a", ""), ("d.test/docs/stable/a", "A 3.2")),
        brought("c", ("d.test/docs/3.1/a", "B 3.1"), ("d.test/docs/a", "A")),
    ]
    chance = random.Random(4)
    seen: list[Merged] = []
    for _ in range(20):
        chance.shuffle(lists)
        seen.append(merge(lists))
    assert all(merged == seen[0] for merged in seen)


@pytest.mark.parametrize(
    "segment",
    ["a-" * 3000, "1.2" + "a-a-" * 2000, "v" * 6000, "1." * 3000, "x" + "_1" * 3000, "1.2rc" * 1500, "-1.2" * 1500],
    ids=range(7),
)
def test_an_odd_address_costs_no_time(segment: str):
    began = time.process_time()
    edition(key(f"https://d.test/docs/{segment}/a"))
    assert time.process_time() - began < 0.5
