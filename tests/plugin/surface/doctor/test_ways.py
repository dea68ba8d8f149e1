"""The way the settings say, and the other one."""

from __future__ import annotations

import pytest

from fanseek.surface.doctor.report import Way
from fanseek.surface.doctor.ways import Route, Ways

EXA = "https://exa.test"
PROXY = {"https": "http://user:PROXYPASS@proxy.test:1"}
SHOWN = "http://proxy.test:1"


def ways(setting: str, **system: str) -> Ways:
    return Ways(setting, system=lambda: {"no": "", **system})


@pytest.mark.parametrize(
    ("setting", "first", "other"),
    [
        ("auto", "proxy", "direct"),
        ("direct", "direct", "proxy"),
        ("http://other.test:2", "proxy", "direct"),
    ],
)
def test_the_other_way_is_the_opposite(setting: str, first: Way, other: Way) -> None:
    found = ways(setting, **PROXY)
    assert found.differ(EXA)
    assert (found.route(EXA).way, found.route(EXA, other=True).way) == (first, other)


@pytest.mark.parametrize("setting", ["auto", "direct"])
def test_without_any_proxy_there_is_one_way(setting: str) -> None:
    assert not ways(setting).differ(EXA)
    assert ways(setting).route(EXA) == Route()


def test_this_machine_and_exempt_hosts_have_one_way() -> None:
    found = ways("auto", no="exa.test", **PROXY)
    assert not found.differ(EXA)
    assert not ways("http://other.test:2").differ("http://127.0.0.1:8888")


def test_a_proxy_is_shown_without_its_password() -> None:
    assert ways("auto", **PROXY).route(EXA) == Route(way="proxy", proxy=SHOWN)


def test_a_proxy_that_cannot_be_used_is_still_a_way_that_fails() -> None:
    found = ways("auto", https="socks4://u:PROXYPASS@proxy.test:1")
    assert found.route(EXA) == Route(way="proxy", proxy="socks4://proxy.test:1")
    assert found.differ(EXA)
    assert "PROXYPASS" not in found.proxies[0].problem


def test_proxies_in_use_and_passed_by() -> None:
    assert [proxy.shown for proxy in ways("auto", **PROXY).proxies] == [SHOWN]
    assert ways("auto", **PROXY).unused == ()
    assert [proxy.shown for proxy in ways("direct", **PROXY).unused] == [SHOWN]
    fixed = ways("http://other.test:2", **PROXY)
    assert [proxy.shown for proxy in fixed.proxies] == ["http://other.test:2"]
    assert [proxy.shown for proxy in fixed.unused] == [SHOWN]


@pytest.mark.parametrize("address", ["", "https://", "https://[::1]", "http://a.test:99999"])
def test_an_odd_address_has_a_way_like_any_other(address: str) -> None:
    assert ways("auto", **PROXY).route(address).way in ("direct", "proxy")
