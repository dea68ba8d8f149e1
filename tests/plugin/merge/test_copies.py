from __future__ import annotations

import random
import string
import time
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fanseek.contract import Hit
from fanseek.merge import Contribution, Merged, merge
from fanseek.merge.titles import Wording
from fanseek.sandbox.corpus import Corpus
from fanseek.types import Found

BRIDGE = "Old harbour swing bridge reopens after eleven months"
CJK = "沿海三市启动跨城公交一卡通试点 学生老人可享半价"


def brought(backend: str, *hits: tuple[str, str], priority: int = 100, **more: str) -> Contribution:
    made = [Hit(url=f"https://{place}", title=title, **more) for place, title in hits]
    return Contribution(backend=backend, family=backend, hits=made, priority=priority)


def folded(*contributions: Contribution, **options: object) -> Merged:
    return merge(contributions, dedup="url+title", **options)  # type: ignore[arg-type]


def places(merged: Merged) -> list[str]:
    return [source.url.removeprefix("https://") for source in merged.sources]


@pytest.mark.parametrize(
    "title", [BRIDGE, CJK, "離島の診療所を二十年守ってきた夫婦の願い", "수몰 마을의 기억을 기록하는 사진가"]
)
def test_e3_two_mirrors_of_one_headline_merge_only_under_url_and_title(title: str):
    lists = [brought("one", ("a.test/news/1", title)), brought("two", ("b.test/copy", f"{title} | Mirror Daily"))]
    assert places(merge(lists)) == ["a.test/news/1", "b.test/copy"]
    merged = folded(*lists)
    assert places(merged) == ["a.test/news/1"]
    assert (merged.total, merged.deduped) == (2, 1)
    (source,) = merged.sources
    assert source.found_by == (Found(backend="one", family="one", rank=1), Found(backend="two", family="two", rank=1))
    (member,) = source.also
    assert (member.url, member.title, member.fold) == ("https://b.test/copy", f"{title} | Mirror Daily", "copy")
    assert member.found_by == (Found(backend="two", family="two", rank=1),)


@pytest.mark.parametrize(
    ("one", "other"), [("机器学习", "神经网络"), ("🔥", "🎉"), ("", ""), ("Добрый день", "Новости спорта")]
)
def test_bc_122_what_can_t_be_told_is_not_merged(one: str, other: str):
    assert len(folded(brought("a", ("a.test/", one)), brought("b", ("b.test/", other))).sources) == 2


@pytest.mark.parametrize(
    ("one", "other"), [("ﾃｽﾄ自動化入門", "テスト自動化入門"), ("臺灣大學圖書館開放時間", "台湾大学图书馆开放时间")]
)
def test_bc_126_spellings_are_merged_whichever_comes_first(one: str, other: str):
    for first, second in ((one, other), (other, one)):
        assert len(folded(brought("a", ("a.test/1", first)), brought("b", ("b.test/2", second))).sources) == 1


def test_the_best_ranked_is_shown_and_lacks_nothing_a_copy_has():
    first = brought("one", ("o.test/", "Something else entirely, and long"), ("a.test/1", BRIDGE), priority=1)
    second = brought("two", ("b.test/2", BRIDGE), priority=2, snippet="The text", published="2024-05-01")
    source = folded(first, second).sources[0]
    assert source.url == "https://b.test/2"
    third = brought("three", ("a.test/1", BRIDGE))
    source = folded(first, second, third).sources[0]
    assert (source.url, source.snippet, source.published) == ("https://a.test/1", "The text", "2024-05-01")
    assert [seen.backend for seen in source.found_by] == ["one", "two", "three"]


def test_copies_are_votes_for_one_result():
    alone = brought("a", ("x.test/", "A page that nobody else has got"), ("m.test/1", BRIDGE))
    copy = brought("b", ("y.test/", "Another page that nobody else has"), ("n.test/2", BRIDGE))
    merged = folded(alone, copy)
    assert places(merged)[0] == "m.test/1"
    assert merged.sources[0].score == pytest.approx(2 / 62)


