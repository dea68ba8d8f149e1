"""Every error Fanseek raises, in one tree.

    FanseekError
    ├── UsageError          the caller asked for something impossible; no request was made
    │   └── ConfigError     a setting is wrong; names the setting and the rule, never the value
    ├── NothingUsable       no backend is enabled and ready; no request was made
    ├── AllFailed           every backend asked has failed; carries each one's outcome
    ├── Aborted             an explicit abort signal ended the search
    └── BackendError        one backend's failure; the engine turns it into an outcome

`code` is a stable string for machines, `retryable` says whether the same call may succeed later, and
`cooldown_s` is how long a backend that failed this way is left alone (seconds; 0 leaves it to the breaker's
count of failures in a row). Boundaries map the tree: WEB_* in a harness, isError over MCP, a status over HTTP,
an exit code on the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from fanseek.types import Outcome, SearchResult

FailureKind = Literal[
    "auth",
    "quota",
    "rate-limit",
    "bad-request",
    "blocked",
    "server",
    "timeout",
    "network",
    "format",
]
"""How one backend call can fail. The same words stand in samples, tests, telemetry and JSON."""


class FanseekError(Exception):
    """The root: catch this to catch everything Fanseek raises on purpose."""

    code: ClassVar[str] = "ENGINE_ERROR"
    retryable: ClassVar[bool] = False


class UsageError(FanseekError):
    """An argument is impossible: empty query, wrong type, unknown backend."""

    code = "INVALID_ARGUMENTS"


class ConfigError(UsageError):
    """A setting breaks its rule. The message names the setting, never a secret part of its value."""

    code = "INVALID_ARGUMENTS"


class NothingUsable(FanseekError):  # noqa: N818 - a state, not a slip
    """No backend is enabled, or every enabled one lacks what it needs."""

    code = "NO_BACKENDS"


class AllFailed(FanseekError):  # noqa: N818
    """Every backend that was asked has failed, so the search could not be made."""

    code = "ENGINE_ERROR"
    retryable = True

    def __init__(self, message: str, result: SearchResult) -> None:
        super().__init__(message)
        self.result = result
        """The whole result, its status `error`: every outcome and note is there."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """How each backend failed."""
        return self.result.outcomes


class Aborted(FanseekError):  # noqa: N818
    """The caller's abort signal ended the search before its deadline."""

    code = "ABORTED"


class BackendError(FanseekError):
    """One backend's failure, raised by the transport or by a parser.

    `retry_after` is the delay the server asked for, in seconds, or None.
    """

    kind: FailureKind = "server"

    def __init__(self, kind: FailureKind, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after


class Policy:
    """What follows from one kind of failure."""

    def __init__(self, code: str, *, retryable: bool, cooldown_s: float) -> None:
        self.code = code
        self.retryable = retryable
        self.cooldown_s = cooldown_s


POLICIES: dict[FailureKind, Policy] = {
    "auth": Policy("ENGINE_ERROR", retryable=False, cooldown_s=3600),
    "quota": Policy("ENGINE_ERROR", retryable=False, cooldown_s=1800),
    "rate-limit": Policy("RATE_LIMITED", retryable=True, cooldown_s=60),
    "bad-request": Policy("INVALID_ARGUMENTS", retryable=False, cooldown_s=0),
    "blocked": Policy("CHALLENGED", retryable=True, cooldown_s=900),
    "server": Policy("ENGINE_ERROR", retryable=True, cooldown_s=0),
    "timeout": Policy("TIMEOUT", retryable=True, cooldown_s=0),
    "network": Policy("NETWORK_ERROR", retryable=True, cooldown_s=0),
    "format": Policy("PARSER_DRIFT", retryable=True, cooldown_s=0),
}
"""Cool-downs by kind: a captcha rests a backend longer than a rate limit, a timeout only counts."""


def kind_of(status: str) -> FailureKind | None:
    """The kind of failure an outcome's status is; None when it is none."""
    return next((kind for kind in POLICIES if kind == status), None)


def policy_of(status: str) -> Policy | None:
    """The policy of an outcome's status; None when the status is no failure."""
    kind = kind_of(status)
    return POLICIES[kind] if kind else None
