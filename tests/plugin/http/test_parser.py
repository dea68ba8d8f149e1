"""Both parsers say the same of the same bytes, however they arrive, and refuse what can be read in two ways."""

from __future__ import annotations

import gc
import sys
from itertools import pairwise

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fanseek.http.parser import MAX_BARREN, choose_parser

K = b"HTTP/1.1 200 OK\r\n"
CL = b"Content-Length: 2\r\n"
TE = b"Transfer-Encoding: chunked\r\n"
PARSERS = ("h11", "httptools")


def parse(name, pieces, method=b"GET", *, end=False):
    """Status, headers by lower name, body, complete, keep-alive, surplus; or the error."""
    parser = choose_parser(name)(method)
    try:
        for piece in pieces:
            parser.feed(piece)
        if end and not parser.complete:
            parser.end()
    except httpx.RemoteProtocolError:
        return "refused"
    finally:
        parser.close()
    head = parser.head
    if head is None:
        return "no head yet"
    headers = [(name.lower(), value.lower()) for name, value in head.headers]
    return head[:2], headers, b"".join(parser.pieces), parser.complete, parser.keep_alive, parser.surplus


ACCEPTED = {
    "no reason": (b"HTTP/1.1 200\r\n" + CL + b"\r\nhi", b"hi"),
    "empty reason": (b"HTTP/1.1 200 \r\n" + CL + b"\r\nhi", b"hi"),
    "odd status": (b"HTTP/1.1 999 Denied\r\n" + CL + b"\r\nhi", b"hi"),
    "latin header": (K + b"A: \xe4\xff\r\n" + CL + b"\r\nhi", b"hi"),
    "utf-8 header": (K + "A: 例え\r\n".encode() + CL + b"\r\nhi", b"hi"),
    "empty header": (K + b"A:\r\n" + CL + b"\r\nhi", b"hi"),
    "blanks around a value": (K + b"A: \t x \t \r\n" + CL + b"\r\nhi", b"hi"),
    "many headers": (K + b"".join(b"X-%d: %d\r\n" % (n, n) for n in range(200)) + CL + b"\r\nhi", b"hi"),
    "offered upgrade": (K + b"Upgrade: h2c\r\nConnection: Upgrade\r\n" + CL + b"\r\nhi", b"hi"),
    "interim": (b"HTTP/1.1 103 E\r\nLink: x\r\n\r\n" + K + CL + b"\r\nhi", b"hi"),
    "two interims": (b"HTTP/1.1 100 C\r\n\r\n" * 2 + K + CL + b"\r\nhi", b"hi"),
    "chunked": (K + TE + b"\r\n2\r\nhi\r\n0\r\n\r\n", b"hi"),
    "upper-case coding": (K + b"TRANSFER-ENCODING: Chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", b"hi"),
    "chunk extension": (K + TE + b"\r\n2;a=b;c\r\nhi\r\n0;x\r\n\r\n", b"hi"),
    "padded chunk size": (K + TE + b"\r\n2  \r\nhi\r\n0 \r\n\r\n", b"hi"),
    "zero-led chunk size": (K + TE + b"\r\n0002\r\nhi\r\n000\r\n\r\n", b"hi"),
    "trailers": (K + TE + b"\r\n2\r\nhi\r\n0\r\nT: 1\r\nU: 2\r\n\r\n", b"hi"),
    "chunked of old": (b"HTTP/1.0 200 OK\r\n" + TE + b"\r\n2\r\nhi\r\n0\r\n\r\n", b"hi"),
    "no content": (b"HTTP/1.1 204 N\r\n\r\n", b""),
    "not modified": (b"HTTP/1.1 304 N\r\n" + CL + b"\r\n", b""),
}

