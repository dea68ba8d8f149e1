from __future__ import annotations

import random
import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import Hit
from fanseek.merge import Contribution, merge
from fanseek.merge.fusion import fused
from fanseek.text.canonical import key, source_id
from fanseek.text.hits import cleaned
from fanseek.types import Found


def found(
    backend: str, *urls: str, family: str = "", priority: int = 100, weight: float = 1.0, variant: int = 0
) -> Contribution:
    hits = [
        Hit(url=url if "://" in url else f"https://{url}.example.test/", title=f"{url} by {backend}") for url in urls
    ]
    return Contribution(
        backend=backend, family=family or backend, hits=hits, priority=priority, weight=weight, variant=variant
    )


def brought(backend: str, *hits: Hit, priority: int = 100) -> Contribution:
    return Contribution(backend=backend, family=backend, hits=cleaned(hits), priority=priority)


def pages(*contributions: Contribution, **options: object) -> list[str]:
    merged = merge(contributions, **options)  # type: ignore[arg-type]
    return [source.url.removeprefix("https://").removesuffix(".example.test/") for source in merged.sources]


def test_bc_002_scheme_is_no_identity_and_both_backends_keep_credit():
    merged = merge([found("engA", "http://example.test/post/7"), found("engB", "https://example.test/post/7")])
    (source,) = merged.sources
    assert source.url == "https://example.test/post/7"
    assert [sighting.backend for sighting in source.found_by] == ["engA", "engB"]
    assert source.score == pytest.approx(2 / 61)
    assert (merged.total, merged.deduped) == (2, 1)


def test_bc_006_the_url_handed_out_is_as_given():
    url = "https://cdn.example.test/f.pdf?X-Sig=ab%2Bcd%3D&Expires=1&utm_source=n"
    assert [source.url for source in merge([brought("engA", Hit(url=url, title="F"))]).sources] == [url]


def test_the_url_without_tracking_is_preferred_and_https_before_it():
    plain, tracked, insecure = (
        "https://a.test/x?b=1&a=2",
        "https://www.a.test/x/?a=2&b=1&gclid=1",
        "http://a.test/x?a=2&b=1",
    )
    for urls, chosen in [
        ([tracked, plain], plain),
        ([insecure, tracked], tracked),
        ([insecure, tracked, plain], plain),
    ]:
        merged = merge([found(f"b{at}", url) for at, url in enumerate(urls)])
        assert [source.url for source in merged.sources] == [chosen]


def test_an_address_copied_out_of_html_is_the_last_to_be_shown():
    """BC-004: both separators are of one page; the one that works is shown."""
    escaped, plain = "https://a.test/x?b=1&amp;a=2", "http://a.test/x?a=2&b=1&gclid=1"
    (source,) = merge([found("a", escaped), found("b", plain)]).sources
    assert source.url == plain
    assert merge([found("a", escaped)]).sources[0].url == escaped


def test_bc_092_both_spellings_of_an_emoji_host_are_one_page():
    merged = merge(
        [
            found("a", "https://xn--i-7iq.ws/"),
            found("b", "https://i❤.ws/"),
            found("c", "https://xn--mn8ha4uc.example.test/"),
        ]
    )
    assert len(merged.sources) == 2


def test_bc_095_bc_097_dangerous_links_do_not_come_through():
    urls = [
        "javascript:alert(1)",
        " \tjava\nscript:alert(1)",
        "data:,x",
        "//cdn.example.test/ok",
        "https://bank.test@evil.test/login",
    ]
    merged = merge([brought("e", *(Hit(url=url, title="t") for url in urls))])
    assert [(source.url, source.domain) for source in merged.sources] == [("https://evil.test/login", "evil.test")]


def test_bc_140_the_cut_comes_last():
    contributions = [found("a", "u1", "u2", "u3", "u4", "u5", "u6"), found("b", "u1", "u2", "u3", "u4", "u5", "u7")]
    merged = merge(contributions, limit=5, exclude_domains=["u2.example.test"])
    assert pages(*contributions, limit=5, exclude_domains=["u2.example.test"]) == ["u1", "u3", "u4", "u5", "u6"]
    assert (merged.total, merged.deduped, merged.filtered) == (10, 4, 1)
    assert merged.truncated


