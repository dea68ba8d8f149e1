"""Which proxy is asked, and that no odd setting stops anything."""

from __future__ import annotations

import base64
import contextlib
import gc
import logging
import socket
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import Request
from fanseek.errors import BackendError
from fanseek.http.client import Client
from fanseek.http.exemptions import Exemptions, is_loopback
from fanseek.http.proxy import Proxy, ProxyChoice, usable
from loopback import client_context, responder, response, serve, server_context
from proxies import tunnel


def choice(proxies: Mapping[str, str], *, setting: str = "auto", exempt: str = "") -> ProxyChoice:
    environ = {f"{scheme.upper()}_PROXY": value for scheme, value in proxies.items()}
    return ProxyChoice(setting, system=lambda: dict(proxies), exempt=lambda: exempt, environ=environ)


@pytest.mark.parametrize(
    ("listed", "direct", "proxied"),
    [
        ("fd07:b51a:cc66::/64", ["fd07:b51a:cc66::1", "[fd07:b51a:cc66::1]"], ["fd07:b51a:cc67::1", "a.test"]),
        ("localhost,::1,[::1]", ["localhost", "[::1]"], ["a.test"]),
        (
            "fe80::/10,10.0.0.0/8,.local,*.corp.example",
            ["fe80::1%eth0", "10.9.8.7", "printer.local", "x.corp.example"],
            ["11.0.0.1", "corp.test"],
        ),
        ("*", ["a.test", "10.0.0.1", "[fd00::1]"], []),
        ("A.Test , b.test\tc.test;d.test", ["a.test", "sub.B.TEST", "c.test", "D.test."], ["ba.test", "atest"]),
        ("a.test:8443", [], ["a.test"]),
        ("[fd00::1]:443,10.1.1.1:443", ["fd00::1", "10.1.1.1"], ["fd00::2"]),
        ("10.1,192.168.*,172.16/12", ["192.168.3.4", "172.20.0.1"], ["10.1.2.3", "172.32.0.1"]),
        ("10.0.0.0/8", ["::ffff:10.1.2.3"], []),
        ("https://a.test/,//b.test", ["a.test", "b.test"], ["c.test"]),
        ("bücher.test", ["xn--bcher-kva.test", "www.bücher.test"], ["bucher.test"]),
        ("<local>", ["intranet"], ["a.test"]),
    ],
)
def test_hosts_of_the_list_go_direct_and_no_others(listed: str, direct: list[str], proxied: list[str]) -> None:
    """BC-075."""
    asked = choice({"https": "http://proxy.test:1", "no": listed})
    for host in direct:
        assert asked.proxy_for("https", host, 443) is None, host
    for host in proxied:
        assert asked.proxy_for("https", host, 443) is not None, host


def test_an_entry_with_a_port_counts_for_that_port() -> None:
    asked = choice({"https": "http://proxy.test:1", "no": "a.test:8443,[fd00::1]:8443"})
    assert asked.proxy_for("https", "a.test", 8443) is None
    assert asked.proxy_for("https", "fd00::1", 8443) is None
    assert asked.proxy_for("https", "fd00::1", 443) is not None


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=40))
def test_no_value_at_all_is_an_error_before_it_is_used(listed: str, host: str, value: str) -> None:
    """BC-075, BC-077."""
    Exemptions(listed).cover(host, 443)
    asked = choice({"https": value, "no": listed})
    with contextlib.suppress(BackendError):
        asked.proxy_for("https", host, 443)
    choice({}, setting=value or "x")


