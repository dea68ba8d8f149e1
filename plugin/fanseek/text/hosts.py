"""Hosts: one ASCII form of every spelling, and the form that is shown.

Specification: url.spec.whatwg.org (3, hosts), UTS 46 (mapping), RFC 3492 (Punycode). Lenient where the DNS is:
underscores, `--` and emoji are names. Total: nothing here raises.
"""

from __future__ import annotations

import re
import unicodedata
from ipaddress import AddressValueError, IPv6Address
from urllib.parse import unquote

from fanseek.text.clean import plain

_PLAIN = re.compile(r"(?:[a-z0-9-]{1,63}\.)*+[a-z][a-z0-9-]{0,62}")
_NAME = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*+")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_DOTS = re.compile("[\u3002\uff0e\uff61]")
_IGNORED = re.compile("[\u00ad\u034f\u180b-\u180d\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff\U000e0100-\U000e01ef]")
_JOINERS = "\u200c\u200d"
_BARRED = frozenset({"Cc", "Cf", "Co", "Cs", "Zs", "Zl", "Zp"})
_LONGEST = 253

_TOGETHER = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "LATIN"}
"""Scripts that are written together in one word."""

_LOOK_LATIN = frozenset("асԁеһіјӏорԛѕԝхуъьҽпгѵѡкт" + "αικνρυωηοτϲ")
"""Cyrillic and Greek letters that pass for Latin ones."""


def split_port(authority: str) -> tuple[str, str]:
    """Host and port of what stands between `//` and the path, userinfo left out. An odd port stays in the host."""
    place = authority.rpartition("@")[2]
    host, colon, port = place.rpartition(":")
    if not colon or "]" in port or not (port == "" or (port.isascii() and port.isdigit())):
        return place, ""
    return host, port


def canonical(host: str) -> str | None:
    """The one ASCII spelling of `host`: lower case, Punycode, addresses in full; None for what can be no host."""
    if len(host) <= _LONGEST and _PLAIN.fullmatch(host):
        return host
    if "%" in host:
        host = unquote(host)
    if len(host) > _LONGEST + 1:
        return None
    if host.startswith("["):
        return _ipv6(host)
    if host.isascii():
        name = host.lower().removesuffix(".")
    else:
        name = ".".join(map(_encoded, _mapped(host).removesuffix(".").split(".")))
    if len(name) > _LONGEST or not _NAME.fullmatch(name):
        return None
    return _ipv4(name) if _NUMBER.fullmatch(name.rpartition(".")[2]) else name


def bare(host: str) -> str:
    """`host` without a leading `www.`, unless nothing but a top-level name would be left."""
    while host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    return host


def covers(domain: str, host: str) -> bool:
    """Whether `host` is `domain` or below it, both canonical."""
    return bare(host) == bare(domain) or host.endswith("." + domain)


def shown(host: str) -> str:
    """A canonical `host` for people: Unicode, but Punycode where a label could pass for another."""
    if host.startswith("["):
        return f"[{IPv6Address(host[1:-1]).compressed}]"
    if "xn--" not in host:
        return host
    labels = host.split(".")
    top = _decoded(labels[-1]) or labels[-1]
    return ".".join(_readable(label, top) for label in labels)


def _mapped(host: str) -> str:
    dotted = _IGNORED.sub("", _DOTS.sub(".", host))
    lower = "".join(char.lower() for char in unicodedata.normalize("NFKC", dotted))
    if any(unicodedata.category(char) in _BARRED and char not in _JOINERS for char in lower):
        return ""
    return unicodedata.normalize("NFKC", lower)


def _encoded(label: str) -> str:
    if label.isascii():
        return label
    try:
        return "xn--" + label.encode("punycode").decode("ascii")
    except UnicodeError:
        return ""


def _decoded(label: str) -> str:
    """The Unicode form of an `xn--` label; empty where it has none that leads back to it."""
    if not label.startswith("xn--"):
        return ""
    try:
        text = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return ""
    return text if _encoded(_mapped(text)) == label else ""


def _readable(label: str, top: str) -> str:
    text = _decoded(label)
    if not text or plain(text) != text or not all(map(_is_seen, text)):
        return label
    scripts = {unicodedata.name(char, "?").split(" ")[0] for char in text if char.isalpha()}
    alone = len(scripts) < 2 or scripts <= _TOGETHER
    passes = _LOOK_LATIN.issuperset(char for char in text if char.isalpha()) and scripts and top.isascii()
    return text if alone and not passes else label


def _is_seen(char: str) -> bool:
    picture = "\u2600" <= char <= "\u27bf" or "\U0001f300" <= char <= "\U0001faff" or char in _JOINERS
    return picture or char == "-" or unicodedata.category(char) in {"Ll", "Lo", "Lm", "Mn", "Mc", "Nd"}


def _ipv6(host: str) -> str | None:
    if not host.endswith("]") or "%" in host:
        return None
    try:
        address = int(IPv6Address(host[1:-1]))
    except AddressValueError:
        return None
    return "[" + ":".join(f"{address >> shift & 0xFFFF:x}" for shift in range(112, -1, -16)) + "]"


def _ipv4(name: str) -> str | None:
    """The dotted form of an IPv4 address in any of the forms URLs allow (hexadecimal, octal, fewer parts)."""
    parts = name.split(".")
    if len(parts) > 4 or not all(map(_NUMBER.fullmatch, parts)):
        return None
    try:
        *first, last = [int(part[2:] or "0", 16) if part[1:2] == "x" else _decimal_or_octal(part) for part in parts]
    except ValueError:
        return None
    if any(part > 255 for part in first) or last >= 256 ** (5 - len(parts)):
        return None
    address = last + sum(part << (24 - 8 * at) for at, part in enumerate(first))
    return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))


def _decimal_or_octal(part: str) -> int:
    return int(part, 8) if len(part) > 1 and part[0] == "0" else int(part)