def test_bc_140_a_limit_of_none_keeps_all_and_include_filters_before_it():
    contributions = [found("a", *(f"u{at}" for at in range(30)))]
    assert len(merge(contributions).sources) == 30
    assert pages(*contributions, limit=2, include_domains=["u7.example.test", "U29.example.test."]) == ["u7", "u29"]
    assert merge(contributions, include_domains=["other.test"]).sources == ()


def test_e1_fields_are_filled_in_from_every_copy():
    merged = merge(
        [
            brought("a", Hit(url="https://a.test/x", title="Title")),
            brought("b", Hit(url="https://a.test/x", title="Other", snippet="Snippet b"), priority=2),
            brought("c", Hit(url="https://a.test/x", snippet="Snippet c", published="2024-01-01"), priority=3),
        ]
    )
    (source,) = merged.sources
    assert (source.title, source.snippet, source.published) == ("Other", "Snippet b", "2024-01-01")


def test_e1_the_best_ranked_copy_speaks_first():
    first = brought(
        "b", Hit(url="https://b.test/"), Hit(url="https://a.test/x", title="Second place", snippet="2"), priority=1
    )
    second = brought("a", Hit(url="https://a.test/x", title="First place", snippet="1"), priority=9)
    source = next(source for source in merge([first, second]).sources if source.domain == "a.test")
    assert (source.title, source.snippet) == ("First place", "1")


def test_e2_tracking_variants_merge():
    merged = merge([found("a", "https://a.test/p?utm_source=x&fbclid=y"), found("b", "https://a.test/p")])
    assert len(merged.sources) == 1


def test_e6_ties_follow_priority_then_the_key():
    assert pages(found("a", "x"), found("b", "y", priority=50), found("c", "z")) == ["y", "x", "z"]
    assert pages(found("b", "m"), found("a", "n")) == ["m", "n"]


def test_e6_a_better_rank_goes_before_priority_at_the_same_score():
    split = [found("a", "https://o.test/", "x", weight=62.0), found("b", "y", weight=61.0, priority=200)]
    assert pages(*split)[-2:] == ["y", "x"]


def test_e14_every_source_has_id_title_url_snippet_and_domain():
    (source,) = merge([brought("a", Hit(url="https://www.Example.Test:8443/a%20b/c?q=1"))]).sources
    assert len(source.id) == 8
    assert (source.title, source.url, source.snippet) == (
        "example.test/a b/c",
        "https://www.Example.Test:8443/a%20b/c?q=1",
        "",
    )
    assert source.domain == "example.test"


def test_bc_145_a_title_is_never_none():
    hits = [
        Hit(url="https://a.test/", title=None),
        Hit(url="https://b.test/x", title="None"),
        Hit(url="https://c.test/", title=""),
    ]
    assert [source.title for source in merge([brought("a", *hits)]).sources] == ["a.test", "b.test/x", "c.test"]


@pytest.mark.parametrize(
    "address", ["https://www.a.test/x", "a.test", "www.a.test", "a.test/x/", "http://a.test/x?utm_source=q"]
)
def test_a_title_that_is_the_address_gives_way_to_a_real_one(address: str):
    named = brought("b", Hit(url="https://b.test/"), Hit(url="https://a.test/x", title="A real title"))
    titles = {
        source.domain: source.title
        for source in merge([brought("a", Hit(url="https://a.test/x", title=address)), named]).sources
    }
    assert titles["a.test"] == "A real title"
    (alone,) = merge([brought("a", Hit(url="https://a.test/x", title=address))]).sources
    assert alone.title == address


def test_a_title_cut_by_its_backend_is_completed_from_another_copy():
    cut = brought("a", Hit(url="https://a.test/", title="How to merge ranked …"), priority=1)
    full = brought("b", Hit(url="https://a.test/", title="How to merge ranked lists fairly"))
    other = brought("c", Hit(url="https://a.test/", title="A quite different and much longer title of it"))
    assert [source.title for source in merge([cut, other, full]).sources] == ["How to merge ranked lists fairly"]
    assert [source.title for source in merge([cut, other]).sources] == ["How to merge ranked …"]


def test_two_front_ends_of_one_index_are_one_voice():
    alone = [found(name, "x", family="bing") for name in ("a", "b", "c")]
    pair = [found("d", "o", "y", family="google"), found("e", "p", "y", family="brave")]
    assert pages(*alone, *pair)[0] == "y"
    assert pages(*alone)[0] == "x"
    (source,) = merge(alone).sources
    assert source.score == pytest.approx(1 / 61)
    assert len(source.found_by) == 3


