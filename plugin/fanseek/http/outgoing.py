"""A described request made ready to be sent; what cannot be sent is refused without showing its secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fanseek.errors import BackendError

if TYPE_CHECKING:
    import httpx

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
ODD_PASSWORD = re.compile(r"[^/?#:@]*:(?!\d*(?:[/?#]|$)).*@", re.DOTALL)
LONGEST_LABEL, LONGEST_NAME = 63, 253


def outgoing(
    method: str, url: str, headers: Mapping[str, str], body: bytes, timeout: Mapping[str, float]
) -> httpx.Request:
    """The request httpx and its transports understand. Raises BackendError, kind bad-request."""
    import httpx

    sound = {name: _value(name, value) for name, value in headers.items()}
    if not TOKEN.fullmatch(method):
        raise BackendError("bad-request", "the method is no HTTP method")
    try:
        request = httpx.Request(method, url, headers=sound, content=body or None, extensions={"timeout": timeout})
        fault = _fault(request.url.scheme, request.url.raw_host, request.url.port)
    except (httpx.InvalidURL, UnicodeError, ValueError, TypeError) as problem:
        fault = _why(problem)
    if fault:
        raise BackendError("bad-request", f'bad address "{shown(url)}": {fault}')
    return request


def shown(url: str) -> str:
    """`url` as errors may show it: scheme, host and port, never user, password, path or query."""
    scheme, separator, rest = url.partition("://")
    rest = (rest if separator else url).lstrip("/")
    if ODD_PASSWORD.match(rest):
        rest = rest.rpartition("@")[2]
    host = re.split(r"[/?#]", rest, maxsplit=1)[0].rpartition("@")[2]
    printable = "".join(letter if letter.isprintable() else "?" for letter in f"{scheme}{separator}{host}"[:120])
    return printable if separator else host[:80]


def host_of(url: str) -> str:
    """The host of `url` for messages; the whole of what stands there when it is no URL."""
    try:
        return urlsplit(url).hostname or shown(url)
    except ValueError:
        return shown(url)


def _value(name: str, value: str) -> str:
    if not TOKEN.fullmatch(name):
        raise BackendError("bad-request", "a header's name holds characters that HTTP does not allow")
    value = value.strip(" \t")
    if "\n" in value or "\r" in value:
        raise BackendError("bad-request", f"the value of header {name} has a line break in it; paste the key again")
    if not re.fullmatch(r"[\t\x20-\x7e]*", value):
        raise BackendError(
            "bad-request",
            f"the value of header {name} is not plain ASCII: it may hold a curly quote; paste it again",
        )
    return value


def _fault(scheme: str, host: bytes, port: int | None) -> str:
    if scheme not in {"http", "https"}:
        return "only http:// and https:// can be asked"
    if not re.fullmatch(rb"[\w.:~-]*", host):
        return "its host holds characters that no host has"
    labels = host.removesuffix(b".").split(b".")
    if not host or (b":" not in host and not all(labels)):
        return "it has no host, or an empty part in it"
    if len(host) > LONGEST_NAME or max(map(len, labels)) > LONGEST_LABEL:
        return "its host is too long"
    return "its port is out of range" if port is not None and not 0 < port < 65536 else ""


def _why(problem: Exception) -> str:
    """A reason free of the address itself, which may hold a key."""
    said = str(problem).lower()
    for word, reason in (
        ("idna", "its host is not a valid internationalised name"),
        ("codepoint", "its host is not a valid internationalised name"),
        ("port", "its port is not a number in range"),
        ("ipv", "its host is not a valid IP address"),
        ("long", "it is too long"),
    ):
        if word in said:
            return reason
    return "it is not a valid URL"
