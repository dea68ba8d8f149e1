"""One exchange: what goes out, what comes back, and what a failure says."""

from __future__ import annotations

import gzip
import logging
import socket
import ssl
import subprocess
import sys
import traceback
from collections.abc import Iterator
from importlib.metadata import version

import anyio
import httpx
import pytest
from anyio.abc import ByteStream
from hypothesis import given
from hypothesis import strategies as st

from fanseek.contract import Request
from fanseek.errors import BackendError
from fanseek.http.client import USER_AGENT, Client
from fanseek.http.failures import explained
from fanseek.http.outgoing import outgoing, shown
from loopback import client_context, request_head, responder, response, serve, server_context

CANARY = "CANARY-9f3a71c2"
KEY_HEADERS = {
    "authorization": f"Bearer {CANARY}",
    "x-api-key": CANARY,
    "x-subscription-token": CANARY,
    "api-key": CANARY,
    "cookie": f"sid={CANARY}",
}


def chain(problem: BaseException | None) -> Iterator[BaseException]:
    while problem is not None:
        yield problem
        problem = problem.__cause__ or problem.__context__


def told(problem: BaseException) -> str:
    """Everything that a log or a debugger prints of an exception."""
    parts = [text for link in chain(problem) for text in (str(link), repr(link), repr(link.args), repr(vars(link)))]
    return "\n".join([*parts, *traceback.format_exception(problem)])


async def failure(request: Request, **options: object) -> BackendError:
    async with Client(**options) as client:
        with pytest.raises(BackendError) as caught:
            await client.send(request)
    return caught.value


async def test_a_request_goes_out_as_described() -> None:
    answering = responder(lambda _: response(b"{}", headers=[("X-A", "1"), ("x-a", "2")]))
    async with serve(answering) as server, Client() as client:
        address = f"{server.url}/s?q=%E5%A4%A9&n=1"
        answer = await client.send(Request(url=address, method="POST", headers={"X-Api-Key": " K "}, body=b"a=1"))
        await client.send(Request(url=server.url))
    first, second = server.requests
    assert (first.method, first.target, first.body) == (b"POST", b"/s?q=%E5%A4%A9&n=1", b"a=1")
    assert first.headers[b"x-api-key"] == b"K"
    assert first.headers[b"user-agent"] == USER_AGENT.encode()
    assert first.headers[b"accept-encoding"] == b"gzip, deflate"
    assert (second.method, second.body) == (b"GET", b"")
    assert b"content-length" not in second.headers
    assert (answer.status, answer.body, answer.headers["x-a"]) == (200, b"{}", "1, 2")
    assert server.connections == 1


def test_the_user_agent_names_the_version() -> None:
    assert f"fanseek/{version('fanseek')}" == USER_AGENT


async def test_bodies_are_inflated_and_bounded() -> None:
    packed = gzip.compress(b"x" * 100_000)
    async with serve(responder(lambda _: response(packed, headers=[("content-encoding", "gzip")]))) as server:
        async with Client() as client:
            assert (await client.send(Request(url=server.url))).body == b"x" * 100_000
        problem = await failure(Request(url=server.url), body_limit=99_999)
    assert (problem.kind, "larger than 99999 bytes" in problem.message) == ("format", True)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_comes_back_and_its_target_is_never_contacted(status: int) -> None:
    """BC-042, with every header name that carries a key; BC-089's and BC-090's targets too."""
    async with serve(responder(lambda _: response(b"stolen"))) as target:
        targets = [
            f"{target.url}/x",
            f"//127.0.0.1:{target.port}/x",
            "/same-origin",
            "http://[bad",
            "file:///etc/passwd",
        ]
        waiting = iter(targets)
        redirecting = responder(lambda _: response(status=status, headers=[("location", next(waiting))]))
        async with serve(redirecting) as server, Client() as client:
            for _ in targets:
                request = Request(
                    url=f"{server.url}/search", method="POST", headers=KEY_HEADERS, body=b"q", credentialed=True
                )
                answer = await client.send(request)
                assert answer.status == status
            assert len(server.requests) == len(targets)
        assert target.connections == 0


async def test_cookies_are_not_kept() -> None:
    answering = responder(lambda _: response(headers=[("set-cookie", "sid=1; path=/")]))
    async with serve(answering) as server, Client() as client:
        await client.send(Request(url=server.url))
        await client.send(Request(url=server.url))
    assert all(b"cookie" not in request.headers for request in server.requests)


# failures, in words


async def test_a_closed_port() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        problem = await failure(Request(url=f"http://127.0.0.1:{port}/s?key={CANARY}", credentialed=True))
    assert (problem.kind, problem.message) == ("network", f"connection refused by 127.0.0.1:{port}")


