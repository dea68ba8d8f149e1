"""What went wrong with an exchange, in words a person can act on."""

from __future__ import annotations

import errno
import re
import socket
import ssl
from collections.abc import Iterator

from fanseek.errors import BackendError, FailureKind

UNREACHABLE = {
    errno.ENETUNREACH: "the network is unreachable",
    errno.EHOSTUNREACH: "no route to {peer}",
    errno.ENETDOWN: "the network is down",
    errno.EADDRNOTAVAIL: "no local address fits {peer}",
    errno.EACCES: "this system forbids connecting to {peer}",
    errno.EPERM: "this system forbids connecting to {peer}",
    errno.EMFILE: "too many open files: raise the limit or lower the concurrency",
    errno.ENFILE: "too many open files: raise the limit or lower the concurrency",
}

BY_TYPE: tuple[tuple[type[BaseException], str], ...] = (
    (socket.gaierror, "could not resolve {name}"),
    (ConnectionRefusedError, "connection refused by {peer}"),
    (ConnectionResetError, "{peer} broke the connection off"),
    (BrokenPipeError, "{peer} broke the connection off"),
)
ENDED_EARLY = re.compile("disconnected|closed|incomplete|terminated|early", re.IGNORECASE)


def explained(problem: Exception, host: str, peer: str = "", proxy: str = "") -> BackendError:
    """`problem` of an exchange with `host`, at `peer` when it has a port, perhaps through `proxy`."""
    if isinstance(problem, BackendError):
        return problem
    words = _Words(host, f"the proxy {proxy}" if proxy else peer or host, proxy)
    kind = _kind(problem)
    if kind == "timeout":
        return BackendError(kind, words.timed_out(problem))
    said = next((said for cause in causes(problem) if (said := words.of(cause))), "")
    return BackendError(kind, said or f"{words.peer}: {_first_line(problem)}")


def _kind(problem: Exception) -> FailureKind:
    import httpx

    from fanseek.http.inflate import BodyError

    match problem:
        case httpx.TimeoutException():
            return "timeout"
        case httpx.UnsupportedProtocol() | httpx.LocalProtocolError() | httpx.InvalidURL() | UnicodeError():
            return "bad-request"
        case httpx.RemoteProtocolError():
            return "network" if ENDED_EARLY.search(str(problem)) else "format"
        case BodyError() | httpx.DecodingError():
            return "format"
    return "network"


class _Words:
    """What to call whoever was talked to, and what a cause means where it says more than the exception it led to."""

    def __init__(self, host: str, peer: str, proxy: str) -> None:
        self.host = host
        self.peer = peer
        self.name = f"the host of the proxy {proxy}" if proxy else f'host "{host}"'

    def timed_out(self, problem: Exception) -> str:
        import httpx

        connecting = isinstance(problem, httpx.ConnectTimeout)
        return f"could not connect to {self.peer} in time" if connecting else f"{self.host} did not answer in time"

    def of(self, cause: BaseException) -> str:
        match cause:
            case ssl.SSLCertVerificationError():
                return f"the TLS certificate of {self.host} is not valid: {cause.verify_message}"
            case ssl.SSLError():
                return f"no TLS connection to {self.host}: {getattr(cause, 'reason', '') or _first_line(cause)}"
            case FileNotFoundError():
                return f"no TLS connection to {self.host}: SSL_CERT_FILE or SSL_CERT_DIR names no certificates"
            case UnicodeError():
                return f'bad host "{self.host}"'
        said = next((said for kind, said in BY_TYPE if isinstance(cause, kind)), _by_number(cause))
        return said.format(peer=self.peer, name=self.name)


def _by_number(cause: BaseException) -> str:
    return UNREACHABLE.get(cause.errno or 0, "") if isinstance(cause, OSError) else ""


def causes(problem: BaseException) -> Iterator[BaseException]:
    """`problem`, what it came from, and the members of groups among them."""
    seen: set[int] = set()
    waiting: list[BaseException | None] = [problem]
    while waiting:
        cause = waiting.pop(0)
        if cause is None or id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        if isinstance(cause, BaseExceptionGroup):
            waiting += cause.exceptions
        waiting += (cause.__cause__, cause.__context__)


def _first_line(problem: BaseException) -> str:
    said = str(problem).strip()
    return said.splitlines()[0][:200] if said else type(problem).__name__
