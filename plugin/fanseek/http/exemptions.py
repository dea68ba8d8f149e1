"""Hosts that no proxy is asked for, as NO_PROXY and its kin on other systems list them."""

from __future__ import annotations

import ipaddress
import re
from fnmatch import fnmatchcase
from urllib.parse import unquote

import msgspec

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Exemption(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the list: a network, a glob or a domain with everything below it, perhaps for one port only."""

    network: Network | None = None
    glob: str = ""
    domain: str = ""
    port: int | None = None

    def covers(self, host: str, address: Address | None, port: int) -> bool:
        """Whether it names `host`, which is `address` when it is a literal one."""
        if self.port not in (None, port):
            return False
        if self.network is not None:
            return address is not None and address in self.network
        if self.glob:
            return fnmatchcase(host, self.glob)
        return host == self.domain or host.endswith(f".{self.domain}")


class Exemptions:
    """A whole list. Nothing in it is ever an error: what makes no sense matches nothing."""

    def __init__(self, text: str) -> None:
        self._entries = tuple(
            entry for token in re.split(r"[\s,;|]+", text.lower()) if token and (entry := _entry(token)) is not None
        )
        self._dotless = "<local>" in text.lower()

    def cover(self, host: str, port: int) -> bool:
        """Whether `host` is reached without a proxy."""
        name = plain_host(host)
        if self._dotless and "." not in name and ":" not in name:
            return True
        address = address_of(name)
        return any(entry.covers(name, address, port) for entry in self._entries)


def is_loopback(host: str) -> bool:
    """Whether `host` is this machine by its name or address alone."""
    name = plain_host(host)
    address = address_of(name)
    return name == "localhost" or name.endswith(".localhost") or (address is not None and address.is_loopback)


def plain_host(host: str) -> str:
    """`host` without brackets, zone and trailing dot, lower-case and in its ASCII form where it has one."""
    name = unquote(host).strip("[]").partition("%")[0].rstrip(".").lower()
    if name.isascii():
        return name
    import idna

    try:
        return idna.encode(name, uts46=True).decode()
    except UnicodeError:
        return name


def address_of(name: str) -> Address | None:
    """The address `name` is a literal of; IPv4 inside IPv6 is the former."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _entry(token: str) -> Exemption | None:
    token = token.strip("\"'").rpartition("://")[2].lstrip("/")
    host, port = _split_port(token)
    if (network := _network(host)) is not None:
        return Exemption(network=network, port=port)
    host = plain_host(host.partition("/")[0]).lstrip(".").removeprefix("*.")
    if "*" in host:
        return Exemption(glob=re.sub(r"[\[\]?]", "", host), port=port)
    return Exemption(domain=host, port=port) if host else None


def _split_port(token: str) -> tuple[str, int | None]:
    """`host:port` or `[v6]:port` taken apart; a bare IPv6 address has no port."""
    match = re.fullmatch(r"(\[[^\]]*\][^:]*|[^:]*):([0-9]{1,5})", token)
    return (match[1], int(match[2])) if match else (token, None)


def _network(host: str) -> Network | None:
    """`10.0.0.0/8`, `10/8`, `fd00::/8`, `[fd00::]/8` or a single address."""
    base, slash, prefix = re.sub(r"[\[\]]", "", host).partition("/")
    base = base.partition("%")[0]
    if slash and re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3}){0,2}\.?", base):
        base = ".".join((base.rstrip(".").split(".") + ["0"] * 3)[:4])
    try:
        return ipaddress.ip_network(f"{base}{slash}{prefix}", strict=False)
    except ValueError:
        return None