async def test_a_name_that_does_not_resolve(monkeypatch: pytest.MonkeyPatch) -> None:
    def resolve(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    problem = await failure(Request(url="https://no-such.example.test/x"), proxy="direct")
    assert (problem.kind, problem.message) == ("network", 'could not resolve host "no-such.example.test"')


async def test_a_certificate_of_nobody_known() -> None:
    async with serve(responder(lambda _: response()), tls=server_context()) as server:
        problem = await failure(Request(url=server.url))
    assert problem.kind == "network"
    assert problem.message.startswith("the TLS certificate of 127.0.0.1 is not valid: ")


async def test_a_certificate_for_someone_else() -> None:
    async with serve(responder(lambda _: response()), tls=server_context("other.test")) as server:
        problem = await failure(Request(url=server.url), ssl_context=client_context())
    assert "TLS certificate of 127.0.0.1 is not valid" in problem.message


async def test_tls_asked_of_a_plain_server() -> None:
    async def converse(stream: ByteStream) -> None:
        await stream.receive()
        await stream.send(response(status=400))

    async with serve(converse) as server:
        problem = await failure(Request(url=server.url.replace("http:", "https:")))
    assert (problem.kind, problem.message.startswith("no TLS connection to 127.0.0.1")) == ("network", True)


async def test_certificates_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    async with serve(responder(lambda _: response()), tls=server_context()) as server:
        problem = await failure(Request(url=server.url))
    assert "SSL_CERT_FILE" in problem.message


async def test_a_server_that_says_nothing_is_a_timeout() -> None:
    async with serve(lambda _: anyio.sleep_forever()) as server:
        request = Request(url=server.url)
        async with Client() as client:
            with anyio.move_on_after(0.05) as scope:
                await client.send(request)
            assert scope.cancelled_caught
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("fanseek.http.carrier.READ_TIMEOUT_S", 0.05)
            problem = await failure(request)
    assert (problem.kind, problem.message) == ("timeout", "127.0.0.1 did not answer in time")


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"", "network"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "network"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "format"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n", "format"),
        (response(b"not gzip", headers=[("content-encoding", "gzip")]), "format"),
        (response(b"??", headers=[("content-encoding", "br")]), "format"),
    ],
)
async def test_an_answer_that_is_no_answer(raw: bytes, kind: str) -> None:
    async def converse(stream: ByteStream) -> None:
        await request_head(stream)
        await stream.send(raw)

    async with serve(converse) as server:
        problem = await failure(Request(url=server.url))
    assert problem.kind == kind
    assert "127.0.0.1" in problem.message


BAD_ADDRESSES = [
    "https://i❤.ws/",
    "https://xn--i-7iq.ws/",
    "https://☃☃-.example.test/",
    "https://a..b/",
    f"https://{'a' * 64}.test/",
    f"https://{'a.' * 130}test/",
    "https:///no-host",
    "https://",
    "http://[::1",
    "http://[bad]/",
    "http://h.test:port/",
    "http://h.test:99999/",
    "http://exa mple.test/",
    "http://h\n.test/",
    "ftp://h.test/",
    "h.test/search",
    "",
    "http://999.1.1.1.1/\x00",
]


