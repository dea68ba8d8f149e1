"""Which hosts a wished-for or unwanted domain covers: itself and its true sub-domains, in any spelling."""

from __future__ import annotations

from collections.abc import Iterable

from fanseek.text.hosts import canonical, covers, split_port


def matches(host: str, domain: str) -> bool:
    """Whether `host` is `domain` or below it; `evilpython.org` is not below `python.org`."""
    place, wished = canonical(split_port(host)[0]), _wished(domain)
    return bool(place and wished) and covers(str(wished), str(place))


class Domains:
    """The include and exclude lists of one search, read once. Exclude wins; no include list means any host."""

    def __init__(self, include: Iterable[str] = (), exclude: Iterable[str] = ()) -> None:
        include = tuple(include)
        self._all = not include
        self._include = tuple(filter(None, map(_wished, include)))
        self._exclude = tuple(filter(None, map(_wished, exclude)))

    def admit(self, host: str) -> bool:
        """Whether results of `host` (canonical) are wanted."""
        if any(covers(domain, host) for domain in self._exclude):
            return False
        return self._all or any(covers(domain, host) for domain in self._include)


def _wished(text: str) -> str | None:
    """The canonical host that `text` names; tolerates `*.`, a leading dot, a scheme and a path."""
    place = text.strip().rpartition("://")[2].partition("/")[0].removeprefix("*").removeprefix(".")
    return canonical(split_port(place)[0])