def test_a_hit_of_several_families_counts_in_each():
    meta = Contribution(
        backend="meta", family="meta", hits=[Hit(url="https://x.test/", families=("google", "bing", "google"))]
    )
    (source,) = merge([meta, found("d", "https://x.test/", family="bing")]).sources
    assert source.score == pytest.approx(2 / 61)
    assert source.found_by == (
        Found(backend="d", family="bing", rank=1),
        Found(backend="meta", family="bing", rank=1),
        Found(backend="meta", family="google", rank=1),
    )


def test_found_by_follows_priority_and_keeps_the_best_rank_and_every_variant():
    merged = merge(
        [
            found("z", "o", "https://x.test/", "https://x.test/?utm_source=1", priority=1),
            found("a", "https://x.test/", priority=2),
            found("a", "p", "q", "https://x.test/", priority=2, variant=1),
        ]
    )
    source = next(source for source in merged.sources if source.domain == "x.test")
    assert [(seen.backend, seen.rank, seen.variant) for seen in source.found_by] == [
        ("z", 2, 0),
        ("a", 1, 0),
        ("a", 3, 1),
    ]
    assert merged.deduped == 3


def test_e7_what_two_variants_found_outranks_what_only_one_did():
    original = found("a", "p", "q", "r", "s", "both")
    derived = found("a", "t", "u", "v", "w", "both", variant=1)
    merged = merge([original, derived])
    assert pages(original, derived) == ["both", "p", "t", "q", "u", "r", "v", "s", "w"]
    assert merged.sources[0].score == pytest.approx(2 / 65)
    assert [(seen.variant, seen.rank) for seen in merged.sources[0].found_by] == [(0, 5), (1, 5)]


def test_e7_each_variant_is_fused_by_itself_before_the_variants_are():
    many = [found(name, "chorus") for name in "abcdefgh"]
    both = [found("i", "x", "pair"), found("i", "y", "pair", variant=1)]
    assert pages(*many, *both)[0] == "pair"
    assert merge([*many, *both]).sources[1].score == pytest.approx(1 / 61)


def test_e7_the_original_is_always_present_with_full_weight():
    derived = [found("a", "d1", "d2", "d3", variant=variant) for variant in (1, 2, 3)]
    original = found("a", "o1", "o2")
    merged = merge([*derived, original])
    assert [source.domain.partition(".")[0] for source in merged.sources] == ["d1", "d2", "d3", "o1", "o2"]
    assert {source.domain: source.score for source in merged.sources}["o1.example.test"] == pytest.approx(1 / 61)


def test_bc_148_absent_pages_get_nothing_and_ranks_start_at_one():
    lists = [found("dense", "X", "a", "Y", priority=1), found("sparse", "b", "c", "Y", priority=2)]
    merged = merge(lists)
    assert [source.url[8] for source in merged.sources] == ["Y", "X", "b", "a", "c"]
    assert [source.score for source in merged.sources[:2]] == pytest.approx([2 / 63, 1 / 61])


def test_bc_148_holds_for_the_lists_of_variants_too():
    assert fused([["X", "a", "Y"], ["b", "c", "Y"]]) == pytest.approx(
        {"X": 1 / 61, "a": 1 / 62, "Y": 2 / 63, "b": 1 / 61, "c": 1 / 62}
    )
    assert fused([["x", "y", "x"], []], k=0) == pytest.approx({"x": 1.0, "y": 0.5})
    assert fused([]) == {}


@pytest.mark.parametrize("variants", [(0, 0, 0), (0, 1, 2), (1, 0, 1)])
def test_bc_150_fifty_arrivals_give_one_order(variants: tuple[int, int, int]):
    lists = [
        found("a", "u1", "u2", variant=variants[0]),
        found("b", "u2", "u1", variant=variants[1]),
        found("c", "u3", variant=variants[2]),
    ]
    chance = random.Random(150)
    orders = set()
    for _ in range(50):
        chance.shuffle(lists)
        orders.add(tuple(pages(*lists)))
    assert len(orders) == 1


def test_a_weight_scales_and_never_harms():
    assert pages(found("a", "x", weight=0.5), found("b", "y", weight=2.0)) == ["y", "x"]
    assert merge([found("a", "x"), found("b", "x", weight=-5.0)]).sources[0].score == pytest.approx(1 / 61)


