"""What may be asked for, and what is refused before anything is sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from fanseek.config.settings import Settings
from fanseek.errors import UsageError
from fanseek.select.request import wish


@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "\n\t",
        "\u200b\u200e",
        "\x00",
        "\u200d \u200c",
        "\ufe0f",
        "\u034f",
        "\u2800",
        None,
        7,
        b"bytes",
        ["q"],
    ],
)
def test_q7_an_empty_query_is_refused(query):
    with pytest.raises(UsageError, match="query") as caught:
        wish(Settings(), query)
    assert caught.value.code == "INVALID_ARGUMENTS"


@pytest.mark.parametrize("query", ["q", " padded ", "日本語", "🦆", 'C++ && "x" -y'])
def test_a_query_is_kept_but_for_the_space_around_it(query):
    """X26, G2: quoted strings and operators are never touched; where nothing was, nothing is reported."""
    got = wish(Settings(), query)
    assert got.request.query == query.strip()
    assert got.phrasing.rewritten is UNSET
    assert got.notes == ()


def test_x26_a_shaped_query_is_reported_and_shaping_can_be_switched_off():
    got = wish(Settings(), "please search for  rust")
    assert (got.request.query, got.phrasing.given) == ("rust", "please search for rust")
    assert got.phrasing.rewritten == "rust"
    (note,) = got.notes
    assert note.kind == "query_rewritten"
    assert '"rust"' in note.message
    for kept in (
        wish(Settings(shape_query=False), "please  search"),
        wish(Settings(), "please search", shape_query=False),
    ):
        assert kept.request.query == "please search"
        assert kept.phrasing.rewritten is UNSET
    assert wish(Settings(shape_query=False), "please search for rust", shape_query=True).request.query == "rust"


@pytest.mark.parametrize("query", ["搜索", "search", "请帮我查一下", "hello!"])
def test_g1_a_query_of_fillers_is_refused_and_says_what_to_do(query):
    with pytest.raises(UsageError, match="say what to search for") as caught:
        wish(Settings(), query)
    assert caught.value.code == "INVALID_ARGUMENTS"
    assert wish(Settings(), f'"{query}"').request.query == f'"{query}"'


def test_e7_parts_are_asked_only_where_wished():
    assert wish(Settings(), "sftp vs rsync").requests == (wish(Settings(), "sftp vs rsync").request,)
    told = Settings(multi_query_enabled=True)
    for got in (wish(told, "hi, sftp vs rsync"), wish(Settings(), "hi, sftp vs rsync", multi_query=True)):
        assert [request.query for request in got.requests] == ["sftp vs rsync", "sftp", "rsync"]
        assert [note.kind for note in got.notes] == ["query_rewritten", "sub_queries"]
        assert '"sftp", "rsync"' in got.notes[1].message
    assert len(wish(told, "sftp vs rsync", multi_query=False).requests) == 1
    assert len(wish(told, "sftp").requests) == 1


def test_e10_deep_coverage_is_wished_by_setting_or_call():
    assert not wish(Settings(), "q").request.deep
    assert wish(Settings(deep_coverage=True), "q").request.deep
    assert wish(Settings(), "q", deep=True).request.deep
    assert not wish(Settings(deep_coverage=True), "q", deep=False).request.deep


def test_a_lone_surrogate_can_be_sent():
    assert wish(Settings(), "a\ud800b").request.query == "a\ufffdb"


@pytest.mark.parametrize("wanted", ["8", "x", 8.0, True, [8], float("nan")])
def test_x6_a_wrong_type_is_refused(wanted):
    with pytest.raises(UsageError, match="max_results"):
        wish(Settings(), "q", max_results=wanted)


@pytest.mark.parametrize("wanted", [0, 51, -1, 99_999, 10**400])
def test_x6_a_number_out_of_range_falls_back_and_is_noted(wanted):
    """BC-137: the note says what was asked for and what came."""
    got = wish(Settings(num_results=8), "q", max_results=wanted)
    assert got.request.limit == 8
    (note,) = got.notes
    assert note.kind == "max_results_out_of_range"
    assert "8" in note.message
    assert len(note.message) < 200
    if wanted < 10**9:
        assert str(wanted) in note.message


@pytest.mark.parametrize("wanted", [1, 8, 50])
def test_x6_a_number_in_range_is_kept(wanted):
    got = wish(Settings(), "q", max_results=wanted)
    assert (got.request.limit, got.notes) == (wanted, ())


def test_defaults_come_from_the_settings():
    told = Settings(num_results=3, recency="week", language="de", region="at", safe_search=False, deadline_ms=900)
    got = wish(told, "q")
    request = got.request
    assert (request.limit, request.recency, request.language, request.region) == (3, "week", "de", "at")
    assert request.safe_search == "off"
    assert got.deadline_s == 0.9
    assert wish(told, "q", safe_search="").request.safe_search == "off"
    assert wish(told, "q", safe_search="moderate").request.safe_search == "moderate"
    assert wish(told, "q", freshness="").request.recency == "week"
    other = wish(told, "q", freshness="any", language="", region="").request
    assert (other.recency, other.language, other.region) == ("any", "", "")


@pytest.mark.parametrize(
    "wrong",
    [
        {"freshness": "hour"},
        {"freshness": 7},
        {"freshness": ["day"]},
        {"safe_search": "high"},
        {"safe_search": 1},
        {"safe_search": "2"},
        {"safe_search": True},
        {"safe_search": False},
        {"safe_search": ["off"]},
        {"language": "english please"},
        {"language": 5},
        {"language": "en\n"},
        {"region": "USA!"},
        {"region": "u"},
        {"include_domains": "example.org"},
        {"include_domains": ["https://"]},
        {"exclude_domains": ["a b.com"]},
        {"exclude_domains": ["localhost"]},
        {"exclude_domains": [7]},
        {"include_domains": ["x.com OR site:evil.com"]},
        {"deadline_ms": 0},
        {"deadline_ms": -5},
        {"deadline_ms": float("nan")},
        {"deadline_ms": float("inf")},
        {"deadline_ms": "500"},
        {"deadline_ms": True},
        {"backends": "one"},
        {"backends": []},
        {"backends": [1]},
        {"shape_query": "no"},
        {"multi_query": 1},
        {"deep": 0},
    ],
)
def test_an_impossible_wish_is_refused_by_name(wrong):
    with pytest.raises(UsageError, match=next(iter(wrong))):
        wish(Settings(), "q", **wrong)


def test_codes_take_one_form():
    request = wish(Settings(), "q", language="zh_CN", region="US").request
    assert (request.language, request.region) == ("zh-CN", "us")
    request = wish(Settings(), "q", region="cn-zh").request
    assert (request.language, request.region) == ("zh-CN", "cn")


def test_domains_take_one_form():
    got = wish(Settings(), "q", include_domains=["Example.ORG", "*.example.org", "bücher.example."])
    assert got.request.include_domains == ("example.org", "xn--bcher-kva.example")


def test_x5_the_cap_is_a_setting_and_holds_for_each_list():
    six, others = [f"{name}.test" for name in "abcdef"], [f"{name}.example" for name in "abcdef"]
    for most in (1, 5, 6):
        got = wish(Settings(max_domains=most), "q", include_domains=six, exclude_domains=others)
        assert (got.request.include_domains, got.request.exclude_domains) == (tuple(six[:most]), tuple(others[:most]))
        assert [note.kind for note in got.notes] == ["domains_truncated"] * 2 * (most < 6)
    assert wish(Settings(), "q", include_domains=six).request.include_domains == tuple(six[:5])


def test_backends_are_named_once():
    assert wish(Settings(), "q", backends=("b", "a", "b")).backends == ("b", "a")


JUNK = st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.binary(), st.lists(st.text()), st.booleans())


@given(
    st.fixed_dictionaries(
        {"query": JUNK},
        optional=dict.fromkeys(
            [
                "max_results",
                "backends",
                "freshness",
                "time_range",
                "site",
                "max_chars_per_result",
                "language",
                "region",
                "safe_search",
                "include_domains",
                "exclude_domains",
                "deadline_ms",
                "shape_query",
                "multi_query",
                "deep",
            ],
            JUNK,
        ),
    )
)
def test_junk_is_refused_or_taken_and_never_breaks_anything(arguments):
    try:
        got = wish(Settings(), **arguments)
    except UsageError:
        return
    assert 1 <= got.request.limit <= 50
    assert 0 < got.deadline_s <= 600
