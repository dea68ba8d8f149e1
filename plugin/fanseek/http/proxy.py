"""Which proxy, if any, stands between us and a host."""

from __future__ import annotations

import os
import re
import sys
import urllib.request
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from fanseek.errors import BackendError
from fanseek.http.exemptions import Exemptions, is_loopback

SCHEMES = ("http", "https", "socks5", "socks5h")
DIRECT = {"direct", "none"}


class Proxy(msgspec.Struct, frozen=True, kw_only=True):
    """A proxy as it was configured; `problem` says why it cannot be used, and what to do."""

    url: str
    source: str
    """Where it was configured, for a person."""
    problem: str = ""

    @property
    def shown(self) -> str:
        """Its address without credentials."""
        bare = re.sub(r"/.*@", "//", self.url)
        return bare if len(bare) <= 100 else f"{bare[:100]}…"

    def __repr__(self) -> str:
        return f"Proxy({self.shown!r}, source={self.source!r})"

    @property
    def password(self) -> str:
        """The password in it, decoded; empty when there is none."""
        userinfo = re.search(r"//[^/:@]*:(.*)@", self.url)
        return unquote(userinfo[1]) if userinfo else ""


class ProxyChoice:
    """Chooses by the `proxy` setting: `auto` follows the environment, then the system; `direct`; or one URL for all.

    This machine itself is always reached directly. No value is an error before it is needed.
    """

    def __init__(
        self,
        setting: str = "auto",
        *,
        system: Callable[[], Mapping[str, str]] = urllib.request.getproxies,
        exempt: Callable[[], str] | None = None,
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._fixed: Proxy | None = None
        self._by_scheme: dict[str, Proxy | None] = {}
        setting = setting.strip()
        if setting.lower() not in {"", "auto"}:
            fixed = usable(setting, "the proxy setting")
            self._by_scheme = {"http": fixed, "https": fixed}
            self._exemptions = Exemptions("")
            return
        proxies = {scheme.lower(): value for scheme, value in system().items()}
        for scheme in ("http", "https"):
            found = next((key for key in (scheme, "all") if proxies.get(key, "").strip()), "")
            self._by_scheme[scheme] = usable(proxies[found], _source(found, environ)) if found else None
        listed = proxies.get("no", "")
        self._exemptions = Exemptions(" ".join((listed, (exempt or system_exemptions)())))

    @property
    def proxies(self) -> tuple[Proxy, ...]:
        """Those there are, usable or not, each once."""
        found = {proxy.url: proxy for proxy in self._by_scheme.values() if proxy}
        return tuple(found.values())

    def proxy_for(self, scheme: str, host: str, port: int) -> Proxy | None:
        """The proxy to ask; None to go directly. Raises BackendError when the one configured cannot be used."""
        proxy = self._by_scheme.get(scheme)
        if proxy is None or is_loopback(host) or self._exemptions.cover(host, port):
            return None
        if proxy.problem:
            raise BackendError("network", proxy.problem)
        return proxy


def usable(value: str, source: str) -> Proxy | None:
    """`value` as a proxy; None when it says there is none."""
    value = value.strip().strip("\"'").strip()
    if not value or value.lower().removesuffix("://") in DIRECT:
        return None
    if not re.match(r"[a-zA-Z][\w+.-]*:/", value):
        value = f"http://{value}"
    scheme, _, rest = value.partition(":")
    scheme = {"socks": "socks5"}.get(scheme.lower(), scheme.lower())
    proxy = Proxy(url=f"{scheme}:{rest}", source=source)
    if problem := _problem(scheme, proxy.url):
        return Proxy(url=proxy.url, source=source, problem=f"the proxy from {source} ({proxy.shown}) {problem}")
    return proxy


def _problem(scheme: str, url: str) -> str:
    if scheme not in SCHEMES:
        return f"cannot be used: {scheme[:20]}:// is not one of {', '.join(SCHEMES)}"
    if not _is_address(url):
        return "is not an address; write it like http://127.0.0.1:7890"
    if scheme.startswith("socks") and find_spec("socksio") is None:
        return 'needs the socks extra: pip install "fanseek[socks]"'
    return ""


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    return bool(re.fullmatch(r"[\w.:-]+", host, re.ASCII)) and port != 0 and url.isascii() and url.isprintable()


def _source(scheme: str, environ: Mapping[str, str]) -> str:
    name = f"{scheme}_proxy"
    spelt = [variable for variable in environ if variable.lower() == name and environ[variable]]
    return min(spelt, key=lambda variable: variable != name, default="the system's settings")


def system_exemptions() -> str:
    """The operating system's own list of hosts to reach directly, where it has one."""
    if urllib.request.getproxies_environment():
        return ""
    try:
        return _system_list()
    except Exception:  # noqa: BLE001 - a registry or a framework we know nothing of must not stop a search
        return ""


def _system_list() -> str:
    if sys.platform == "win32":
        import winreg

        path = r"Software\Microsoft\Windows\CurrentVersion\Internet Settings"
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, path) as key:
            return str(winreg.QueryValueEx(key, "ProxyOverride")[0])
    if sys.platform == "darwin":
        import _scproxy

        settings: dict[str, Any] = _scproxy._get_proxy_settings()  # noqa: SLF001 - the standard library's own way
        dotless = " <local>" if settings.get("exclude_simple") else ""
        return " ".join(settings.get("exceptions", ())) + dotless
    return ""
