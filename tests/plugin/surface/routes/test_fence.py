"""Row O6: who is let in where no harness stands guard."""

from __future__ import annotations

import pytest

from fanseek.surface.routes.fence import refusal

JSON = {"content-type": "application/json"}


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8000", "127.0.0.1", "127.0.0.1:80", "127.8.9.10:1", "[::1]", "[::1]:8000"],
)
def test_o6_a_loopback_name_may_read(host: str):
    assert refusal("GET", {"host": host}) is None


@pytest.mark.parametrize(
    "host",
    [
        *("", "evil.com", "evil.com:8000", "127.0.0.1.evil.com", "localhost.evil.com", "evil.com#localhost"),
        *("user@localhost", "localhost@evil.com", "0.0.0.0", "[::]", "10.0.0.1", "169.254.1.1", "2130706433"),
        *("127.1", "0x7f.0.0.1", "localhost:99999", "localhost:x", "localhost, evil.com", "[::1%25eth0]", "[::1"),
        *("[::ffff:10.0.0.1]", "localhost\t", "lоcalhost", "localhost/evil"),
    ],
)
def test_o6_any_other_host_is_turned_away(host: str):
    denied = refusal("GET", {"host": host})
    assert denied is not None
    assert denied.status == 403


@pytest.mark.parametrize(
    ("extra", "method"),
    [
        ({"sec-fetch-site": "cross-site"}, "GET"),
        ({"sec-fetch-site": "CROSS-SITE"}, "GET"),
        ({"sec-fetch-site": ""}, "GET"),
        ({"sec-fetch-site": "same-origin, cross-site"}, "GET"),
        ({"origin": "null"}, "GET"),
        ({"origin": "https://evil.com"}, "GET"),
        ({"origin": "http://localhost:9"}, "POST"),
        ({"origin": "http://localhost:8000, http://evil.com"}, "POST"),
        ({"origin": "file://localhost:8000"}, "POST"),
        ({"origin": "localhost:8000"}, "POST"),
        ({"sec-fetch-site": "same-origin", "origin": "http://evil.com"}, "POST"),
        ({"sec-fetch-site": "cross-site", "origin": "http://localhost:8000"}, "POST"),
        ({"sec-fetch-site": "cross-site", "content-type": "text/plain"}, "POST"),
        ({}, "POST"),
        ({}, "DELETE"),
    ],
)
def test_o6_another_sites_page_is_turned_away(extra: dict[str, str], method: str):
    denied = refusal(method, {"host": "localhost:8000", **JSON, **extra})
    assert denied is not None
    assert denied.status == 403


@pytest.mark.parametrize(
    "extra",
    [
        {"sec-fetch-site": "same-origin", "origin": "http://localhost:8000"},
        {"sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "same-site"},
        {"origin": "http://LOCALHOST:8000"},
        {"origin": "http://localhost:8000", "content-type": "application/json; charset=utf-8"},
    ],
)
def test_o6_a_page_of_its_own_may_change_something(extra: dict[str, str]):
    assert refusal("POST", {"host": "localhost:8000", **JSON, **extra}) is None


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp", "json"]
)
def test_o6_what_a_form_can_send_is_not_read(kind: str):
    denied = refusal("POST", {"host": "localhost", "origin": "http://localhost", "content-type": kind})
    assert denied is not None
    assert denied.status == 415