def test_e3_a_long_title_with_a_word_more_is_found_among_others():
    title = (
        "Engineers northern harbour spent eleven months rebuilding listed steel swing bridge hand tools winter closed "
        "river crossing traffic timber"
    )
    more = title.replace("steel", "rusty steel")
    lists = [brought("a", ("a.test/1", title), ("x.test/", BRIDGE)), brought("b", ("y.test/", CJK), ("b.test/2", more))]
    assert sorted(places(folded(*lists))) == ["a.test/1", "x.test/", "y.test/"]
    assert len(places(merge(lists))) == 4


def test_what_a_and_c_deny_b_can_t_join():
    whole = "Parents warned over counterfeit gels sold online after inspectors find anaesthetic in nine"
    rows = [("a.test/1", f"{whole} brands"), ("b.test/2", f"{whole} …"), ("c.test/3", f"{whole} shops")]
    for number in range(3):
        order = rows[number:] + rows[:number]
        merged = folded(brought("e", *order))
        groups = [{source.url, *(member.url for member in source.also)} for source in merged.sources]
        assert len(groups) == 2
        assert not any({"https://a.test/1", "https://c.test/3"} <= group for group in groups)


def test_a_title_that_one_site_gives_to_a_series_tells_nothing_on_any_site():
    series = brought("e", ("a.test/show/1", BRIDGE), ("b.test/x", BRIDGE), ("a.test/show/2", BRIDGE))
    assert len(folded(series).sources) == 3
    assert len(folded(brought("e", ("a.test/show/1", BRIDGE), ("b.test/x", BRIDGE))).sources) == 1


def test_pages_of_one_subject_stay_apart_among_many():
    title = "Photosynthesis and the global carbon cycle"
    rows = [
        ("en.wikipedia.org/wiki/P", title),
        ("www.britannica.com/p", title),
        ("a.test/p", title),
        ("b.test/q", title),
    ]
    merged = folded(brought("e", *rows))
    assert [len(source.also) for source in merged.sources] == [0, 0, 1]


def test_two_pages_without_a_title_are_never_copies():
    assert len(folded(brought("e", ("a.test/x", "https://a.test/x"), ("b.test/x", ""), ("c.test/x", ""))).sources) == 3


def test_domains_are_left_out_before_anything_is_folded():
    lists = [brought("a", ("bad.test/1", BRIDGE)), brought("b", ("good.test/1", BRIDGE))]
    merged = folded(*lists, exclude_domains=["bad.test"])
    assert places(merged) == ["good.test/1"]
    assert (merged.total, merged.deduped, merged.filtered) == (1, 0, 1)
    assert merged.sources[0].also == ()


WORDS = st.sampled_from(
    [BRIDGE, f"{BRIDGE} | Mirror Daily", f"The {BRIDGE.lower()}", f"{BRIDGE} 2", CJK, "Home", "", "🔥"]
)
ROWS = st.lists(st.tuples(st.sampled_from("pqrstu"), st.sampled_from(["", "a", "b/1", "b/2"]), WORDS), max_size=6)
LISTS = st.lists(ROWS, max_size=4)


@settings(max_examples=60)
@given(LISTS, st.randoms(use_true_random=False))
def test_bc_150_folding_does_not_depend_on_the_order_of_arrival(lists: list, chance: random.Random):
    contributions = [
        brought(name, *((f"{host}.test/{path}", title) for host, path, title in rows))
        for name, rows in zip("abcd", lists, strict=False)
    ]
    shuffled = list(contributions)
    chance.shuffle(shuffled)
    assert folded(*shuffled) == folded(*contributions)


@settings(max_examples=60)
@given(LISTS)
def test_e13_x17_every_address_is_kept_once_and_counted_once(lists: list):
    contributions = [
        brought(name, *((f"{host}.test/{path}", title) for host, path, title in rows))
        for name, rows in zip("abcd", lists, strict=False)
    ]
    merged = folded(*contributions)
    kept = [url for source in merged.sources for url in (source.url, *(member.url for member in source.also))]
    assert sorted(kept) == sorted({hit.url for contribution in contributions for hit in contribution.hits})
    assert merged.total == sum(len(contribution.hits) for contribution in contributions)
    assert merged.total - merged.deduped == len(merged.sources)


