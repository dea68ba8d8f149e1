"""What leaves Fanseek in text holds no secret."""

from __future__ import annotations

import base64
import json
import logging
import string
from html import escape
from time import process_time
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fanseek.http.redact import RedactingFilter, Redactor, carried

SECRET = st.text(string.ascii_letters + string.digits + "+/=-_.~:@%&? !'\"\\é中", min_size=8, max_size=40).filter(
    lambda text: len(set(text.strip())) > 4 and len(text.strip()) >= 8
)
ENCODINGS = {
    "bare": str,
    "quoted": lambda s: quote(s, safe=""),
    "lower-case hex": lambda s: quote(s, safe="").lower(),
    "plus": quote_plus,
    "json": json.dumps,
    "repr": repr,
    "bytes": lambda s: repr(s.encode()),
}


@given(SECRET, st.sampled_from(sorted(ENCODINGS)), st.text(max_size=20), st.text(max_size=20))
@example("SECRET-7f3a", "bare", "HTTP 401 for ", "")
def test_a_known_secret_survives_in_no_form(secret: str, encoding: str, before: str, behind: str) -> None:
    """BC-040: by known value, wherever it stands."""
    cleaned = Redactor(secret).clean(f"{before}{ENCODINGS[encoding](secret.strip())}{behind}")
    assert secret.strip().lower() not in cleaned.lower()
    assert quote(secret.strip(), safe="").lower() not in cleaned.lower()


