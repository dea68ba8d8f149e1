"""G8, X5, BC-170 to BC-172: domains as people write them, what they come to together, and contradictions told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.errors import UsageError
from fanseek.merge.domains import Domains, matches
from fanseek.select.hostlist import listed
from fanseek.select.scope import Scope, scope

MOST = 5


def of(query: str = "cats", site: object = None, include: object = (), exclude: object = (), most: int = MOST) -> Scope:
    return scope(query, site, include, exclude, most)


def kinds(found: Scope) -> list[str]:
    return [note.kind for note in found.notes]


@pytest.mark.parametrize(
    ("given", "hosts"),
    [
        (" https://www.wikipedia.org", ["wikipedia.org"]),
        ("example.com, example2.com", ["example.com", "example2.com"]),
        ("example.com;example2.com\nexample3.com，example4.com", [f"example{n}.com" for n in ("", 2, 3, 4)]),
        ("*.cn", ["cn"]),
        (".cn", ["cn"]),
        ("*.co.uk", ["co.uk"]),
        ("HTTP://Docs.Example.com/path", ["docs.example.com"]),
        ("https://user:secret@example.com:8443/a?b#c", ["example.com"]),
        ("//example.com/", ["example.com"]),
        ("example.com:443", ["example.com"]),
        ("example.com?x=1", ["example.com"]),
        ("example.com.", ["example.com"]),
        ("例え.テスト", ["xn--r8jz45g.xn--zckzah"]),
        ("BÜCHER.example", ["xn--bcher-kva.example"]),
        ("ｅｘａｍｐｌｅ。com", ["example.com"]),
        ("", []),
        ("  ", []),
        (" , ", []),
        ("gov", ["gov"]),
        ("CN", ["cn"]),
        ("*.corp", ["corp"]),
        ("www.gov.uk", ["gov.uk"]),
        ("www.www.example.org", ["example.org"]),
        ("127.0.0.1", ["127.0.0.1"]),
        ("[::1]:80", ["[0:0:0:0:0:0:0:1]"]),
        ("my_host.example", ["my_host.example"]),
    ],
)
def test_bc_171_one_form_of_every_way_to_write_them(given: str, hosts: list[str]):
    assert list(listed("include_domains", [given]).hosts) == hosts
    assert of(include=[given]).include == of(exclude=[given]).exclude == tuple(hosts)


@pytest.mark.parametrize(
    "junk",
    [
        "*",
        "*.",
        "https://",
        "http:///path",
        "not a domain",
        "a b.com",
        "example",
        "localhost",
        "*example.com",
        "docs.*.com",
        "a..b",
        "-",
        ".",
        "site:example.com",
        "x.com OR site:evil.com",
        'x.com" OR "y',
        "x.com|y.com",
        "(x.com)",
        "x.com\x00",
        "a" * 64 + ".com",
        "a." * 60 + "com",
        "x" * 100_000,
        7,
        None,
        b"x.com",
        ["x.com"],
    ],
    ids=lambda junk: repr(junk)[:30],
)
def test_bc_171_junk_is_refused_by_its_name(junk: object):
    for name in ("include", "exclude"):
        with pytest.raises(UsageError, match=f"{name}_domains") as caught:
            of(**{name: ["fine.example", junk]})
        assert len(str(caught.value)) < 300
        if isinstance(junk, str) and len(junk) < 20 and junk.isprintable() and " " not in junk:
            assert junk in str(caught.value)


@pytest.mark.parametrize("wrong", ["example.org", 7, {"a.test": 1}, b"a.test"])
def test_a_list_is_a_list(wrong: object):
    with pytest.raises(UsageError, match="include_domains must be a list"):
        of(include=wrong)


def test_nothing_after_cleaning_is_no_filter():
    """BC-171: not `match nothing`."""
    found = of(include=["", " , "], exclude=[""])
    assert found == Scope()
    assert Domains(found.include, found.exclude).admit("anything.test")
    assert of(include=None, exclude=None) == Scope()


def test_a_set_has_an_order_too():
    assert of(include={"b.test", "a.test"}).include == ("a.test", "b.test")


@pytest.mark.parametrize("hosts", [["wikipedia.org", "en.wikipedia.org", "WIKIPEDIA.ORG.", "en.wikipedia.org:443"]])
def test_bc_170_sub_domains_and_spellings(hosts: list[str]):
    for rule in ("wikipedia.org", "https://www.wikipedia.org/", "*.wikipedia.org"):
        (canonical,) = of(include=[rule]).include
        assert all(matches(host, canonical) for host in hosts)
        assert not any(matches(host, canonical) for host in ("notwikipedia.org", "wikipedia.org.evil.test", "org"))


def test_a_suffix_covers_what_ends_in_it():
    (cn,), (gov,) = of(include=["*.cn"]).include, of(include=["gov"]).include
    assert matches("news.sina.com.cn", cn)
    assert not matches("cn.example.com", cn)
    assert not matches("barcn", cn)
    assert matches("www.nasa.gov", gov)
    assert not matches("gov.example.com", gov)


def test_x5_the_sixth_domain_is_dropped_and_it_is_said():
    """G8: the first five count; a note names the rest."""
    six = [f"{name}.test" for name in "abcdef"]
    found = of(include=six)
    assert found.include == tuple(six[:5])
    (note,) = found.notes
    assert note.kind == "domains_truncated"
    assert "f.test" in note.message
    assert "a.test" not in note.message
    assert kinds(of(exclude=six)) == ["domains_truncated"]
    assert of(exclude=six).exclude == tuple(six[:5])
    assert kinds(of(include=six, exclude=[f"x{six}" for six in six])) == ["domains_truncated"] * 2
    assert of(include=six, most=50) == Scope(include=tuple(six))
    assert of(include=six[:5], exclude=["x.a.test"] * 6) == Scope(include=tuple(six[:5]), exclude=("x.a.test",))
    assert len(of(include=[f"{n}.test" for n in range(999)]).notes[0].message) < 300


def test_the_same_domain_twice_is_one():
    assert of(include=["a.test", "A.test", "https://www.a.test/", "*.a.test", *"bcde"[:0]]).include == ("a.test",)
    assert kinds(of(include=["a.test"] * 9)) == []


def test_a_path_that_can_t_be_asked_for_is_told():
    found = of(include=["https://github.com/rust-lang", "a.test/"])
    assert (found.include, kinds(found)) == (("github.com", "a.test"), ["domains_widened"])
    assert "github.com" in found.notes[0].message
    assert "a.test" not in found.notes[0].message
    assert kinds(of(site="github.com/rust-lang")) == ["domains_widened"]


@pytest.mark.parametrize(
    ("site", "include"),
    [(None, ()), ("", ()), ("a.test", ("a.test",)), (" HTTPS://www.A.test/ ", ("a.test",)), ("*.gov", ("gov",))],
)
def test_g8_site_is_one_domain(site: str | None, include: tuple[str, ...]):
    assert of(site=site).include == include


def test_g8_a_domain_has_at_most_100_characters():
    longest = f"{'a' * 45}.{'b' * 49}.test"
    assert len(longest) == 100
    assert of(site=longest).include == of(include=[longest]).include == of(exclude=[longest]).exclude == (longest,)
    for ask in ({"site": f"a{longest}"}, {"include": [f"a{longest}"]}, {"exclude": [f"a{longest}"]}):
        with pytest.raises(UsageError, match=r"100 characters|is no domain"):
            of(**ask)
    address = "https://a.test/"
    assert of(site=address + "x" * (100 - len(address))).include == ("a.test",)
    with pytest.raises(UsageError, match="100 characters"):
        of(site=address + "x" * (101 - len(address)))


@pytest.mark.parametrize(
    "wrong", ["a.test,b.test", "a.test b.test", "x" * 101, "https://a.test/" + "x" * 100, 7, ["a.test"], "cats"]
)
def test_g8_site_is_refused_when_it_is_more_or_less(wrong: object):
    with pytest.raises(UsageError, match="site"):
        of(site=wrong)


@pytest.mark.parametrize(
    ("asked", "include", "exclude"),
    [
        ({"site": "docs.a.test", "include": ["a.test", "b.test"]}, ("docs.a.test",), ()),
        ({"site": "a.test", "include": ["docs.a.test"]}, ("docs.a.test",), ()),
        ({"query": "site:docs.a.test cats", "include": ["a.test"]}, ("docs.a.test",), ()),
        ({"query": "site:a.test cats"}, ("a.test",), ()),
        ({"query": "SITE:A.test cats"}, ("a.test",), ()),
        ({"query": "site：a.test cats"}, ("a.test",), ()),
        ({"query": "cats (site:a.test OR site:b.test)"}, ("a.test", "b.test"), ()),
        ({"query": "cats site:a.test/path"}, ("a.test",), ()),
        ({"query": "cats site:*.gov"}, ("gov",), ()),
        ({"query": "cats -site:a.test", "exclude": ["b.test"]}, (), ("b.test", "a.test")),
        ({"query": "cats OR site:a.test"}, (), ()),
        ({"query": '"site:a.test" cats'}, (), ()),
        ({"query": "cats site:???"}, (), ()),
        ({"query": "website:a.test"}, (), ()),
        ({"include": ["a.test"], "exclude": ["docs.a.test"]}, ("a.test",), ("docs.a.test",)),
    ],
)  # fmt: skip
def test_all_that_was_said_is_brought_together(asked: dict, include: tuple[str, ...], exclude: tuple[str, ...]):
    """BC-172's documented precedence: all must hold, the narrower of two counts, excluded wins."""
    found = of(**asked)
    assert (found.include, found.exclude, kinds(found)) == (include, exclude, [])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"query": "site:a.test cats", "include": ["b.test"], "exclude": ["b.test"]}, ["a.test", "b.test"]),
        ({"query": "site:a.test cats", "include": ["b.test"]}, ["site: in the query", "include_domains"]),
        ({"site": "a.test", "include": ["b.test"]}, ["site", "include_domains"]),
        ({"query": "site:a.test cats", "site": "b.test"}, ["site: in the query", "site"]),
        ({"include": ["b.test"], "exclude": ["b.test"]}, ["b.test", "include_domains"]),
        ({"include": ["docs.b.test"], "exclude": ["b.test"]}, ["docs.b.test"]),
        ({"include": ["a.test", "b.test"], "exclude": ["b.test", "a.test"]}, ["a.test, b.test"]),
        ({"site": "a.test", "exclude": ["https://a.test"]}, ["a.test", "site"]),
        ({"query": "site:a.test cats", "exclude": ["a.test"]}, ["a.test", "in the query"]),
        ({"query": "cats -site:a.test", "include": ["a.test"]}, ["a.test", "include_domains"]),
        ({"include": ["notb.test"], "site": "b.test"}, ["notb.test", "b.test"]),
    ],
)
def test_bc_172_a_contradiction_is_an_error_that_names_both_sides(asked: dict, said: list[str]):
    with pytest.raises(UsageError) as caught:
        of(**asked)
    assert all(words in str(caught.value) for words in said), caught.value


def test_bc_172_half_a_contradiction_is_told():
    found = of(include=["a.test", "b.test"], exclude=["b.test"])
    assert (found.include, kinds(found)) == (("a.test",), ["domains_contradict"])
    assert "b.test" in found.notes[0].message


DOMAIN = st.sampled_from(["a.test", "docs.a.test", "b.test", "*.test", "", "http://a.test/x", "gov", "???", "a b"])


@given(st.text(max_size=40), st.lists(DOMAIN), st.lists(DOMAIN), st.one_of(st.none(), DOMAIN))
def test_never_silently_empty(query: str, include: list[str], exclude: list[str], site: str | None):
    try:
        found = of(query, site, include, exclude)
    except UsageError:
        return
    domains = Domains(found.include, found.exclude)
    for host in found.include:
        assert domains.admit(host)
