"""Takes secrets out of text: known values in every form they travel in, and whatever looks like one."""

from __future__ import annotations

import base64
import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html.entities import codepoint2name
from urllib.parse import parse_qsl, quote, quote_plus, unquote, urlsplit

from fanseek.http.secret_shapes import HIDDEN, SECRET_NAME, hidden

MOST = 512
"""How many secrets are known at a time; the ones added longest ago are forgotten first."""
SHORTEST = 4
"""Secrets shorter than this would tear ordinary words apart; names and places still give them away."""

NAMED = {"'": "apos", "+": "plus", "/": "sol", "=": "equals", "_": "lowbar", ".": "period", ":": "colon"}
"""Names of signs in HTML beyond those of HTML 4."""


class Redactor:
    """Knows secrets and hides them in text, with whatever else looks like one. Cleaning twice changes nothing more."""

    def __init__(self, *secrets: str) -> None:
        self._secrets: dict[str, tuple[str, ...]] = {}
        """Each with its forms."""
        self._known: re.Pattern[str] | None = None
        for secret in secrets:
            self.add(secret)

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} secrets)"

    def add(self, secret: str) -> None:
        """Hide `secret` from now on."""
        if len(secret.strip()) >= SHORTEST and secret not in self._secrets:
            self._secrets[secret] = tuple(dict.fromkeys(forms(secret)))
            if len(self._secrets) > MOST:
                del self._secrets[next(iter(self._secrets))]
            self._known = None

    def add_request(self, url: str, headers: Mapping[str, str]) -> None:
        """Hide from now on what a credentialed request carries."""
        for secret in carried(url, headers):
            self.add(secret)

    def clean(self, text: str) -> str:
        """`text` with `[redacted]` where a secret was, one that the text's end cuts short included."""
        if self._secrets:
            if self._known is None:
                self._known = re.compile("|".join(_patterns(self._secrets)), re.IGNORECASE)
            text = self._known.sub(HIDDEN, text)
            for shapes in self._secrets.values():
                for shape in shapes:
                    text = _uncut(text, shape)
        return hidden(text)


def _patterns(secrets: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Every form, the longest first, then each secret that escaping can change."""
    shapes = {shape for own in secrets.values() for shape in own}
    yield from map(re.escape, sorted(shapes, key=len, reverse=True))
    yield from (escaped(secret.strip()) for secret in sorted(secrets, key=len, reverse=True) if not secret.isalnum())


def escaped(secret: str) -> str:
    """A pattern of `secret` with each sign in it bare or escaped as in addresses, JSON and HTML, several times too."""
    return "".join(sign if sign.isalnum() else _as_escaped(sign) for sign in secret)


@cache
def _as_escaped(sign: str) -> str:
    code = ord(sign)
    encoded = "".join(f"%(?:25)*{byte:02x}" for byte in sign.encode(errors="replace"))
    named = "".join(f"|{name}" for name in (codepoint2name.get(code), NAMED.get(sign)) if name)
    return rf"(?:\\+u{code:04x}|{encoded}|&(?:amp;)*(?:\#0*{code}|\#x0*{code:x}{named});|\\*{re.escape(sign)})"


def _uncut(text: str, secret: str) -> str:
    """`text` without the beginning of `secret` that it ends in."""
    kept = text.rstrip(".… ")
    for length in range(min(len(secret) - 1, len(kept)), SHORTEST - 1, -1):
        if kept.endswith(secret[:length]):
            return kept[:-length] + HIDDEN
    return text


def forms(secret: str) -> Iterator[str]:
    """`secret` as it may travel: bare, percent-encoded, escaped as JSON or Python show it, inside base64."""
    bare = secret.strip()
    yield bare
    yield " ".join(bare.split())
    yield from (line for line in map(str.strip, bare.splitlines()) if len(line) >= SHORTEST)
    yield from (quote(bare, safe=""), quote(bare), quote_plus(bare))
    yield from (json.dumps(bare)[1:-1], repr(bare)[1:-1], repr(bare.encode(errors="replace"))[2:-1])
    for skipped, dependent in enumerate((0, 2, 3)):
        whole = base64.b64encode(b"\0" * skipped + bare.encode(errors="replace")).decode()
        core = whole.rstrip("=")[dependent : -1 if whole.endswith("=") else None]
        if len(core) >= SHORTEST:  # what no byte before or behind the secret changes
            yield from (core, core.replace("+", "-").replace("/", "_"), quote(core, safe=""))


def carried(url: str, headers: Mapping[str, str]) -> Iterator[str]:
    """The secrets in a request: values of telling headers and URL parameters, a password in the URL."""
    for name, value in headers.items():
        if SECRET_NAME.search(name):
            yield value
            yield value.rpartition(" ")[2]
    try:
        parts = urlsplit(url)
        pairs = parse_qsl(parts.query)
    except ValueError:
        return
    yield from (value for name, value in pairs if SECRET_NAME.search(name))
    yield from {parts.password or "", unquote(parts.password or "")}


class RedactingFilter(logging.Filter):
    """Cleans log records of libraries that show what they send and receive."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__()
        self._redactor = redactor

    def filter(self, record: logging.LogRecord) -> bool:
        """Replace the record's message by its clean form; every record passes."""
        record.msg, record.args = self._redactor.clean(record.getMessage()), ()
        return True