REFUSED = {
    "folded line": K + b"A: x\r\n  y\r\n" + CL + b"\r\nhi",
    "folded first line": K + b" A: x\r\n" + CL + b"\r\nhi",
    "bare line feeds": (K + CL + b"\r\nhi").replace(b"\r\n", b"\n"),
    "one bare line feed": K + b"A: b\n" + CL + b"\r\nhi",
    "bare return": K + b"A: b\rc\r\n" + CL + b"\r\nhi",
    "NUL": K + b"A: b\0c\r\n" + CL + b"\r\nhi",
    "control": K + b"A: b\x01c\r\n" + CL + b"\r\nhi",
    "negative length": K + b"Content-Length: -2\r\n\r\nhi",
    "signed length": K + b"Content-Length: +2\r\n\r\nhi",
    "hexadecimal length": K + b"Content-Length: 0x2\r\n\r\nhi",
    "empty length": K + b"Content-Length: \r\n\r\n",
    "huge length": K + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n",
    "length list": K + b"Content-Length: 2, 2\r\n\r\nhi",
    "differing lengths": K + CL + b"Content-Length: 3\r\n\r\nhi",
    "equal lengths": K + CL + CL + b"\r\nhi",
    "equal lengths apart": K + CL + b"A: b\r\nB: c\r\ncontent-length: 2\r\n\r\nhi",
    "length and chunks": K + CL + TE + b"\r\n2\r\nhi\r\n0\r\n\r\n",
    "chunks and length": K + TE + CL + b"\r\n2\r\nhi\r\n0\r\n\r\n",
    "two codings": K + b"Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    "chunked twice": K + TE + TE + b"\r\n2\r\nhi\r\n0\r\n\r\n",
    "unknown coding": K + b"Transfer-Encoding: xchunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    "gzip coding": K + b"Transfer-Encoding: gzip\r\n\r\nhi",
    "identity coding": K + b"Transfer-Encoding: identity\r\n\r\nhi",
    "blank before colon": K + b"A : b\r\n" + CL + b"\r\nhi",
    "length with blank before colon": K + b"Content-Length : 2\r\n\r\nhi",
    "no name": K + b": b\r\n" + CL + b"\r\nhi",
    "no colon": K + b"foo\r\n" + CL + b"\r\nhi",
    "two-digit status": b"HTTP/1.1 20 OK\r\n" + CL + b"\r\nhi",
    "four-digit status": b"HTTP/1.1 2000 OK\r\n" + CL + b"\r\nhi",
    "status below 100": b"HTTP/1.1 099 OK\r\n" + CL + b"\r\nhi",
    "switch": b"HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "HTTP/2": b"HTTP/2.0 200 OK\r\n" + CL + b"\r\nhi",
    "HTTP/1.2": b"HTTP/1.2 200 OK\r\n" + CL + b"\r\nhi",
    "HTTP/0.9": b"<html>hi</html>",
    "ICY": b"ICY 200 OK\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.6\r\n",
    "blank line first": b"\r\n" + K + CL + b"\r\nhi",
    "chunk size of letters": K + TE + b"\r\nzz\r\nhi\r\n0\r\n\r\n",
    "negative chunk": K + TE + b"\r\n-2\r\nhi\r\n0\r\n\r\n",
    "0x chunk": K + TE + b"\r\n0x2\r\nhi\r\n0\r\n\r\n",
    "chunk longer than said": K + TE + b"\r\n2\r\nhiXX\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("case", ACCEPTED)
def test_accepted(parser, case):
    raw, body = ACCEPTED[case]
    whole = parse(parser, [raw])
    assert (whole[2], whole[3], whole[5]) == (body, True, False)
    assert (b"link", b"x") not in whole[1], "a header of an interim response"
    assert parse(parser, [raw[at : at + 1] for at in range(len(raw))]) == whole
    assert [parse(other, [raw]) for other in PARSERS] == [whole, whole]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("drip", [False, True])
@pytest.mark.parametrize("case", REFUSED)
def test_refused(parser, case, drip):
    raw = REFUSED[case]
    assert parse(parser, [raw[at : at + 1] for at in range(len(raw))] if drip else [raw], end=True) == "refused"


@given(st.sampled_from(sorted(ACCEPTED)), st.lists(st.integers(0, 4000), max_size=12), st.booleans())
def test_pieces_make_no_difference(case, places, surplus):
    raw = ACCEPTED[case][0] + (K + CL if surplus else b"")
    edges = sorted({0, len(raw), *(place % len(raw) for place in places)})
    pieces = [raw[start:end] for start, end in pairwise(edges)]
    results = [parse(name, pieces) for name in PARSERS]
    assert results[0] == results[1] == parse("h11", [raw])
    assert results[0][-1] is surplus


@given(st.binary(max_size=200), st.sampled_from([b"", K, K + CL, K + TE + b"\r\n", K + b"A: "]))
def test_garbage_is_never_another_exception(garbage, before):
    for name in PARSERS:
        parse(name, [before + garbage], end=True)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize("more", [b"", b"\n", b"\r\n", b"\r", b"\r\n\r\n", b"x"])
@pytest.mark.parametrize("together", [True, False])
@pytest.mark.parametrize(
    "end", [CL + b"\r\nhi", CL + b"\r\n\r\n", TE + b"\r\n2\r\nhi\r\n0\r\n\r\n", b"Content-Length: 0\r\n\r\n"]
)
def test_anything_behind_a_response_is_surplus(parser, end, more, together):
    """Also line ends alone, which llhttp passes over: the connection is not clean any more."""
    raw = K + end
    read = parse(parser, [raw + more] if together else [raw, *([more] if more else [])])
    assert (read[3], read[5]) == (True, bool(more))


@given(
    st.lists(
        st.sampled_from([K, CL, TE, b"\r\n", b"hi", b"2\r\n", b"0\r\n", b"A: b\r\n", b"\n", b" ", b"x"]), max_size=9
    )
)
def test_what_one_accepts_the_other_does_not_read_differently(parts):
    results = [parse(name, [K + b"".join(parts)], end=True) for name in PARSERS]
    if "refused" not in results:
        assert results[0] == results[1]


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("head", "kept"),
    [
        (CL, True),
        (CL + b"Connection: keep-alive\r\n", True),
        (CL + b"Connection: close\r\n", False),
        (CL + b"Connection: Keep-Alive, CLOSE\r\n", False),
        (b"Connection: enclosed\r\n" + CL, True),
    ],
)
def test_whether_the_connection_is_kept(parser, head, kept):
    assert parse(parser, [K + head + b"\r\nhi"])[4] is kept
    assert parse(parser, [b"HTTP/1.0 200 OK\r\n" + head + b"\r\nhi"])[4] is False