def test_the_operating_systems_own_list_counts_too() -> None:
    asked = choice({"http": "proxy.test:1"}, exempt="*.intern.test;169.254/16 <local>")
    for host in ("a.intern.test", "169.254.3.4", "fileserver"):
        assert asked.proxy_for("http", host, 80) is None
    assert asked.proxy_for("http", "b.test", 80) is not None


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.8.9.1", "[::1]", "::ffff:127.0.0.1"]
)
def test_this_machine_is_always_reached_directly(host: str) -> None:
    assert is_loopback(host)
    for asked in (choice({"all": "http://proxy.test:1"}), choice({}, setting="http://proxy.test:1")):
        assert asked.proxy_for("http", host, 80) is None
    assert not is_loopback("a.test")


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("127.0.0.1:7890", "http://127.0.0.1:7890"),
        (" 'http://127.0.0.1:7890' ", "http://127.0.0.1:7890"),
        ("u:p@h.test:1", "http://u:p@h.test:1"),
        ("HTTP://h.test:1", "http://h.test:1"),
        ("http://[::1]:8080", "http://[::1]:8080"),
    ],
)
def test_common_ways_to_write_a_proxy_work(value: str, url: str) -> None:
    proxy = usable(value, "HTTPS_PROXY")
    assert proxy is not None
    assert (proxy.url, proxy.problem) == (url, "")


@pytest.mark.parametrize("value", ["", "  ", '""', "direct", "DIRECT", "direct://", "none"])
def test_an_empty_value_is_no_proxy(value: str) -> None:
    """BC-077's last."""
    assert choice({"https": value}).proxy_for("https", "a.test", 443) is None
    assert choice({}, setting="direct").proxy_for("https", "a.test", 443) is None


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("socks4://u:HIDDEN-PW@h.test:1", "socks4:// is not one of"),
        ("http://u:HIDDEN-PW@", "is not an address"),
        ("http://u:HIDDEN/PW@h.test:x", "is not an address"),
        ("foo bar", "is not an address"),
        ("http://h.test:99999", "is not an address"),
        ("ftp://h.test", "ftp:// is not one of"),
    ],
)
def test_an_unusable_value_is_told_with_its_variable_and_without_its_password(value: str, says: str) -> None:
    asked = choice({"https": value})
    with pytest.raises(BackendError) as caught:
        asked.proxy_for("https", "a.test", 443)
    assert caught.value.kind == "network"
    assert says in caught.value.message
    assert "HTTPS_PROXY" in caught.value.message
    assert "HIDDEN" not in caught.value.message


