"""The two ways to a backend: the one the settings say, and the other one where there is another."""

from __future__ import annotations

import urllib.request
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

import msgspec

from fanseek.errors import BackendError
from fanseek.http.proxy import Proxy, ProxyChoice
from fanseek.surface.doctor.report import Way

AUTO, DIRECT = "auto", "direct"
PORTS = {"http": 80, "https": 443}


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """How one address is reached."""

    way: Way = "direct"
    proxy: str = ""
    """Without credentials."""


class Ways:
    """Routes by the setting `proxy` and by what is opposite to it."""

    def __init__(self, setting: str, *, system: Callable[[], Mapping[str, str]] = urllib.request.getproxies) -> None:
        self.set = setting
        self.other = AUTO if setting == DIRECT else DIRECT
        self._choices = {way: ProxyChoice(way, system=system) for way in {setting, AUTO, DIRECT}}

    def route(self, url: str, *, other: bool = False) -> Route:
        """How `url` is reached, by the settings or by the other way."""
        proxy = self._proxy(self.other if other else self.set, url)
        return Route(way="proxy", proxy=proxy.shown) if proxy else Route()

    def differ(self, url: str) -> bool:
        """Whether there is another way to `url`."""
        return self.route(url) != self.route(url, other=True)

    @property
    def proxies(self) -> tuple[Proxy, ...]:
        """The proxies that the settings lead to."""
        return self._choices[self.set].proxies

    @property
    def unused(self) -> tuple[Proxy, ...]:
        """Proxies that the environment or the system has and the settings pass by."""
        taken = {proxy.url for proxy in self.proxies}
        return tuple(proxy for proxy in self._choices[AUTO].proxies if proxy.url not in taken)

    def _proxy(self, way: str, url: str) -> Proxy | None:
        try:
            parts = urlsplit(url)
            port = parts.port or PORTS.get(parts.scheme, 0)
            return self._choices[way].proxy_for(parts.scheme, parts.hostname or "", port)
        except ValueError:
            return None
        except BackendError:
            return next((proxy for proxy in self._choices[way].proxies if proxy.problem), None)
