"""The rules for addresses in settings. What is returned is the fault in words, which never holds the value."""

from __future__ import annotations

from urllib.parse import SplitResult, parse_qsl, urlsplit

PROXY_WORDS = frozenset({"auto", "direct"})
PROXY_SCHEMES = frozenset({"http", "https", "socks5", "socks5h"})
NOT_IN_HOSTS = frozenset("!\"$&'()*+,;<=>@[]^`{|}~")
WEB_SCHEMES = frozenset({"http", "https"})


def fault_of_address(value: str) -> str:
    """Why `value` can't be a backend's base URL; empty when it can."""
    rule = "must be a URL such as https://search.example.org"
    parts = _split(value)
    if parts is None:
        return f"{rule}: it cannot be read as one"
    if parts.scheme not in WEB_SCHEMES:
        return f"{rule}: it must begin with http:// or https://"
    if not parts.hostname or set(parts.hostname) & NOT_IN_HOSTS:
        return f"{rule}: it names no host"
    if has_userinfo(value):
        return f"{rule}: user names and passwords do not belong in it"
    if parts.fragment:
        return f"{rule}: it must not have a fragment (#)"
    return ""


def fault_of_proxy(value: str) -> str:
    """Why `value` can't be the proxy setting; empty when it can."""
    if value in PROXY_WORDS:
        return ""
    rule = "must be auto, direct or a proxy URL such as http://127.0.0.1:7890"
    parts = _split(value)
    if parts is None or parts.scheme not in PROXY_SCHEMES or not parts.hostname or set(parts.hostname) & NOT_IN_HOSTS:
        return f"{rule} ({', '.join(sorted(PROXY_SCHEMES))})"
    return ""


def has_userinfo(value: str) -> bool:
    """Whether a user name or a password stands before the host."""
    parts = _split(value)
    return parts is not None and "@" in parts.netloc


def has_key(value: str) -> bool:
    """Whether a parameter of the address is a key by its name."""
    parts = _split(value)
    names = [name.lower().replace("_", "").replace("-", "") for name, _ in parse_qsl(parts.query)] if parts else []
    return any(name.endswith(("key", "token", "secret", "password")) for name in names)


def _split(value: str) -> SplitResult | None:
    """The parts of `value`; None when it holds spaces or control characters, or a part is malformed."""
    if any(not character.isprintable() or character.isspace() or character == "\\" for character in value):
        return None
    try:
        parts = urlsplit(value)
        _ = parts.port, parts.hostname
    except ValueError:
        return None
    return parts