@pytest.mark.parametrize(
    "value", ["socks5://127.0.0.1:1080", "socks://u:HIDDEN-PW@127.0.0.1:1080", "socks5h://127.0.0.1:1080"]
)
def test_socks_names_the_extra_when_it_is_missing(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """BC-077."""
    monkeypatch.setattr("fanseek.http.proxy.find_spec", lambda _: None)
    with pytest.raises(
        BackendError, match=r'ALL_PROXY \(socks5h?://127.0.0.1:1080\) needs .* pip install "fanseek\[socks\]"'
    ):
        choice({"all": value}).proxy_for("https", "a.test", 443)
    monkeypatch.setattr("fanseek.http.proxy.find_spec", lambda _: object())
    proxy = choice({"all": value}).proxy_for("https", "a.test", 443)
    assert proxy is not None
    assert proxy.url.startswith(("socks5://", "socks5h://"))


def test_a_proxy_never_shows_its_password() -> None:
    proxy = Proxy(url="http://user:p%40ss/HIDDEN@h.test:1", source="x")
    assert (proxy.shown, proxy.password) == ("http://h.test:1", "p@ss/HIDDEN")
    assert "HIDDEN" not in repr(proxy)


# on real sockets


@pytest.fixture
def no_dns(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every name that is not this machine fails to resolve; returns those asked for."""
    asked: list[str] = []
    real = socket.getaddrinfo

    def resolve(host: str | bytes | None, *rest: object, **named: object) -> object:
        name = host.decode() if isinstance(host, bytes) else host
        if name is not None and not is_loopback(name):
            asked.append(name)
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return real(host, *rest, **named)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


async def test_a_plain_request_goes_to_the_proxy_with_its_name(no_dns: list[str]) -> None:
    """BC-078: the proxy resolves, we do not."""
    async with (
        serve(responder(lambda _: response(b"through"))) as proxy,
        Client(proxy=f"127.0.0.1:{proxy.port}") as client,
    ):
        answer = await client.send(Request(url="http://search.example.test/s?q=1", headers={"x-api-key": "K-canary"}))
    assert answer.body == b"through"
    assert proxy.requests[0].target == b"http://search.example.test/s?q=1"
    assert no_dns == []


async def test_https_goes_through_a_tunnel_with_credentials(
    no_dns: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    """BC-078, and no credential of proxy or request in any log."""
    caplog.set_level(logging.DEBUG)
    tls = server_context("search.example.test")
    answering = responder(
        lambda _: response(b"secure", headers=[("location", "/?key=K-canary"), ("x-echo", "K-canary")])
    )
    async with serve(answering, tls=tls) as target, tunnel(target.host, target.port) as (proxy, heads):
        setting = f"http://user:PROXYPASS@127.0.0.1:{proxy.port}"
        async with Client(proxy=setting, ssl_context=client_context()) as client:
            request = Request(url="https://search.example.test/s", headers={"x-api-key": "K-canary"}, credentialed=True)
            answer = await client.send(request)
            again = await client.send(request)
    assert (answer.body, again.body) == (b"secure", b"secure")
    assert heads[0].startswith(b"CONNECT search.example.test:443 ")
    assert base64.b64encode(b"user:PROXYPASS") in heads[0]
    assert len(heads) == 1
    assert no_dns == []
    assert b"K-canary" not in heads[0]
    said = caplog.text
    assert "PROXYPASS" not in said
    assert base64.b64encode(b"user:PROXYPASS").decode() not in said
    assert "K-canary" not in said


async def test_a_proxy_that_refuses_is_named_without_its_password() -> None:
    async with (
        serve(responder(lambda _: b"")) as target,
        tunnel(target.host, target.port, "refuses") as (proxy, _),
        Client(proxy=f"http://user:PROXYPASS@127.0.0.1:{proxy.port}") as client,
    ):
        with pytest.raises(BackendError) as caught:
            await client.send(Request(url="https://search.example.test/"))
    assert caught.value.kind == "network"
    assert f"the proxy http://127.0.0.1:{proxy.port}" in caught.value.message
    assert "407" in caught.value.message
    assert "PROXYPASS" not in str(caught.value)


async def test_a_proxy_that_is_not_there_is_named() -> None:
    """BC-040's proxy on a closed port."""
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        async with Client(proxy=f"http://user:PROXYPASS@127.0.0.1:{port}") as client:
            with pytest.raises(
                BackendError, match=f"connection refused by the proxy http://127.0.0.1:{port}"
            ) as caught:
                await client.send(Request(url="http://search.example.test/"))
    assert "PROXYPASS" not in repr(caught.value)


async def test_bodies_behind_a_proxy_are_bounded_too() -> None:
    async with (
        serve(responder(lambda _: response(b"x" * 50_000, chunk=1000))) as proxy,
        Client(proxy=f"http://127.0.0.1:{proxy.port}", body_limit=10_000) as client,
    ):
        with pytest.raises(BackendError, match="larger than 10000 bytes") as caught:
            await client.send(Request(url="http://search.example.test/"))
    assert caught.value.kind == "format"
    del caught
    gc.collect()  # a generator left half-way would be an unraisable warning here, and warnings are errors


async def test_an_unusable_proxy_is_reported_once_and_stops_no_start(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """BC-077: each call fails with the words, the log has them once; loopback needs no proxy and works."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ALL_PROXY", "socks4://u:HIDDEN-PW@127.0.0.1:1080")
    async with serve(responder(lambda _: response(b"direct"))) as server, Client() as client:
        for _ in range(2):
            with pytest.raises(BackendError, match="ALL_PROXY"):
                await client.send(Request(url="https://search.example.test/"))
        assert (await client.send(Request(url=server.url))).body == b"direct"
    warned = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert len(warned) == 1
    assert "HIDDEN" not in caplog.text
