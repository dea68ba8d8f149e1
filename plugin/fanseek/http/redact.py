"""Takes secrets out of text: known values in every form they travel in, and whatever looks like one."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, unquote, urlsplit

from fanseek.http.known_secret import SHORTEST, KnownSecret
from fanseek.http.secret_shapes import HIDDEN, SECRET_NAME, hidden

MOST = 512
"""How many secrets are known at a time; the ones added longest ago are forgotten first."""


class Redactor:
    """Knows secrets and hides them in text, with whatever else looks like one. Cleaning twice changes nothing more."""

    def __init__(self, *secrets: str) -> None:
        self._secrets: dict[str, KnownSecret] = {}
        self._known: re.Pattern[str] | None = None
        self._odd: list[KnownSecret] = []
        for secret in secrets:
            self.add(secret)

    def __repr__(self) -> str:
        return f"Redactor({len(self._secrets)} secrets)"

    def add(self, secret: str) -> None:
        """Hide `secret` from now on."""
        if len(secret.strip()) >= SHORTEST and secret not in self._secrets:
            self._secrets[secret] = KnownSecret(secret.strip())
            if len(self._secrets) > MOST:
                del self._secrets[next(iter(self._secrets))]
            self._known = None

    def add_request(self, url: str, headers: Mapping[str, str]) -> None:
        """Hide from now on what a credentialed request carries."""
        for secret in carried(url, headers):
            self.add(secret)

    def clean(self, text: str) -> str:
        """`text` with `[redacted]` where a secret was, one that was cut short included."""
        if self._secrets:
            text = self._pattern().sub(HIDDEN, text)
            for secret in self._odd:
                text = secret.unescaped(text)
            for secret in self._secrets.values():
                text = secret.uncut(text)
        return hidden(text)

    def _pattern(self) -> re.Pattern[str]:
        """Every form of every secret, the longest first."""
        if self._known is None:
            known = sorted(self._secrets.values(), key=lambda secret: -len(secret.bare))
            self._odd = [secret for secret in known if secret.is_odd]
            shapes = {shape for secret in known for shape in secret.forms}
            self._known = re.compile("|".join(map(re.escape, sorted(shapes, key=len, reverse=True))), re.IGNORECASE)
        return self._known


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
