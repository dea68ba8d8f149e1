"""`ctx.web` for Python hosts that have none: who searches and fetches, chosen by the rules of the harness's own (HF7).

A provider is `{id, available(), search(request, signal)}`, for pages `fetch` in place of `search`. `available` must be
local and cheap. A request is `{"query", "maxResults"?}`, a result `{"content"?, "sources", "truncated"}`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol, TypeVar

import anyio

from fanseek.surface.seam.failure import WebError
from fanseek.surface.signals import is_aborted, until
from fanseek.text.clean import plain
from fanseek.text.cut import cut

log = logging.getLogger("fanseek.web")

SEARCH_VARIABLE, FETCH_VARIABLE = "DSH_WEB_SEARCH_PROVIDER", "DSH_WEB_FETCH_PROVIDER"
LONGEST = 500
"""Characters of another provider's error that are passed on."""

Disposer = Callable[[], None]


class Usable(Protocol):
    """What selection needs of a provider."""

    id: str

    def available(self) -> bool:
        """Whether it could be asked; nothing is contacted for that."""


P = TypeVar("P", bound=Usable)


class SearchProvider(Usable, Protocol):
    """Who searches."""

    async def search(self, request: Mapping[str, Any], signal: Any = None) -> Mapping[str, Any]:
        """One search."""


class FetchProvider(Usable, Protocol):
    """Who fetches pages."""

    async def fetch(self, request: Mapping[str, Any], signal: Any = None) -> Mapping[str, Any]:
        """One page."""


class Web:
    """The service. `search_provider` and `fetch_provider` name who is asked; left out, the environment may."""

    def __init__(
        self,
        search_provider: str | None = None,
        fetch_provider: str | None = None,
        *,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        variables = os.environ if environment is None else environment
        self._chosen_search = search_provider or variables.get(SEARCH_VARIABLE) or None
        self._chosen_fetch = fetch_provider or variables.get(FETCH_VARIABLE) or None
        self._searching: dict[str, SearchProvider] = {}
        self._fetching: dict[str, FetchProvider] = {}

    def register_search_provider(self, provider: SearchProvider) -> Disposer:
        """Take `provider` in; the return value lets it go. Raises WebError WEB_DUPLICATE_PROVIDER."""
        return _register(self._searching, provider)

    def register_fetch_provider(self, provider: FetchProvider) -> Disposer:
        """Take `provider` in; the return value lets it go. Raises WebError WEB_DUPLICATE_PROVIDER."""
        return _register(self._fetching, provider)

    @property
    def search_providers(self) -> tuple[str, ...]:
        """The ids of those who search, in the order of registration."""
        return tuple(self._searching)

    @property
    def fetch_providers(self) -> tuple[str, ...]:
        """The ids of those who fetch, in the order of registration."""
        return tuple(self._fetching)

    async def search(self, request: Mapping[str, Any], signal: Any = None) -> dict[str, Any]:
        """One search by the provider that is chosen, cut to `maxResults` whatever it brings. Raises WebError."""
        provider = _resolved(self._searching, self._chosen_search)
        found = await _abortable(lambda: provider.search(request, signal), provider.id, signal)
        if not isinstance(found, Mapping) or not isinstance(found.get("sources"), list | tuple):
            raise WebError(f'web provider "{plain(provider.id)}" answered without sources', "WEB_PROVIDER_ERROR")
        return _capped(found, request.get("maxResults"))

    async def fetch(self, request: Mapping[str, Any], signal: Any = None) -> dict[str, Any]:
        """One page by the provider that is chosen; an HTTP error is a result of it. Raises WebError."""
        provider = _resolved(self._fetching, self._chosen_fetch)
        return dict(await _abortable(lambda: provider.fetch(request, signal), provider.id, signal))


def _register(providers: dict[str, P], provider: P) -> Disposer:
    name = provider.id
    if name in providers:
        raise WebError(f'a web provider with id "{plain(name)}" is already registered', "WEB_DUPLICATE_PROVIDER")
    providers[name] = provider

    def dispose() -> None:
        if providers.get(name) is provider:
            del providers[name]

    return dispose


def _resolved(providers: Mapping[str, P], chosen: str | None) -> P:
    """Who is asked; it never depends on the order of registration."""
    if chosen is not None:
        provider, shown = providers.get(chosen), plain(chosen)
        if provider is None:
            message = f'configured web provider "{shown}" is not registered'
            raise WebError(message, "WEB_PROVIDER_CONFIGURED_MISSING")
        if not _is_usable(provider):
            message = f'configured web provider "{shown}" is registered but unavailable'
            raise WebError(message, "WEB_PROVIDER_CONFIGURED_UNAVAILABLE")
        return provider
    usable = [provider for provider in providers.values() if _is_usable(provider)]
    if not usable:
        raise WebError("no usable web provider is registered", "WEB_PROVIDER_UNAVAILABLE")
    if len(usable) > 1:
        names = ", ".join(plain(provider.id) for provider in usable)
        message = f"multiple usable web providers are registered ({names}); configure one explicitly"
        raise WebError(message, "WEB_PROVIDER_AMBIGUOUS")
    return usable[0]


def _is_usable(provider: Usable) -> bool:
    try:
        return bool(provider.available())
    except Exception:
        log.exception("web provider %r can't say whether it is available", provider.id)
        return False


async def _abortable(ask: Callable[[], Awaitable[Any]], name: str, signal: Any) -> Any:
    """What `ask` brings, unless `signal` is given first, whether the provider heeds it or not."""
    if is_aborted(signal):
        raise WebError("the request was aborted by its caller", "WEB_ABORTED")
    problem: Exception | None = None
    found: Any = None
    done = False
    async with anyio.create_task_group() as group:
        if signal is not None:
            group.start_soon(_end_on, signal, group.cancel_scope)
        try:
            found, done = await ask(), True
        except Exception as raised:  # noqa: BLE001 - raised again below, outside the group
            problem = raised
        group.cancel_scope.cancel()
    if isinstance(problem, WebError):
        raise problem
    if problem is not None:
        message = f'web provider "{plain(name)}" failed: {cut(plain(str(problem)), LONGEST) or type(problem).__name__}'
        raise WebError(message, "WEB_PROVIDER_ERROR") from problem
    if not done:
        raise WebError("the request was aborted by its caller", "WEB_ABORTED")
    return found


async def _end_on(signal: Any, scope: anyio.CancelScope) -> None:
    await until(signal)
    scope.cancel()


def _capped(found: Mapping[str, Any], most: object) -> dict[str, Any]:
    sources = list(found["sources"])
    whole = {**found, "sources": sources, "truncated": bool(found.get("truncated"))}
    if isinstance(most, int) and not isinstance(most, bool) and 0 <= most < len(sources):
        return {**whole, "sources": sources[:most], "truncated": True}
    return whole