@pytest.mark.parametrize("url", BAD_ADDRESSES)
async def test_a_bad_address_is_a_clean_error(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """BC-092: httpx raises InvalidURL, InvalidCodepoint and UnicodeError for these, none of them an HTTPError."""
    monkeypatch.setattr(socket, "getaddrinfo", None)
    problem = await failure(Request(url=url), proxy="direct")
    assert (problem.kind, "bad address" in problem.message) == ("bad-request", True)


@pytest.mark.parametrize(
    "host", ["a_b.cdn.example.test", "r2---sn-huoa.example.test", "ab--cd.example.test", "bücher.test", "h.test."]
)
def test_hosts_that_the_dns_accepts_are_accepted(host: str) -> None:
    """BC-093."""
    request = outgoing("GET", f"https://{host}/x", {}, b"", {})
    assert request.url.raw_host.decode() in {host, "xn--bcher-kva.test"}


@given(st.text(max_size=80))
def test_any_text_is_an_address_or_a_clean_error(text: str) -> None:
    for url in (text, f"https://{text}", f"http://user:{CANARY}@{text}"):
        problems: list[BackendError] = []
        try:
            outgoing("GET", url, {}, b"", {})
        except BackendError as problem:
            problems.append(problem)
        assert all(problem.kind == "bad-request" and CANARY not in problem.message for problem in problems)


@pytest.mark.parametrize(
    "url",
    [f"https://u:{CANARY}@h.test:x/", f"https://u:{CANARY}/a@h.test:x", f"ftp://h.test/?key={CANARY}", f"//{CANARY}@h"],
)
def test_an_address_is_shown_without_its_secrets(url: str) -> None:
    assert CANARY not in shown(url)
    assert "h" in shown(url)


@pytest.mark.parametrize(
    "value",
    [
        f"{CANARY}\n",
        f"{CANARY}\r\nx-evil: 1",
        f"“{CANARY}”",
        f"{CANARY}é",
        f"{CANARY}中",
        f"\x00{CANARY}",
        f"{CANARY}\x7f",
    ],
)
@pytest.mark.parametrize("name", ["x-api-key", "authorization"])
async def test_a_key_pasted_badly_is_told_and_never_shown(
    name: str, value: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with serve(responder(lambda _: response())) as server:
        problem = await failure(Request(url=server.url, headers={name: value}, credentialed=True))
    assert problem.kind == "bad-request"
    assert name in problem.message
    assert ("line break" in problem.message) == ("\n" in value)
    assert CANARY not in told(problem) + caplog.text
    assert server.connections == 0


LEAKY = [
    "http://127.0.0.1:{port}/s?q=1&api_key=" + CANARY,
    "https://127.0.0.1:{port}/s?token=" + CANARY,
    "http://user:" + CANARY + "@127.0.0.1:{port}/s",
    "http://[" + CANARY + "]:{port}/",
    "http://h" + "é" * 70 + ".test/?key=" + CANARY,
    "ftp://u:" + CANARY + "@h.test/",
    "http://127.0.0.1:{port}0000/?key=" + CANARY,
]


@pytest.mark.parametrize("url", LEAKY)
@pytest.mark.parametrize(
    "raw", [b"", b"garbage CANARY-9f3a71c2\r\n", b"HTTP/1.1 200 CANARY-9f3a71c2\r\nx: CANARY-9f3a71c2\r\n bad\r\n\r\n"]
)
async def test_a_canary_survives_in_no_exception_and_no_log(
    url: str, raw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """BC-040, N11: str, repr, arguments and the whole chain of the error; logs at every level."""
    caplog.set_level(logging.DEBUG)

    async def converse(stream: ByteStream) -> None:
        await stream.receive()
        await stream.send(raw)

    async with serve(converse) as server:
        request = Request(url=url.format(port=server.port), headers=KEY_HEADERS, credentialed=True)
        problem = await failure(request)
    assert CANARY not in told(problem)
    assert [*chain(problem)] == [problem]
    assert CANARY not in caplog.text


async def test_the_address_of_a_credentialed_response_is_clean() -> None:
    async with serve(responder(lambda _: response())) as server, Client() as client:
        answer = await client.send(Request(url=f"{server.url}/?q=1&api_key={CANARY}", credentialed=True))
        assert answer.url == f"{server.url}/?q=1&api_key=[redacted]"
        assert client.redact.clean(f"body said {CANARY}") == "body said [redacted]"


async def test_an_error_of_ours_is_logged_without_values(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            raise RuntimeError(f"bug with {request.headers['x-api-key']}")

    request = Request(url="http://127.0.0.1/", headers={"x-api-key": CANARY}, credentialed=True)
    problem = await failure(request, transport=Broken())
    assert CANARY not in told(problem) + caplog.text
    assert "RuntimeError" in caplog.text


def test_causes_inside_groups_are_found() -> None:
    outer = httpx.ConnectError("all failed")
    outer.__cause__ = ExceptionGroup("several", [OSError("x"), ConnectionRefusedError(111, "refused")])
    assert explained(outer, "h.test", "h.test:81").message == "connection refused by h.test:81"
    assert explained(ssl.SSLError(1, "[SSL: WRONG_VERSION_NUMBER] wrong"), "h.test").message.startswith("no TLS")


# lifetime


async def test_an_error_in_the_clients_block_arrives_as_it_is() -> None:
    with pytest.raises(KeyError):
        async with Client():
            raise KeyError


async def test_cancelling_closes_the_connection_at_once() -> None:
    async with serve(lambda _: anyio.sleep_forever()) as server, Client() as client:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(client.send, Request(url=server.url))
            await server.until_open(1)
            began = anyio.current_time()
            tasks.cancel_scope.cancel()
        assert anyio.current_time() - began < 1


async def test_http2_and_proxies_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fanseek.http.carrier.find_spec", lambda _: None)
    problem = await failure(Request(url="http://127.0.0.1:9/"), http2=True)
    assert 'pip install "fanseek[http2]"' in problem.message


def test_importing_the_client_loads_no_httpx() -> None:
    code = "import sys, fanseek.http.client; print('httpx' in sys.modules, 'httpcore' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=True)
    assert ran.stdout.split() == ["False", "False"]