def test_k_sets_how_slowly_ranks_lose_worth():
    lists = [found("a", "top", "both"), found("b", "other", "both")]
    assert pages(*lists, k=60)[0] == "both"
    assert pages(*lists, k=0)[0] in {"top", "both", "other"}
    assert merge(lists, k=0).sources[0].score == pytest.approx(1.0)


def test_nothing_found_is_an_empty_list():
    assert merge([]).sources == ()
    assert merge([Contribution(backend="a", family="a")]).total == 0


BACKENDS = st.sampled_from(["a", "b", "c", "d", "e"])
CONTRIBUTION = st.builds(
    lambda backend, families, urls, weight, variant: Contribution(
        backend=backend,
        family="fgh"[ord(backend) % 3],
        weight=weight,
        priority=ord(backend) % 2,
        variant=variant,
        hits=[
            Hit(url=f"http{'s' * (at % 2)}://{url}.test/", title=f"{url}{at}", families=families)
            for at, url in enumerate(urls)
        ],
    ),
    BACKENDS,
    st.lists(st.sampled_from("fgh"), max_size=2).map(tuple),
    st.lists(st.sampled_from("pqrstu"), max_size=6),
    st.sampled_from([0.0, 0.3, 1.0, 1.7]),
    st.integers(0, 2),
)
CONTRIBUTIONS = st.lists(CONTRIBUTION, max_size=6)


@given(CONTRIBUTIONS, st.randoms(use_true_random=False))
def test_the_list_does_not_depend_on_the_order_of_arrival(contributions: list[Contribution], chance: random.Random):
    shuffled = list(contributions)
    chance.shuffle(shuffled)
    assert merge(shuffled) == merge(contributions)


@given(CONTRIBUTIONS, CONTRIBUTION)
def test_one_more_sighting_never_lowers_a_score(contributions: list[Contribution], more: Contribution):
    alone = [msgspec.structs.replace(contribution, variant=0) for contribution in (*contributions, more)]
    before = {source.id: source.score for source in merge(alone[:-1]).sources}
    after = {source.id: source.score for source in merge(alone).sources}
    assert all(after[page] >= score for page, score in before.items())


@given(CONTRIBUTIONS, CONTRIBUTION)
def test_e7_one_more_sighting_in_a_variant_never_lowers_its_own_page(
    contributions: list[Contribution], more: Contribution
):
    single = msgspec.structs.replace(more, hits=more.hits[:1])
    variants = {contribution.variant for contribution in contributions if contribution.hits}
    if len(variants) < 2 or not single.hits:
        return
    page = source_id(key(single.hits[0].url))
    before = {source.id: source.score for source in merge(contributions).sources}
    after = {source.id: source.score for source in merge([*contributions, single]).sources}
    assert after[page] >= before.get(page, 0.0)


@given(CONTRIBUTIONS, st.integers(1, 5))
def test_e7_a_single_variant_is_fused_as_a_single_query_whatever_its_number(
    contributions: list[Contribution], number: int
):
    def order(variant: int) -> list[tuple[str, float]]:
        alone = [msgspec.structs.replace(contribution, variant=variant) for contribution in contributions]
        return [(source.id, source.score) for source in merge(alone).sources]

    assert order(number) == order(0)


@given(CONTRIBUTIONS, st.integers(0, 8))
def test_e13_no_hit_is_lost_or_counted_twice(contributions: list[Contribution], limit: int):
    whole, part = merge(contributions), merge(contributions, limit=limit)
    assert whole.total == sum(len(contribution.hits) for contribution in contributions)
    assert whole.total - whole.deduped == len(whole.sources)
    assert not whole.truncated
    assert part.truncated == (limit < len(whole.sources))
    assert part.sources == whole.sources[:limit]
    assert (part.total, part.deduped) == (whole.total, whole.deduped)
    assert len({source.id for source in whole.sources}) == len(whole.sources)


def test_cost_grows_with_the_number_of_hits_and_not_with_its_square():
    def cost(size: int) -> float:
        lists = [
            found(f"b{at}", *(f"https://h{n * (at + 1) % (2 * size)}.test/{size}/p" for n in range(size)))
            for at in range(4)
        ]
        began = time.process_time()
        merge(lists, limit=8)
        return time.process_time() - began

    cost(100)
    assert min(cost(2001), cost(2000)) < 40 * max(min(cost(200), cost(201)), 0.001)