def letters(number: int) -> str:
    return "".join(string.ascii_lowercase[number // 26**place % 26] for place in range(4))


FILL = " ".join(
    f"{first}{last}" for first in ("ka", "lo", "mi", "nu", "pe") for last in ("ban", "del", "fir", "gon", "hul")
)
SHAPES = {
    "all alike": lambda _: BRIDGE,
    "one word shared": lambda number: f"shared {letters(number)} {letters(number + 7)}x {letters(number * 3)}y",
    "light words only": lambda number: f"{BRIDGE} {'the of in on at by'[number % 6 * 3 :]}",
    "long, one word changed": lambda number: f"{FILL} {letters(number)}",
    "cut": lambda number: f"{FILL} {letters(number)} …",
    "tails": lambda number: f"{BRIDGE} | {letters(number).title()} Abc",
    "CJK, one sign changed": lambda number: f"央行宣布上调基准利率引发市场关注{chr(0x4E00 + number)}",
    "different": lambda number: (
        f"{letters(number * 11)} {letters(number * 13)} {letters(number * 17)} {letters(number)}"
    ),
}


def lists(shape: str, size: int, *, one_site: bool = False) -> Iterator[Contribution]:
    for backend in range(2):
        numbers = range(backend * size, (backend + 1) * size)
        rows = [
            (f"{'site' if one_site else f'h{number}'}.test/{letters(number)}", SHAPES[shape](number))
            for number in numbers
        ]
        yield brought(f"b{backend}", *rows)


@pytest.mark.parametrize(
    ("shape", "one_site"), [*((shape, False) for shape in SHAPES), ("all alike", True), ("cut", True)]
)
def test_titles_compared_grow_with_the_number_of_titles(shape: str, one_site: bool, monkeypatch: pytest.MonkeyPatch):
    """From 100 to 1000 results a backend at most twelve times as many comparisons, however the titles are made."""
    compared = 0
    real = Wording.same

    def counted(self: Wording, *other: object) -> bool:
        nonlocal compared
        compared += 1
        return real(self, *other)

    monkeypatch.setattr(Wording, "same", counted)
    counts = []
    for size in (100, 1000):
        compared = 0
        folded(*lists(shape, size, one_site=one_site), limit=8)
        counts.append(compared)
    assert counts[1] <= 12 * max(counts[0], 100)


def test_time_grows_with_the_number_of_titles():
    def cost(size: int) -> float:
        contributions = list(lists("different", size))
        began = time.process_time()
        folded(*contributions, limit=8)
        return time.process_time() - began

    cost(100)
    assert min(cost(1000), cost(1001)) < 20 * max(min(cost(100), cost(101)), 0.005)


def test_many_copies_of_one_story_are_one_result():
    merged = folded(*lists("all alike", 100))
    assert len(merged.sources) == 1
    assert len(merged.sources[0].also) == 199


@pytest.mark.parametrize("query", ["tidal turbines", "量子计算", "東京 天気", "서울 맛집"])
@pytest.mark.parametrize("cjk", [False, True])
def test_e3_all_mirrors_of_the_sandbox_merge_and_nothing_of_another_title(query: str, cjk: bool):
    names = ("a", "b", "c", "d")
    corpus = Corpus(backends=names, families=(), results=40, cjk=cjk)
    found = [
        Contribution(
            backend=name, family=name, hits=[Hit(url=row.url, title=row.title) for row in corpus.rows(name, query)]
        )
        for name in names
    ]
    shared = {p.document for name in names for p in corpus.placed(name, query) if p.form == "mirror"}
    owner = {p.row.url: p.document for name in names for p in corpus.placed(name, query)}
    assert len(merge(found).sources) == corpus.distinct(query, names)
    merged = folded(*found)
    groups = [[source, *source.also] for source in merged.sources]
    assert all(len({page.title for page in group}) == 1 for group in groups)
    assert len(shared) == 4
    for document in shared:
        assert sum(any(owner.get(page.url) == document for page in group) for group in groups) == 1