@pytest.mark.parametrize("parser", PARSERS)
def test_body_until_the_end(parser):
    assert parse(parser, [K + b"\r\nhi", b" all"], end=True)[2:5] == (b"hi all", True, False)
    assert parse(parser, [K + b"\r\n"], end=True)[2:4] == (b"", True)
    assert parse(parser, [K + CL + b"\r\nh"], end=True) == "refused"


@pytest.mark.parametrize("parser", PARSERS)
def test_head_answers_have_no_body(parser):
    assert parse(parser, [K + CL + b"\r\n"], b"HEAD")[2:] == (b"", True, True, False)
    assert parse(parser, [K + TE + b"\r\n"], b"HEAD")[2:] == (b"", True, True, False)
    assert parse(parser, [K + CL + b"\r\nhi"], b"HEAD")[2:] == (b"", True, True, True)


@pytest.mark.parametrize("parser", PARSERS)
@pytest.mark.parametrize(
    ("start", "more"),
    [
        (K, b"A: " + b"x" * 997 + b"\r\n"),
        (K + b"A: ", b"x" * 1000),
        (b"HTTP/1.1 200 ", b"x" * 1000),
        (K + TE + b"\r\n2;", b"x" * 1000),
        (K + TE + b"\r\n0\r\n", b"T: " + b"x" * 997 + b"\r\n"),
    ],
)
def test_endless_headers_and_framing_are_cut(parser, start, more):
    endless = [start, *[more] * (2 * MAX_BARREN // len(more))]
    assert parse(parser, endless) == "refused"


@pytest.mark.parametrize("parser", PARSERS)
def test_endless_interim_responses_are_cut(parser):
    assert parse(parser, [b"HTTP/1.1 100 Continue\r\n\r\n"] * (2 * MAX_BARREN // 25)) == "refused"


@pytest.mark.parametrize("parser", PARSERS)
def test_nothing_waits_for_the_garbage_collector(parser):
    gc.collect()
    gc.disable()
    try:
        for _ in range(50):
            parse(parser, [K + CL + b"\r\nhi"])
            parse(parser, [K + CL + CL + b"\r\nhi"])
        assert gc.collect() < 50
    finally:
        gc.enable()


def test_auto_takes_httptools_where_installed_and_h11_elsewhere(monkeypatch):
    assert choose_parser().__name__ == "HttptoolsParser"
    monkeypatch.setitem(sys.modules, "httptools", None)
    monkeypatch.delitem(sys.modules, "fanseek.http.parser_httptools")
    assert choose_parser().__name__ == "H11Parser"
    with pytest.raises(ImportError):
        choose_parser("httptools")
