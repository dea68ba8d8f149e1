from __future__ import annotations

import pytest

from fanseek.merge import matches
from fanseek.merge.domains import Domains


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("python.org", "python.org"),
        ("docs.python.org", "python.org"),
        ("a.b.python.org", "python.org"),
        ("DOCS.Python.ORG", "PYTHON.org"),
        ("www.python.org", "python.org"),
        ("python.org", "www.python.org"),
        ("docs.python.org.", "python.org."),
        ("docs.python.org", "*.python.org"),
        ("docs.python.org", ".python.org"),
        ("docs.python.org", " https://python.org/path "),
        ("docs.python.org", "python.org:443"),
        ("münchen.de", "xn--mnchen-3ya.de"),
        ("www.xn--mnchen-3ya.de", "MÜNCHEN.de"),
        ("例え.テスト", "xn--zckzah"),
        ("bbc.co.uk", "uk"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]", "[0:0::1]"),
        ("docs。python．org", "python.org"),
    ],
)
def test_a_domain_covers_itself_and_what_is_below_it(host: str, domain: str):
    assert matches(host, domain)


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("evilpython.org", "python.org"),
        ("python.org.evil.test", "python.org"),
        ("python.org", "docs.python.org"),
        ("docs.python.org", "www.python.org"),
        ("python.org", ""),
        ("python.org", "."),
        ("python.org", "*"),
        ("python.org", "*."),
        ("python.org", "not a domain"),
        ("", "python.org"),
        ("python-org.test", "python.org"),
        ("127.0.0.1", "0.0.1"),
        ("1.127.0.0.1", "127.0.0.1"),
    ],
)
def test_it_covers_nothing_else(host: str, domain: str):
    assert not matches(host, domain)


def test_exclude_wins_and_an_unreadable_include_admits_nothing():
    both = Domains(["python.org"], ["docs.python.org"])
    assert both.admit("python.org")
    assert both.admit("wiki.python.org")
    assert not both.admit("docs.python.org")
    assert not both.admit("other.test")
    assert Domains().admit("anything.test")
    assert not Domains(["???"]).admit("anything.test")
    assert Domains(exclude=[""]).admit("anything.test")
