"""Requests in bytes; nothing a caller gives can become a second header or request."""

from __future__ import annotations

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.http.rendering import render


def test_plain_request():
    request = httpx.Request("POST", "http://example.test/a?b=c", content=b"body", headers={"X-One": "1"})
    assert render(request).data == (
        b"POST /a?b=c HTTP/1.1\r\nHost: example.test\r\nX-One: 1\r\nContent-Length: 4\r\n\r\nbody"
    )


def test_host_is_added_and_target_taken_from_the_extension():
    stream = httpx.ByteStream(b"")
    request = httpx.Request("OPTIONS", "http://example.test:81/", stream=stream, extensions={"target": b"*"})
    request.read()
    assert render(request).data == b"OPTIONS * HTTP/1.1\r\nHost: example.test:81\r\n\r\n"


@pytest.mark.parametrize(
    "options",
    [
        {"headers": [("X", "a\r\nInjected: 1")]},
        {"headers": [("X", "a\nInjected: 1")]},
        {"headers": [("X", "a\rb")]},
        {"headers": [("X", "a\0b")]},
        {"headers": [("X\r\nInjected", "1")]},
        {"headers": [("X: 1\r\nInjected", "1")]},
        {"headers": [("X Y", "1")]},
        {"headers": [("", "1")]},
        {"headers": [("X:", "1")]},
        {"headers": [("Host", "a.test"), ("Host", "b.test")]},
        {"headers": [("Content-Length", "3")]},
        {"headers": [("Content-Length", "-1")]},
        {"headers": [("Content-Length", "0"), ("Content-Length", "0")]},
        {"headers": [("Content-Length", "0"), ("Transfer-Encoding", "chunked")]},
        {"headers": [("Transfer-Encoding", "gzip")]},
        {"method": "GET / HTTP/1.1\r\nX: 1\r\n\r\nGET"},
        {"method": "G T"},
        {"method": ""},
        {"method": "ÄRGER"},
        {"method": "CONNECT"},
        {"extensions": {"target": b"/ HTTP/1.1\r\nX: 1\r\n\r\n"}},
        {"extensions": {"target": b"/a b"}},
        {"extensions": {"target": b""}},
    ],
)
def test_what_http_does_not_allow_is_refused_without_quoting_it(options):
    options = {"method": "GET", **options}
    with pytest.raises(httpx.LocalProtocolError) as caught:
        render(httpx.Request(url="http://example.test/", **options))
    assert "Injected" not in str(caught.value)


@given(st.text(max_size=20), st.text(max_size=20))
def test_one_header_stays_one_header(name, value):
    try:
        request = httpx.Request("GET", "http://example.test/", headers=[(name, value)])
        data = render(request).data
    except (httpx.LocalProtocolError, UnicodeError):
        return
    head = data.removesuffix(b"\r\n\r\n").split(b"\r\n")
    assert len(head) == 2 if name.lower() == "host" else 3
    assert b"\n" not in b"".join(head)
    assert b"\r" not in b"".join(head)


@given(st.text(min_size=1, max_size=30))
def test_no_url_breaks_out_of_the_request_line(path):
    try:
        request = httpx.Request("GET", httpx.URL("http://example.test/").copy_with(path="/" + path))
    except httpx.InvalidURL:
        return
    assert render(request).data.count(b"\r\n") == 3