@given(st.permutations(string.ascii_letters), st.integers(12, 40), st.text(max_size=7), st.text("!?", max_size=7))
def test_a_secret_inside_base64_survives_nowhere(letters: list[str], length: int, user: str, behind: str) -> None:
    secret = "".join(letters[:length])
    before = f"{user}:".encode()
    encoded = base64.b64encode(before + secret.encode() + behind.encode()).decode()
    cleaned = Redactor(secret).clean(f"sent {encoded}.")
    middle = (len(before) + length // 2) * 4 // 3
    assert encoded[middle - 3 : middle + 3] not in cleaned
    assert "[redacted]" in cleaned


@given(st.text(max_size=300))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    redactor = Redactor("SECRET-7f3a")
    once = redactor.clean(text)
    assert redactor.clean(once) == once


PATTERNED = [
    ("https://api.example.test/s?q=cat&api_key=XYZ42&n=1", "XYZ42", "q=cat"),
    ("https://api.example.test/s?key=XYZ42", "XYZ42", "api.example.test"),
    ("https://h.example.test/mcp?fooApiKey=XYZ42 failed", "XYZ42", "failed"),
    ("GET /s?access_token=XYZ42#top", "XYZ42", "GET /s"),
    ("at %3Fapi_key%3DXYZ42%26q%3D1", "XYZ42", "q%3D1"),
    ("http://user:PROXYPASS@127.0.0.1:9 refused", "PROXYPASS", "127.0.0.1:9 refused"),
    ("htps://me:hunter2@searx.example.test", "hunter2", "searx.example.test"),
    ("https:/me:hunter2@searx.example.test", "hunter2", "searx.example.test"),
    ("http://me:hunt/er?2@searx.example.test/", "er?2", "searx.example.test"),
    ("me:hunter2@127.0.0.1:7890", "hunter2", "127.0.0.1:7890"),
    ("Authorization: Bearer XYZ42", "XYZ42", "Authorization"),
    ("{'authorization': 'Basic dXNlcjpwYXNz'}", "dXNlcjpwYXNz", "authorization"),
    ("[(b'x-api-key', b'XYZ42'), (b'accept', b'*/*')]", "XYZ42", "accept"),
    ('{"apiKey":"XYZ42","n":1}', "XYZ42", '"n":1'),
    ("x-subscription-token=XYZ42", "XYZ42", "x-subscription-token"),
    ("set-cookie: sid=XYZ42; path=/", "XYZ42", "cookie"),
    ("bad Bearer abcDEF123456 given", "abcDEF123456", "given"),
    ("Incorrect API key provided: sk-ab***********yz. See docs", "yz", "See docs"),
    ("Your api key: ****cdef is invalid", "cdef", "is invalid"),
    ("Key xx***yy refused", "xx***yy", "refused"),
    ("key sk-12…ab34 refused", "ab34", "refused"),
    ("the key ending in 9f3a is unknown", "9f3a", "is unknown"),
    ("last four characters: 9f3a", "9f3a", "last four"),
    ("no access for sk-proj-abcdef123456 here", "abcdef123456", "here"),
    ("bad abcd-dev-AbC0123456789abcdef01", "0123456789", "bad"),
    ("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "eyJzdWIi", "jwt"),
]


@pytest.mark.parametrize(("text", "gone", "kept"), PATTERNED)
def test_what_looks_like_a_secret_is_hidden(text: str, gone: str, kept: str) -> None:
    """Q5, BC-040, BC-041, and contracts' note on masked keys and last characters in upstream errors."""
    cleaned = Redactor().clean(text)
    assert gone not in cleaned
    assert kept in cleaned
    assert "[redacted]" in cleaned


@pytest.mark.parametrize(
    "text",
    [
        'could not resolve host "api.example.test"',
        "HTTP 403: json format is disabled on this instance",
        "HTTP 429: retry in 30 s",
        "backend timed out after 5000 ms at 12:30:10",
        "https://medium.com/@user/story?utm_source=x&keyword=cat",
        "http://127.0.0.1:8080/@user",
        "**Error** in line 3",
        "Bearer authentication required",
        "unexpected token: <",
        "keywords=cats&monkey=1",
        "connection refused by 127.0.0.1:9",
        "SUBSCRIPTION_TOKEN_INVALID: The provided subscription token is invalid.",
        "API_KEY_EXPIRED: renew it",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert Redactor().clean(text) == text


def test_a_tiny_secret_does_not_tear_words_apart() -> None:
    assert Redactor("a", "ab", "the").clean("the cab is about to leave") == "the cab is about to leave"
    assert Redactor("abc").clean("?key=abc") == "?key=[redacted]"


@pytest.mark.parametrize("cut", range(4, 16))
def test_a_secret_cut_short_by_the_texts_end_is_hidden(cut: int) -> None:
    """An upstream's error text is shortened before it is cleaned."""
    secret = "Qz81kfmmRt77pLx0"
    cleaned = Redactor(secret).clean(f"HTTP 401: wrong credential {secret[:cut]}…")
    assert secret[:4] not in cleaned


ODD = "Qz81+kf/mR=t7&pL_x0%z-Y.9'\"\\"
ESCAPED = {
    "of PHP's JSON": lambda sign: "\\/" if sign == "/" else sign,
    "of Go's and .NET's JSON": lambda sign: sign if sign.isalnum() or sign in "_-." else f"\\u{ord(sign):04X}",
    "in a string in JSON": lambda sign: sign if sign.isalnum() or sign in "-_.~" else f"\\\\u{ord(sign):04x}",
    "in an address twice": lambda sign: quote(quote(sign, safe=""), safe=""),
    "in an address in lower case": lambda sign: quote(sign, safe="").lower() if sign in "+/=&%" else sign,
    "in HTML": escape,
    "in HTML twice": lambda sign: escape(escape(sign)),
    "in HTML by number": lambda sign: sign if sign.isalnum() or sign in "-_.~" else f"&#{ord(sign):03};",
    "in HTML by hexadecimal number": lambda sign: sign if sign.isalnum() or sign in "-_.~" else f"&#x{ord(sign):X};",
    "in HTML by name": lambda sign: {"+": "&plus;", "/": "&sol;", "&": "&amp;"}.get(sign, sign),
    "mixed": lambda sign: {"+": "%2b", "/": "\\/", "=": "&#61;", "&": "\\u0026"}.get(sign, sign),
}


@pytest.mark.parametrize("kind", ESCAPED)
def test_a_secret_that_was_escaped_is_hidden(kind: str) -> None:
    """BC-040: servers repeat what they were sent in the form of their own answers."""
    shape = "".join(map(ESCAPED[kind], ODD))
    cleaned = Redactor(ODD).clean(f"HTTP 401: {shape} is unknown")
    assert cleaned == "HTTP 401: [redacted] is unknown"


@pytest.mark.parametrize(
    "behind", ["…” (HTTP 401)", "'", '"', "...; b: HTTP 500", "; b: HTTP 500", ") is", "…", " …", "\\n"]
)
def test_a_secret_cut_short_inside_a_message_is_hidden(behind: str) -> None:
    """BC-040: what a service said is quoted to so many characters, and the sentence goes on behind."""
    secret = "Qz81-kfmmRt77pLx0"
    for cut in range(8, len(secret)):
        cleaned = Redactor(secret).clean(f"refused: “wrong credential {secret[:cut]}{behind}")
        assert cleaned == f"refused: “wrong credential [redacted]{behind}", cut


def test_words_that_a_secret_begins_with_stay() -> None:
    cleaned = Redactor("password-9f3a", "international7", "user-name-0815").clean(
        "the password is wrong, the international one too, and user-names of all"
    )
    assert cleaned == "the password is wrong, the international one too, and user-names of all"
    assert Redactor("Qz81-kfmmRt77pLx0").clean("“the key Qz81…” is wrong") == "“the key [redacted]…” is wrong"


@pytest.mark.parametrize("encoding", ["quoted", "plus", "json"])
def test_an_escaped_secret_cut_short_by_the_texts_end_is_hidden(encoding: str) -> None:
    shape = ENCODINGS[encoding]("Qz81+kf/mR=t7&pLx0%z").strip('"')
    for cut in range(5, len(shape)):
        assert "Qz81" not in Redactor("Qz81+kf/mR=t7&pLx0%z").clean(f"HTTP 401: wrong credential {shape[:cut]}…"), cut


def test_hundreds_of_odd_secrets_are_known_quickly() -> None:
    """Signs in secrets cost no more than a little; liveness only."""
    began = process_time()
    redactor = Redactor(*(f"{ODD}{number:04}" for number in range(512)))
    assert redactor.clean(f"a {ODD}0511 b") == "a [redacted] b"
    assert redactor.clean("x" * 400) == "x" * 400
    assert process_time() - began < 10


def test_a_request_tells_its_own_secrets() -> None:
    headers = {"Authorization": "Bearer K1-secret", "X-Subscription-Token": "K2-secret", "accept": "text/html"}
    found = set(carried("https://u:p%40ss-word@h.test/?q=cats&apiKey=K3-secret", headers))
    assert {"K1-secret", "K2-secret", "K3-secret", "p@ss-word"} <= found
    assert not {"text/html", "cats"} & found


def test_signatures_that_change_with_each_request_do_not_pile_up() -> None:
    redactor = Redactor(*(f"signature-{number:04}" for number in range(600)))
    assert repr(redactor) == "Redactor(512 secrets)"
    assert redactor.clean("signature-0599 was sent") == "[redacted] was sent"


def test_a_redactor_never_shows_what_it_knows() -> None:
    assert "hunter2" not in repr(Redactor("hunter2"))


def test_log_records_are_cleaned_with_their_arguments(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("fanseek.tests.redact")
    kept = RedactingFilter(Redactor("SECRET-7f3a"))
    log.addFilter(kept)
    with caplog.at_level(logging.DEBUG, log.name):
        log.debug("sent %r", [(b"x-other", b"SECRET-7f3a")])
    log.removeFilter(kept)
    assert "SECRET" not in caplog.text
    assert "x-other" in caplog.text


@pytest.mark.parametrize("unit", ["a", "-_", "key=a", "://", "a.b-", " a:", "*", "api_key", "ending in ", "a:a@"])
def test_long_hostile_text_costs_linear_time(unit: str) -> None:
    """Counted in work that ten times the text costs, not in seconds: at most about ten times as much."""
    from time import process_time

    def cost(size: int) -> float:
        text = unit * (size // len(unit))
        began = process_time()
        Redactor("SECRET-7f3a").clean(text)
        return process_time() - began

    cost(1000)
    small = min(cost(5_000) for _ in range(3))
    assert min(cost(50_000) for _ in range(2)) < 60 * small + 0.05
