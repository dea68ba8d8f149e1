"""Who may use the routes where no harness guards them: loopback names and pages of this very origin, no other site.

The Host must be a loopback name, so that a name rebound to this machine gets nothing. A browser must say that it shows
a page of the same site. What is no browser may read; only a browser's own page may change something, with JSON, which
no other page can send unasked.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

import msgspec

OWN = frozenset({"same-origin", "same-site", "none"})
"""Values of Sec-Fetch-Site that are let in."""

SAFE = frozenset({"GET", "HEAD"})


class Refusal(msgspec.Struct, frozen=True):
    """An HTTP status, and what has to be otherwise."""

    status: int
    reason: str


NO_JSON = Refusal(415, "the Content-Type must be application/json")


def refusal(method: str, headers: Mapping[str, str]) -> Refusal | None:
    """Why a request is turned away; None when it is let in. `headers` has lower-case names."""
    if why := _foreign(method, headers.get("host", ""), headers.get("sec-fetch-site"), headers.get("origin")):
        return Refusal(403, why)
    if method in SAFE:
        return None
    return None if is_json(headers) else NO_JSON


def is_json(headers: Mapping[str, str]) -> bool:
    """Whether a body is declared to be JSON, as no form of another page can do unasked."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"


def _foreign(method: str, host: str, site: str | None, origin: str | None) -> str:
    """What shows that a request is not of this place; empty where nothing does."""
    if not _is_loopback(host):
        return "the Host must be localhost, 127.0.0.1 or [::1]"
    if site is not None and site not in OWN:
        return "pages of other sites may not ask here"
    if origin is not None and not _is_own(origin, host):
        return "the Origin must be that of this address"
    if method not in SAFE and site is None and origin is None:
        return "only a page of this address may change something: send its Origin"
    return ""


def _is_loopback(host: str) -> bool:
    """Whether `host`, a Host header, names this machine by itself, with or without a port."""
    if any(sign in host for sign in "/\\@?#,; \t"):
        return False
    try:
        parts = urlsplit(f"//{host}")
        name, _port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if name == "localhost":
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback and "%" not in name


def _is_own(origin: str, host: str) -> bool:
    scheme, separator, place = origin.partition("://")
    return bool(separator) and scheme in ("http", "https") and place.lower() == host.lower()
