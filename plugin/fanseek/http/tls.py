"""TLS as a client: the default context, and the sessions that spare a second full handshake."""

from __future__ import annotations

import ssl
from collections import OrderedDict
from collections.abc import Hashable

import httpx

SESSIONS = 256
"""How many origins' sessions are kept; the ones longest unused go first."""


def client_context(given: ssl.SSLContext | None = None, *, trust_env: bool = True) -> ssl.SSLContext:
    """`given`, or a context verifying as httpx does (SSL_CERT_FILE, SSL_CERT_DIR, certifi); either speaks HTTP/1.1."""
    context = given or httpx.create_ssl_context(trust_env=trust_env)
    context.set_alpn_protocols(["http/1.1"])
    return context


class Sessions:
    """The latest TLS session of each origin. They are bound to one context."""

    def __init__(self, limit: int = SESSIONS) -> None:
        self._sessions: OrderedDict[Hashable, ssl.SSLSession] = OrderedDict()
        self._limit = limit

    def get(self, origin: Hashable) -> ssl.SSLSession | None:
        """The session to offer to `origin`."""
        session = self._sessions.get(origin)
        if session is not None:
            self._sessions.move_to_end(origin)
        return session

    def keep(self, origin: Hashable, session: ssl.SSLSession | None) -> None:
        """Remember `session`, if it is one that can be resumed."""
        if session is None or not (session.has_ticket or session.id):
            return
        self._sessions[origin] = session
        self._sessions.move_to_end(origin)
        if len(self._sessions) > self._limit:
            self._sessions.popitem(last=False)

    def forget(self, origin: Hashable) -> None:
        """Offer nothing to `origin` until a new session is kept."""
        self._sessions.pop(origin, None)
