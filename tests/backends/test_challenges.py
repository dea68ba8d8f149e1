"""Bot challenges in place of an answer, for every backend: judged by header and structure, never by words (BC-020)."""

from __future__ import annotations

import pytest

from fanseek import registry
from fanseek.contract import AnyBackend, Response, Row, SearchRequest
from fanseek.contract.mimic import Asked
from fanseek.reading import read

backends = pytest.mark.parametrize("backend", registry.backends().values(), ids=lambda backend: backend.name)

CHALLENGES = [
    Response(
        status=403,
        headers={"cf-mitigated": "challenge", "content-type": "text/html"},
        body=b"<html><head><title>Just a moment...</title></head><body><script>window._cf_chl_opt={}</script></body></html>",
    ),
    Response(
        status=503,
        headers={"cf-mitigated": "challenge", "content-type": "text/html; charset=UTF-8"},
        body=b"<!DOCTYPE html><html><title>Attention Required!</title></html>",
    ),
    Response(
        status=200,
        headers={"content-type": "text/html"},
        body=b"<html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript and cookies to "
        b"continue</noscript><script src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1'></script></body></html>",
    ),
    Response(
        status=200,
        headers={"content-type": "text/html"},
        body=b'<html><body><form method="post"><div class="h-captcha" data-sitekey="x"></div></form></body></html>',
    ),
    Response(
        status=200,
        headers={"cf-mitigated": "challenge", "content-type": "text/html"},
        body=b"<html><head><title>Just a moment...</title></head><body><noscript>Enable JavaScript</noscript></body></html>",
    ),
]


@backends
@pytest.mark.parametrize("response", CHALLENGES)
def test_bc_020_a_challenge_is_blocked_whatever_its_status(backend: AnyBackend, response: Response) -> None:
    reading = read(backend, backend.operations["search"], response)
    assert (reading.status, reading.hits) == ("blocked", ())


@backends
@pytest.mark.parametrize("status", [200, 403, 503])
@pytest.mark.parametrize("title", ["Just a moment...", "Attention Required! | Cloudflare"])
def test_bc_020_a_challenge_by_its_title_in_front_of_an_instance(backend: AnyBackend, status: int, title: str) -> None:
    body = f"<html><head><title> {title}</title></head><body><p>Checking</p></body></html>".encode()
    response = Response(status=status, headers={"content-type": "text/html"}, body=body)
    assert read(backend, backend.operations["search"], response).status == "blocked"


@backends
def test_bc_020_an_essay_with_such_a_title_is_no_challenge(backend: AnyBackend) -> None:
    body = b"<html><head><title>Just a moment: a short history of patience</title></head><body>captcha</body></html>"
    response = Response(status=200, headers={"content-type": "text/html"}, body=body)
    assert read(backend, backend.operations["search"], response).status == "format"


@backends
@pytest.mark.parametrize("status", [200, 202, 403])
@pytest.mark.parametrize(
    "body",
    [
        b"<html><title>Captcha</title></html>",
        b"<html><title>unusual traffic</title><form action='/sorry/index'></form></html>",
        b"",
        b"window.execDeep=function(){return{is506:1,bn:{ivc:1,ibc:0}};};",
    ],
)
def test_bc_021_what_is_no_answer_is_never_an_empty_one(backend: AnyBackend, body: bytes, status: int) -> None:
    """BC-019, BC-021: blocked or unreadable, never "no results"."""
    reading = read(
        backend, backend.operations["search"], Response(status=status, headers={"content-type": "text/html"}, body=body)
    )
    assert reading.status in {"blocked", "format", "auth"}
    assert reading.message


@backends
def test_bc_020_results_that_speak_of_challenges_are_results(backend: AnyBackend) -> None:
    rows = [
        Row(
            url=f"https://site{number}.example/{number}",
            title="Just a moment: captcha, Cloudflare and unusual traffic",
            snippet="Attention Required! Enable JavaScript and cookies to continue. Too many requests. Unfortunately, bots.",
        )
        for number in range(3)
    ]
    assert backend.mimic is not None
    request = backend.operations["search"].build(SearchRequest(query="q"), backend.settings())
    sent = getattr(request, "body", b"")
    reply = backend.mimic.reply(Asked(method="POST", target="/", tool="search", arguments={}, body=sent), rows)
    body = b'{"jsonrpc":"2.0","id":1,"result":%s}' % reply.body if b'"content":' in reply.body[:40] else reply.body
    reading = read(
        backend,
        backend.operations["search"],
        Response(status=reply.status, headers={"content-type": reply.content_type}, body=body),
    )
    assert (reading.status, len(reading.hits)) == ("ok", 3)
